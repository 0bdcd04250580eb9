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

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;
constexpr int kLockTries = 1000;
constexpr size_t kMaxBytes = std::numeric_limits<size_t>::max() / 4;

void* Map(size_t bytes) noexcept {
  void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return map != MAP_FAILED ? map : nullptr;
}

// Maps one huge page too many and gives back what lies outside the alignment.
void* MapHuge(size_t capacity) noexcept {
  void* map = Map(capacity + kHugePage);
  if (map == nullptr) return nullptr;
  auto* first = static_cast<std::byte*>(map);
  const size_t head =
      static_cast<size_t>(-reinterpret_cast<intptr_t>(first)) & (kHugePage - 1);
  if (head != 0) munmap(first, head);
  munmap(first + head + capacity, kHugePage - head);
  madvise(first + head, capacity, MADV_HUGEPAGE);  // a wish, not a need
  return first + head;
}

}  // namespace

// A function of the request alone, so that Release knows what Acquire gave.
size_t RecyclingSource::CapacityFor(size_t bytes) const noexcept {
  const size_t step = std::max(kCacheLine, std::bit_floor(bytes) / 8);
  const size_t capacity = RoundUp(bytes, step);
  if (!IsMapped(capacity)) return capacity;
  return RoundUp(capacity, capacity < kHugePage ? kPage : kHugePage);
}

bool RecyclingSource::IsMapped(size_t capacity) const noexcept {
  return capacity >= kHugePage || binding_ != nullptr;
}

void* RecyclingSource::Fresh(size_t capacity) const noexcept {
  if (!IsMapped(capacity)) return std::aligned_alloc(kCacheLine, capacity);
  return capacity < kHugePage ? Map(capacity) : MapHuge(capacity);
}

void RecyclingSource::Free(void* data, size_t capacity) const noexcept {
  if (IsMapped(capacity)) {
    munmap(data, capacity);
  } else {
    std::free(data);
  }
}

RecyclingSource::~RecyclingSource() {
  for (const Kept& kept : kept_) {
    if (kept.data != nullptr) Free(kept.data, kept.capacity);
  }
}

std::unique_lock<std::mutex> RecyclingSource::Lock() noexcept {
  std::unique_lock lock(mutex_, std::try_to_lock);
  for (int i = 0; !lock.owns_lock() && i < kLockTries; ++i) {
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

void* RecyclingSource::TakeKept(size_t capacity) noexcept {
  const auto lock = Lock();
  if (!lock.owns_lock()) return nullptr;
  // The last released first: it may still be in the cache.
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
    if (kept->data == nullptr || kept->capacity != capacity) continue;
    void* data = std::exchange(kept->data, nullptr);
    std::rotate(kept_.begin(), kept.base() - 1, kept.base());
    return data;
  }
  return nullptr;
}

void* RecyclingSource::Acquire(size_t bytes) noexcept {
  if (bytes > kMaxBytes) return nullptr;
  const size_t capacity = CapacityFor(bytes);
  void* data = TakeKept(capacity);
  if (data == nullptr) data = Fresh(capacity);
  if (data == nullptr || binding_ == nullptr) return data;
  // Kept ones too: the kernel moves pages when it takes a node from a cpuset.
  if (binding_->Bind(data, capacity)) return data;
  Free(data, capacity);
  return nullptr;
}

void RecyclingSource::Release(void* block, size_t bytes) noexcept {
  Kept oldest{block, CapacityFor(bytes)};
  if (oldest.capacity <= kMaxKeptBytes) {
    if (const auto lock = Lock(); lock.owns_lock()) {
      std::rotate(kept_.begin(), kept_.begin() + 1, kept_.end());
      std::swap(oldest, kept_.back());
    }
  }
  if (oldest.data != nullptr) Free(oldest.data, oldest.capacity);
}

BlockSource& DefaultBlockSource() noexcept {
  // Never destroyed: rings in static storage may be dropped later.
  alignas(RecyclingSource) static std::byte room[sizeof(RecyclingSource)];
  static auto* const source = new (room) RecyclingSource;
  return *source;
}

Result<std::unique_ptr<BlockSource>> CreateNumaBlockSource(unsigned node) {
  auto binding = BindToNumaNode(node);
  if (!binding.ok()) return binding.status();
  return std::unique_ptr<BlockSource>(
      std::make_unique<RecyclingSource>(std::move(binding).value()));
}

}  // namespace clockwise
