// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "platform/recycling_source.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "base/align.h"

namespace clockwise {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kMaxBytes = std::numeric_limits<size_t>::max() / 4;

// A function of the request alone, so that Release knows what Acquire gave.
size_t CapacityFor(size_t bytes) noexcept {
  const size_t step = std::max(kCacheLine, std::bit_floor(bytes) / 8);
  const size_t capacity = RoundUp(bytes, step);
  return capacity < kHugePage ? capacity : RoundUp(capacity, kHugePage);
}

// Maps one huge page too many and gives back what lies outside the alignment.
void* MapAligned(size_t capacity) noexcept {
  const size_t whole = capacity + kHugePage;
  void* map = mmap(nullptr, whole, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return nullptr;
  auto* first = static_cast<std::byte*>(map);
  const size_t head = static_cast<size_t>(
      -reinterpret_cast<uintptr_t>(first) & (kHugePage - 1));
  if (head != 0) munmap(first, head);
  munmap(first + head + capacity, kHugePage - head);
  madvise(first + head, capacity, MADV_HUGEPAGE);  // a wish, not a need
  return first + head;
}

void Free(void* data, size_t capacity) noexcept {
  if (capacity >= kHugePage) {
    munmap(data, capacity);
  } else {
    std::free(data);
  }
}

}  // namespace

RecyclingSource::~RecyclingSource() {
  for (const Kept& kept : kept_) {
    if (kept.data != nullptr) Free(kept.data, kept.capacity);
  }
}

void* RecyclingSource::Acquire(size_t bytes) noexcept {
  if (bytes > kMaxBytes) return nullptr;
  const size_t capacity = CapacityFor(bytes);
  {
    const std::lock_guard lock(mutex_);
    // The last released first: it may still be in the cache.
    for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
      if (kept->data == nullptr || kept->capacity != capacity) continue;
      void* data = std::exchange(kept->data, nullptr);
      std::rotate(kept_.begin(), kept.base() - 1, kept.base());
      return data;
    }
  }
  return capacity >= kHugePage ? MapAligned(capacity)
                               : std::aligned_alloc(kCacheLine, capacity);
}

void RecyclingSource::Release(void* block, size_t bytes) noexcept {
  Kept oldest{block, CapacityFor(bytes)};
  {
    const std::lock_guard lock(mutex_);
    std::rotate(kept_.begin(), kept_.begin() + 1, kept_.end());
    std::swap(oldest, kept_.back());
  }
  if (oldest.data != nullptr) Free(oldest.data, oldest.capacity);
}

BlockSource& DefaultBlockSource() noexcept {
  // Never destroyed: rings in static storage may be dropped later.
  alignas(RecyclingSource) static std::byte room[sizeof(RecyclingSource)];
  static auto* const source = new (room) RecyclingSource;
  return *source;
}

}  // namespace clockwise
