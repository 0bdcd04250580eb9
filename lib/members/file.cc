// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "members/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "clockwise/members.h"

namespace clockwise {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  [[nodiscard]] int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

Status Refuse(const std::string& path, const std::string& why) {
  return {Code::kIo, path + ": " + why};
}

Status RefuseByErrno(const std::string& path) {
  return Refuse(path, std::generic_category().message(errno));
}

Status RefuseBySize(const std::string& path) {
  return Refuse(path, "is larger than 256 MiB");
}

ssize_t ReadSome(int fd, char* data, size_t size) {
  ssize_t got;
  do {
    got = read(fd, data, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

}  // namespace

Result<std::string> ReadWholeFile(const std::string& path) {
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about {};
  if (file.fd() < 0 || fstat(file.fd(), &about) != 0) {
    return RefuseByErrno(path);
  }
  if (S_ISDIR(about.st_mode)) return Refuse(path, "is a directory");
  if (!S_ISREG(about.st_mode)) return Refuse(path, "is not a regular file");
  const auto expected = static_cast<size_t>(about.st_size);
  if (expected > kMaxMembersBytes) return RefuseBySize(path);

  // The size is a hint only: the file may grow meanwhile, and those of /proc
  // have none.
  std::string text(expected + 1, '\0');
  size_t size = 0;
  while (true) {
    const ssize_t got =
        ReadSome(file.fd(), text.data() + size, text.size() - size);
    if (got < 0) return RefuseByErrno(path);
    if (got == 0) break;
    size += static_cast<size_t>(got);
    if (size > kMaxMembersBytes) return RefuseBySize(path);
    if (size == text.size()) text.resize(size * 2);
  }
  text.resize(size);
  return text;
}

}  // namespace clockwise
