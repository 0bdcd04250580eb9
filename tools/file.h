// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Files that are named on the command line, opened with suspicion.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace clockwise::tool {

// A file descriptor of our own.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();

  [[nodiscard]] int fd() const noexcept { return fd_; }
  // Whether it is a regular file: no pipe, terminal or device.
  [[nodiscard]] bool IsRegular() const noexcept;

 private:
  int fd_ = -1;
};

// Opens a file of keys: anything readable but a directory. "-" is standard
// input. Throws Failure, by name.
Descriptor OpenKeyFile(const std::string& path);

// Reads up to `size` bytes; 0 at the end. Throws Failure, by `name`.
size_t ReadSome(int fd, char* data, size_t size, const std::string& name);

}  // namespace clockwise::tool
