// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The comparison searches: `sorted`, `eytzinger` and `splus`, each over any
// positions whatever, in portable code that is inlined in the caller.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "clockwise/detail/api.h"
#include "clockwise/detail/ring_image.h"
#include "clockwise/node.h"

namespace clockwise {
namespace detail {
inline namespace image_1 {

// Returns the index of the first of `count` ascending positions that is at or
// after `x`; `count` if there is none. Without branches that depend on data.
template <typename T>
CW_INLINE size_t LowerBound(const T* positions, size_t count, T x) noexcept {
  const T* base = positions;
  while (count > 1) {
    const size_t half = count / 2;
    // A mask: compilers make a branch of a choice.
    base += half & -static_cast<size_t>(base[half - 1] < x);
    count -= half;
  }
  return static_cast<size_t>(base - positions) + (count == 1 && *base < x);
}

// The sorted points of any image.
template <int kWidth, bool kWide>
class SortedView {
  using OwnerType = typename OwnerOf<kWide>::Type;

 public:
  explicit SortedView(const RingImage* image) noexcept
      : positions_(image->At<Position<kWidth>>(image->positions_at)),
        owners_(image->At<OwnerType>(image->owners_at)),
        points_(image->points) {}

  // Returns the index of the first point at or after `hash`; the number of
  // points past the last one.
  [[nodiscard]] CW_INLINE size_t Index(uint64_t hash) const noexcept {
    return LowerBound(positions_, points_, ToPosition<kWidth>(hash));
  }

  // As LineView::Owner. O(log points).
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    if (points_ == 0) [[unlikely]]
      return kNoNode;
    return owners_[Index(hash)];
  }

 private:
  const Position<kWidth>* positions_;
  const OwnerType* owners_;
  size_t points_;
};

// Positions in breadth-first order from index 1, so that the first levels of
// every search share cache lines and the next four can be prefetched (Khuong
// and Morin, "Array Layouts for Comparison-Based Searching"). Index 0 stands
// for "past the last point" and has the first point's owner.
template <int kWidth, bool kWide>
class EytzingerView {
  using OwnerType = typename OwnerOf<kWide>::Type;

 public:
  explicit EytzingerView(const RingImage* image) noexcept
      : tree_(image->At<Position<kWidth>>(image->search_at)),
        owners_(image->At<OwnerType>(image->search_owners_at)),
        points_(image->points) {}

  // As LineView::Owner. O(log points).
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    if (points_ == 0) [[unlikely]]
      return kNoNode;
    const auto x = ToPosition<kWidth>(hash);
    constexpr size_t kPerLine = 64 / sizeof(x);
    size_t k = 1;
    while (k <= points_) {
      // May lie past the tree: a prefetch never faults.
      __builtin_prefetch(reinterpret_cast<const void*>(
          reinterpret_cast<uintptr_t>(tree_) + k * kPerLine * sizeof(x)));
      k = 2 * k + (tree_[k] < x);
    }
    // Each right turn after the answer was a 1: drop them and its left turn.
    return owners_[k >> (std::countr_one(k) + 1)];
  }

 private:
  const Position<kWidth>* tree_;
  const OwnerType* owners_;
  size_t points_;
};

// Returns how many of a node's 64 bytes of positions are below `x`. A sum of
// compares, which compilers turn into vector code for whatever CPU they target.
template <typename T>
CW_INLINE size_t RankInNode(const T* node, T x) noexcept {
  T below = 0;
#if defined(__aarch64__) && !defined(__clang__)
#pragma GCC unroll 1  // GCC 12 at -O3 unrolls, then negates the sum: wrong code
#endif
  for (size_t i = 0; i < 64 / sizeof(T); ++i) below += node[i] < x;
  return below;
}

// A static B+ tree: nodes are cache lines of 16 (32-bit) or 8 (64-bit)
// positions, each the last of the child it stands for, so that a child's number
// is the count of positions below the key. The leaves are the sorted positions
// themselves, padded with the greatest position to a whole node. Serves as a
// layout and as the escape of `line`.
template <int kWidth, bool kWide>
class SplusView {
  using T = Position<kWidth>;
  using OwnerType = typename OwnerOf<kWide>::Type;
  static constexpr size_t kKeys = 64 / sizeof(T);

 public:
  explicit SplusView(const RingImage* image) noexcept : image_(image) {}

  // As SortedView::Index.
  [[nodiscard]] CW_INLINE size_t Index(uint64_t hash) const noexcept {
    const T x = ToPosition<kWidth>(hash);
    size_t node = 0;
    for (uint32_t level = 0; level < image_->splus_levels; ++level) {
      const T* nodes = image_->At<T>(image_->splus_at[level]);
      node = node * (kKeys + 1) + RankInNode(nodes + node * kKeys, x);
    }
    const T* leaf = image_->At<T>(image_->positions_at) + node * kKeys;
    return node * kKeys + RankInNode(leaf, x);
  }

  // As LineView::Owner. O(log points).
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    if (image_->points == 0) [[unlikely]]
      return kNoNode;
    return image_->At<OwnerType>(image_->owners_at)[Index(hash)];
  }

 private:
  const RingImage* image_;
};

}  // namespace image_1
}  // namespace detail
}  // namespace clockwise
