// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "failure.h"

namespace clockwise::tool {
namespace {

[[noreturn]] void Refuse(const std::string& name, std::string_view why) {
  throw Failure(Exit::kRefused, fmt::format("{}: {}", name, why));
}

Descriptor Open(const std::string& path, int flags) {
  Descriptor file(open(path.c_str(), flags | O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0) Refuse(path, std::strerror(errno));
  return file;
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

bool Descriptor::IsRegular() const noexcept {
  struct stat status {};
  return fstat(fd_, &status) == 0 && S_ISREG(status.st_mode);
}

Descriptor OpenKeyFile(const std::string& path) {
  const bool is_input = path == "-";
  Descriptor file = is_input
                        ? Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3))
                        : Open(path, 0);
  const std::string name = is_input ? "standard input" : path;
  if (file.fd() < 0) Refuse(name, std::strerror(errno));
  struct stat status {};
  if (fstat(file.fd(), &status) != 0) Refuse(name, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) Refuse(name, "is a directory");
  if (S_ISBLK(status.st_mode)) Refuse(name, "is a block device");
  return file;
}

size_t ReadSome(int fd, char* data, size_t size, const std::string& name) {
  while (true) {
    const ssize_t got = read(fd, data, size);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno == EAGAIN) {
      pollfd wait{fd, POLLIN, 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      Refuse(name, std::strerror(errno));
    }
  }
}

}  // namespace clockwise::tool
