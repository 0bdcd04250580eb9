// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "platform/file_calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <string_view>

namespace clockwise {

int FileCalls::OpenToRead(const char* path) noexcept {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int FileCalls::Create(const char* path) noexcept {
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
}

int FileCalls::OpenFolder(const char* path) noexcept {
  return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int FileCalls::Close(int fd) noexcept { return close(fd); }

off_t FileCalls::SizeOf(int fd) noexcept {
  struct stat about {};
  if (fstat(fd, &about) != 0) return -1;
  if (S_ISREG(about.st_mode)) return about.st_size;
  errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
  return -1;
}

ssize_t FileCalls::ReadAt(int fd, void* data, size_t size, off_t at) noexcept {
  return pread(fd, data, size, at);
}

ssize_t FileCalls::Write(int fd, const void* data, size_t size) noexcept {
  return write(fd, data, size);
}

int FileCalls::Sync(int fd) noexcept { return fsync(fd); }

int FileCalls::Rename(const char* from, const char* to) noexcept {
  return std::rename(from, to);
}

int FileCalls::Remove(const char* path) noexcept { return unlink(path); }

void* FileCalls::Map(int fd, size_t size, off_t at) noexcept {
  void* pages = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, at);
  return pages != MAP_FAILED ? pages : nullptr;
}

int FileCalls::AllowWrites(void* pages, size_t size) noexcept {
  return mprotect(pages, size, PROT_READ | PROT_WRITE);
}

void FileCalls::Unmap(void* pages, size_t size) noexcept {
  munmap(pages, size);
}

void FileCalls::WillNeed(void* pages, size_t size) noexcept {
#ifdef MADV_POPULATE_READ
  // Maps the pages at once, in place of a fault for each few.
  if (madvise(pages, size, MADV_POPULATE_READ) == 0) return;
#endif
  madvise(pages, size, MADV_WILLNEED);
}

std::vector<std::string> FileCalls::NamesIn(const char* folder,
                                            const std::string& prefix) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open_folder(opendir(folder),
                                                        closedir);
  if (open_folder == nullptr) return names;
  while (const dirent* entry = readdir(open_folder.get())) {
    const std::string_view name = entry->d_name;
    if (name.starts_with(prefix)) names.emplace_back(name);
  }
  return names;
}

FileCalls& SystemFileCalls() noexcept {
  // Never destroyed: rings in static storage may be dropped later.
  alignas(FileCalls) static std::byte room[sizeof(FileCalls)];
  static auto* const calls = new (room) FileCalls;
  return *calls;
}

size_t PageBytes() noexcept {
  return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace clockwise
