// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Waiting for a file to change, by whatever means it does: written in place,
// replaced by a rename, or reached through symbolic links of which one flips.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "clockwise/status.h"

namespace clockwise {

// What tells one state of a file from another; all 0 where there is no file.
struct FileState {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t bytes = 0;
  int64_t modified = 0;  // ns
  int64_t changed = 0;   // ns; what a rename leaves alone

  friend bool operator==(const FileState&, const FileState&) = default;
};

// The state of what `path` leads to. Never fails.
FileState StateOf(const std::string& path) noexcept;

// Watches the folder of a path, and of what the path leads to: a watch of the
// file itself would stay with what was replaced. One thread waits; any may
// wake it.
class FileWatch {
 public:
  // Where the kernel has no watch to give, looks at the file once in
  // `poll_interval`; so it does anyway, for changes that no event tells of. kIo
  // if there is no descriptor left.
  static Result<std::unique_ptr<FileWatch>> Create(
      const std::string& path, std::chrono::nanoseconds poll_interval);
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;
  ~FileWatch();

  // Notes the file's state and where its path leads now: what Await compares
  // with. To be called before the file is read.
  void Remember();
  // Waits until the file is not as it was remembered, for `limit` at most, or
  // until Wake. Returns whether it is not. May return early.
  bool Await(std::chrono::nanoseconds limit);
  // Ends the Await that is under way, or the next one.
  void Wake() noexcept;

 private:
  FileWatch(std::string path, std::chrono::nanoseconds poll_interval,
            int events, int wake) noexcept;
  void WatchFolders();
  void Drain() noexcept;

  const std::string path_;
  const std::chrono::nanoseconds poll_interval_;
  const int events_;  // inotify; -1: none
  const int wake_;    // eventfd
  FileState known_;
};

}  // namespace clockwise
