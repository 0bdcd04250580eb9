// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "platform/file_watch.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/folder_of.h"

namespace clockwise {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// All by which a name in a folder comes to lead elsewhere. Of files that are
// written in place the end counts; they are read again if it was not yet.
constexpr uint32_t kEvents = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM |
                             IN_DELETE | IN_CLOSE_WRITE | IN_ATTRIB |
                             IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

int64_t Nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// What the path leads to; empty if to nothing.
std::string TargetOf(const std::string& path) {
  char target[PATH_MAX];
  return realpath(path.c_str(), target) != nullptr ? target : std::string();
}

}  // namespace

FileState StateOf(const std::string& path) noexcept {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return {};
  return {about.st_dev, about.st_ino, about.st_size, Nanoseconds(about.st_mtim),
          Nanoseconds(about.st_ctim)};
}

Result<std::unique_ptr<FileWatch>> FileWatch::Create(
    const std::string& path, nanoseconds poll_interval) {
  const int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) {
    return Status(Code::kIo,
                  path + ": " + std::generic_category().message(errno));
  }
  const int events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  auto watch = std::unique_ptr<FileWatch>(
      new FileWatch(path, poll_interval, events, wake));
  watch->Remember();
  return watch;
}

FileWatch::FileWatch(std::string path, nanoseconds poll_interval, int events,
                     int wake) noexcept
    : path_(std::move(path)),
      poll_interval_(poll_interval),
      events_(events),
      wake_(wake) {}

FileWatch::~FileWatch() {
  if (events_ >= 0) close(events_);
  close(wake_);
}

// Watching a folder twice is one watch: only new ones are added, and those of
// folders that are gone end by themselves.
void FileWatch::WatchFolders() {
  if (events_ < 0) return;
  for (const std::string& path : {path_, TargetOf(path_)}) {
    if (path.empty()) continue;
    // Without a watch it polls.
    inotify_add_watch(events_, FolderOf(path).c_str(), kEvents);
  }
}

void FileWatch::Remember() {
  WatchFolders();
  known_ = StateOf(path_);
}

void FileWatch::Drain() noexcept {
  std::array<char, 4096> bytes;
  while (events_ >= 0 && read(events_, bytes.data(), bytes.size()) > 0) {
  }
}

bool FileWatch::Await(nanoseconds limit) {
  if (StateOf(path_) != known_) return true;
  const nanoseconds longest =
      std::clamp<nanoseconds>(limit, nanoseconds::zero(), poll_interval_);
  std::array<pollfd, 2> sources = {{{wake_, POLLIN, 0}, {events_, POLLIN, 0}}};
  const nanoseconds rounded = longest + milliseconds(1) - nanoseconds(1);
  poll(sources.data(), events_ >= 0 ? 2 : 1,
       static_cast<int>(rounded / milliseconds(1)));
  uint64_t count = 0;
  // Nothing to read is no fault: it was not woken.
  [[maybe_unused]] const ssize_t got = read(wake_, &count, sizeof(count));
  Drain();
  return StateOf(path_) != known_;
}

void FileWatch::Wake() noexcept {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof(one));
}

}  // namespace clockwise
