// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Random bytes between two pages that may not be touched: code that reads one
// byte before or after them dies.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>

namespace clockwise {

class GuardedBytes {
 public:
  // Rounds `size` up to whole pages.
  explicit GuardedBytes(size_t size)
      : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
        size_((size + page_ - 1) / page_ * page_) {
    void* all = mmap(nullptr, size_ + 2 * page_, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) std::abort();
    all_ = static_cast<uint8_t*>(all);
    if (mprotect(begin(), size_, PROT_READ | PROT_WRITE) != 0) std::abort();
    std::mt19937_64 random(size);
    for (uint8_t* p = begin(); p != end(); ++p) {
      *p = static_cast<uint8_t>(random());
    }
  }
  ~GuardedBytes() { munmap(all_, size_ + 2 * page_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  uint8_t* begin() const { return all_ + page_; }
  uint8_t* end() const { return begin() + size_; }

 private:
  size_t page_;
  size_t size_;
  uint8_t* all_;
};

}  // namespace clockwise
