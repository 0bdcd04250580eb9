// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "platform/replace_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>

#include "base/by_errno.h"
#include "base/folder_of.h"

namespace clockwise {
namespace {

constexpr std::string_view kMark = ".tmp-";

// A name that no other writer has: of this moment, and of this process's count.
std::string TemporaryName(const std::string& path) {
  static std::atomic<uint64_t> count = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return path + std::string(kMark) +
         std::to_string(static_cast<uint64_t>(now.count())) + "-" +
         std::to_string(count.fetch_add(1, std::memory_order_relaxed));
}

// Whether the rest of a name after kMark is one that TemporaryName makes.
bool IsOurs(std::string_view rest) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const size_t dash = rest.find('-');
  return dash != std::string_view::npos && dash != 0 &&
         dash + 1 != rest.size() &&
         std::all_of(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(dash),
                     is_digit) &&
         std::all_of(rest.begin() + static_cast<ptrdiff_t>(dash) + 1,
                     rest.end(), is_digit);
}

// One file on its way into its place.
class Replacement {
 public:
  Replacement(FileCalls& calls, const std::string& path)
      : calls_(calls),
        path_(path),
        folder_(FolderOf(path)),
        temporary_(TemporaryName(path)) {}

  Status Run(std::string_view bytes) {
    RemoveStale();
    if (Status s = Write(bytes); !s.ok()) return s;
    if (calls_.Rename(temporary_.c_str(), path_.c_str()) != 0) {
      const Status s = ByErrno(path_, "cannot be replaced");
      calls_.Remove(temporary_.c_str());
      return s;
    }
    return SyncFolder();
  }

 private:
  void RemoveStale() {
    const std::string prefix =
        path_.substr(path_.rfind('/') + 1) + std::string(kMark);
    for (const std::string& name : calls_.NamesIn(folder_.c_str(), prefix)) {
      if (!IsOurs(std::string_view(name).substr(prefix.size()))) continue;
      calls_.Remove((folder_ + "/" + name).c_str());
    }
  }

  // Leaves the temporary written and synced, or gone.
  Status Write(std::string_view bytes) {
    const int fd = calls_.Create(temporary_.c_str());
    if (fd < 0) return ByErrno(temporary_, "cannot be made");
    Status s = WriteAll(fd, bytes);
    if (s.ok() && calls_.Sync(fd) != 0) {
      s = ByErrno(temporary_, "cannot be synced");
    }
    if (calls_.Close(fd) != 0 && s.ok()) {
      s = ByErrno(temporary_, "cannot be closed");
    }
    if (!s.ok()) calls_.Remove(temporary_.c_str());
    return s;
  }

  Status WriteAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = calls_.Write(fd, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put == 0) errno = ENOSPC;  // no progress: would go on for ever
      if (put <= 0) return ByErrno(temporary_, "cannot be written");
      bytes.remove_prefix(static_cast<size_t>(put));
    }
    return {};
  }

  // Only then does the new name last a power cut.
  Status SyncFolder() {
    const int fd = calls_.OpenFolder(folder_.c_str());
    const bool is_synced = fd >= 0 && calls_.Sync(fd) == 0;
    const Status s = is_synced
                         ? Status()
                         : ByErrno(path_,
                                   "is the new file, but its folder cannot be "
                                   "synced");
    if (fd >= 0) calls_.Close(fd);
    return s;
  }

  FileCalls& calls_;
  const std::string& path_;
  const std::string folder_;
  const std::string temporary_;
};

}  // namespace

Status ReplaceFile(FileCalls& calls, const std::string& path,
                   std::string_view bytes) {
  return Replacement(calls, path).Run(bytes);
}

}  // namespace clockwise
