// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "plan/replace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/folder_of.h"

namespace clockwise {
namespace {

using StepHook = void (*)(ReplaceStep);

Status RefuseByErrno(const std::string& path) {
  return {Code::kIo, path + ": " + std::generic_category().message(errno)};
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : fd_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }

  [[nodiscard]] int fd() const noexcept { return fd_; }
  // Some file systems say only here that what was written is lost.
  bool Close() noexcept {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || close(fd) == 0;
  }

 private:
  int fd_;
};

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

void Tell(StepHook after_step, ReplaceStep step) {
  if (after_step != nullptr) after_step(step);
}

bool WriteNew(const std::string& path, std::string_view text,
              StepHook after_step) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  if (file.fd() < 0) return false;
  Tell(after_step, ReplaceStep::kOpened);
  if (!WriteAll(file.fd(), text)) return false;
  Tell(after_step, ReplaceStep::kWritten);
  if (fsync(file.fd()) != 0 || !file.Close()) return false;
  Tell(after_step, ReplaceStep::kSynced);
  return true;
}

}  // namespace

Status ReplaceFile(const std::string& path, std::string_view text,
                   StepHook after_step) {
  const std::string beside = path + ".tmp";
  const std::string folder_name = FolderOf(path);
  if (!WriteNew(beside, text, after_step)) {
    const Status status = RefuseByErrno(beside);
    unlink(beside.c_str());
    return status;
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    const Status status = RefuseByErrno(path);
    unlink(beside.c_str());
    return status;
  }
  Tell(after_step, ReplaceStep::kRenamed);
  const Descriptor folder(folder_name, O_RDONLY | O_DIRECTORY);
  if (folder.fd() < 0 || fsync(folder.fd()) != 0) {
    return RefuseByErrno(folder_name);
  }
  return {};
}

}  // namespace clockwise
