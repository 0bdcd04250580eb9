// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "failing_new.h"

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr long kEndless = std::numeric_limits<long>::max();
long left = kEndless;

void* Allocate(std::size_t bytes) {
  if (left == 0) throw std::bad_alloc();
  if (left != kEndless) --left;
  if (void* data = std::malloc(bytes)) return data;
  throw std::bad_alloc();
}

}  // namespace

void fail_allocations_after(long count) { left = count; }
void stop_failing() { left = kEndless; }

void* operator new(std::size_t bytes) { return Allocate(bytes); }
void* operator new[](std::size_t bytes) { return Allocate(bytes); }
void operator delete(void* data) noexcept { std::free(data); }
void operator delete[](void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }
void operator delete[](void* data, std::size_t) noexcept { std::free(data); }
