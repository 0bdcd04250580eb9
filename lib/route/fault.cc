// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Only in the build that plants faults.
#include "route/fault.h"

#include <cstring>
#include <vector>

#include "route/ring_set.h"

namespace clockwise {
namespace {

// Long enough for a reader on another CPU to look, as a late store may be.
void Linger() noexcept {
  for (int i = 0; i < 20'000; ++i) asm volatile("");
}

// Publishes while `bytes` bytes at `data`, part of the set, are not yet
// written.
void StoreEarly(std::atomic<const std::byte*>& current, const RingSet& set,
                const void* data, size_t bytes) noexcept {
  auto* at = static_cast<std::byte*>(const_cast<void*>(data));
  const std::vector<std::byte> built(at, at + bytes);
  std::memset(at, 0x5A, bytes);
  current.store(set.copies(), std::memory_order_relaxed);
  Linger();
  std::memcpy(at, built.data(), bytes);
}

}  // namespace

void PlantBefore(std::atomic<const std::byte*>& current, const RingSet* old,
                 const RingSet& next) noexcept {
  const detail::RingImage& image = *next.ring().image();
  if (Seeded(Fault::kPublishBeforeBuilt)) {
    StoreEarly(current, next, &image + 1, image.bytes - sizeof(image));
  }
  if (Seeded(Fault::kMissingRelease)) {
    StoreEarly(current, next, &image.epoch, sizeof(image.epoch));
  }
  if (old == nullptr) return;
  if (Seeded(Fault::kEpochBack)) {
    current.store(next.copies(), std::memory_order_release);
    Linger();
    current.store(old->copies(), std::memory_order_release);
    Linger();
  }
  if (Seeded(Fault::kMixedCopies)) {
    constexpr size_t kCopy = sizeof(PublishedRing);
    std::memcpy(const_cast<std::byte*>(next.copies()) + kCopy,
                old->copies() + kCopy, kCopy);
  }
}

}  // namespace clockwise
