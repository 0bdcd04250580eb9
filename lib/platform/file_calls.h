// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Every call to the system that reading and writing whole files needs, each
// replaceable: tests make them fail one by one.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace clockwise {

// Calls as POSIX has them: what fails returns -1 (or null) and sets errno.
class FileCalls {
 public:
  virtual ~FileCalls() = default;

  // A descriptor to read `path` by; does not wait where it is a FIFO.
  virtual int OpenToRead(const char* path) noexcept;
  // Creates `path`, which must not be there (EEXIST), with mode 0644 less the
  // umask.
  virtual int Create(const char* path) noexcept;
  virtual int OpenFolder(const char* path) noexcept;
  virtual int Close(int fd) noexcept;
  // The size of a regular file. EISDIR for a folder, EINVAL for what else is no
  // file.
  virtual off_t SizeOf(int fd) noexcept;
  virtual ssize_t ReadAt(int fd, void* data, size_t size, off_t at) noexcept;
  virtual ssize_t Write(int fd, const void* data, size_t size) noexcept;
  virtual int Sync(int fd) noexcept;
  virtual int Rename(const char* from, const char* to) noexcept;
  virtual int Remove(const char* path) noexcept;
  // Pages of the file, private and read-only; null where it cannot be.
  virtual void* Map(int fd, size_t size, off_t at) noexcept;
  // Lets `size` bytes of pages be written to as well.
  virtual int AllowWrites(void* pages, size_t size) noexcept;
  virtual void Unmap(void* pages, size_t size) noexcept;
  // Asks for pages to be read ahead; may do nothing.
  virtual void WillNeed(void* pages, size_t size) noexcept;
  // The names in a folder that begin with `prefix`; none where it cannot be
  // read. May throw std::bad_alloc.
  virtual std::vector<std::string> NamesIn(const char* folder,
                                           const std::string& prefix);
};

// The system's. Never destroyed.
FileCalls& SystemFileCalls() noexcept;

// Bytes of a page.
size_t PageBytes() noexcept;

}  // namespace clockwise
