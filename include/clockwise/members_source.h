// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Where members come from, for whoever follows them (watch.h): a file, or what
// a program implements for its own coordinator.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <variant>

#include "clockwise/detail/api.h"
#include "clockwise/members.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// Members to build a ring of, or a ring that is built already.
using MembersOrRing = std::variant<Members, Ring>;

// One thread reads and waits. Implementations may throw std::bad_alloc.
class MembersSource {
 public:
  virtual ~MembersSource() = default;

  // For messages: a path, a URL.
  [[nodiscard]] virtual std::string name() const = 0;
  // Reads what there should be now, whole, and remembers it for Await. An error
  // leaves whoever follows it with what was read before.
  virtual Result<MembersOrRing> Read() = 0;
  // Waits until there may be something else to read, `limit` at most, or until
  // Wake. Returns whether there may. May return early.
  virtual bool Await(std::chrono::nanoseconds limit) = 0;
  // Ends the Await that is under way, or the next one. Any thread; throws
  // nothing.
  virtual void Wake() noexcept = 0;
};

// Follows a members file or a ring file, told apart by its first bytes. It may
// be replaced by a rename, written in place, or reached through symbolic links
// that flip: the folders are watched (inotify), and where the kernel tells
// nothing, as on network file systems, the file is looked at once in
// `poll_interval` (1 ms to an hour). Files are read by copy, and ring files
// checked whole (RingFileCheck::kFull). There need be no file yet.
// kInvalidOptions, kIo if no descriptor is left, kOutOfMemory.
CW_API Result<std::unique_ptr<MembersSource>> FollowFile(
    const std::string& path,
    std::chrono::nanoseconds poll_interval = std::chrono::seconds(1));

}  // namespace clockwise
