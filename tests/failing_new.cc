// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "failing_new.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr long kEndless = std::numeric_limits<long>::max() / 2;
std::atomic<long> left{kEndless};
std::atomic<long> failed{0};

void* Allocate(std::size_t bytes, std::size_t alignment) {
  if (left.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    failed.fetch_add(1, std::memory_order_relaxed);
    throw std::bad_alloc();
  }
  void* data = nullptr;
  if (posix_memalign(&data, alignment, std::max<std::size_t>(bytes, 1)) != 0) {
    throw std::bad_alloc();
  }
  return data;
}

constexpr std::size_t kOrdinary = alignof(std::max_align_t);

}  // namespace

void fail_allocations_after(long count) {
  failed = 0;
  left = count;
}

long stop_failing() {
  left = kEndless;
  return failed;
}

void* operator new(std::size_t bytes) { return Allocate(bytes, kOrdinary); }
void* operator new[](std::size_t bytes) { return Allocate(bytes, kOrdinary); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try {
  return Allocate(bytes, kOrdinary);
} catch (...) {
  return nullptr;
}
void operator delete(void* data, const std::nothrow_t&) noexcept {
  std::free(data);
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete[](void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }
void operator delete[](void* data, std::size_t) noexcept { std::free(data); }
void operator delete(void* data, std::align_val_t) noexcept { std::free(data); }
void operator delete(void* data, std::size_t, std::align_val_t) noexcept {
  std::free(data);
}
