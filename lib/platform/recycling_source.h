// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A block source over heap and mappings that keeps a few released blocks.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "clockwise/block_source.h"
#include "platform/numa.h"

namespace clockwise {

// Sizes are rounded up to classes an eighth of a power of two apart, so that a
// ring which grew by a node finds the block of the ring before last. Classes of
// 2 MiB and more are mappings aligned to, and asking for, huge pages; smaller
// ones come from the heap, or, if they are bound to a NUMA node, from mappings
// of ordinary pages. Up to kKept released blocks, none above kMaxKeptBytes,
// wait to be taken again; one more frees the one that waited longest. A lock
// that stays taken, as it may in a forked child, is passed by: then nothing is
// recycled.
class RecyclingSource final : public BlockSource {
 public:
  static constexpr size_t kKept = 8;
  static constexpr size_t kMaxKeptBytes = size_t{256} << 20;

  // Blocks are bound by `binding`, wherever they come to lie if it is null.
  explicit RecyclingSource(std::unique_ptr<NumaBinding> binding = nullptr)
      : binding_(std::move(binding)) {}
  RecyclingSource(const RecyclingSource&) = delete;
  RecyclingSource& operator=(const RecyclingSource&) = delete;
  ~RecyclingSource() override;

  void* Acquire(size_t bytes) noexcept override;
  void Release(void* block, size_t bytes) noexcept override;

 private:
  [[nodiscard]] size_t CapacityFor(size_t bytes) const noexcept;
  [[nodiscard]] bool IsMapped(size_t capacity) const noexcept;
  [[nodiscard]] void* Fresh(size_t capacity) const noexcept;
  // Null if none is kept.
  [[nodiscard]] void* TakeKept(size_t capacity) noexcept;
  void Free(void* data, size_t capacity) const noexcept;
  // Not owning it if others hold it for long.
  [[nodiscard]] std::unique_lock<std::mutex> Lock() noexcept;

  struct Kept {
    void* data = nullptr;
    size_t capacity = 0;
  };

  std::unique_ptr<NumaBinding> binding_;
  std::mutex mutex_;
  std::array<Kept, kKept> kept_;  // the longest waiting first
};

}  // namespace clockwise
