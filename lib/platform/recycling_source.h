// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A block source over heap and mappings that keeps a few released blocks.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "clockwise/block_source.h"

namespace clockwise {

// Sizes are rounded up to classes an eighth of a power of two apart, so that a
// ring which grew by a node finds the block of the ring before last. Classes of
// 2 MiB and more are mappings aligned to, and asking for, huge pages; smaller
// ones come from the heap. Up to kKept released blocks wait to be taken again;
// one more frees the one that waited longest.
class RecyclingSource final : public BlockSource {
 public:
  static constexpr size_t kKept = 8;

  RecyclingSource() = default;
  RecyclingSource(const RecyclingSource&) = delete;
  RecyclingSource& operator=(const RecyclingSource&) = delete;
  ~RecyclingSource() override;

  void* Acquire(size_t bytes) noexcept override;
  void Release(void* block, size_t bytes) noexcept override;

 private:
  struct Kept {
    void* data = nullptr;
    size_t capacity = 0;
  };

  std::mutex mutex_;
  std::array<Kept, kKept> kept_;  // the longest waiting first
};

}  // namespace clockwise
