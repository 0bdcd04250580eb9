// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Batches over the comparison layouts, compiled once per target: a group of
// searches goes down level by level together, so that their misses overlap.
#if defined(CLOCKWISE_TREE_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_TREE_BATCH_INL
#undef CLOCKWISE_TREE_BATCH_INL
#else
#define CLOCKWISE_TREE_BATCH_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "search/sections.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How many of a node's 64 bytes of positions are below `x`.
template <typename T>
HWY_INLINE size_t NodeRank(const T* node, T x) {
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const auto key = hn::Set(d, x);
  size_t rank = 0;
  for (size_t i = 0; i < 64 / sizeof(T); i += hn::Lanes(d)) {
    rank += hn::CountTrue(d, hn::Lt(hn::Load(d, node + i), key));
  }
  return rank;
}

// Each searcher answers kGroup positions at a time with indexes into owners().
template <typename Form>
struct SortedSearcher {
  using T = typename Form::Position;
  static constexpr size_t kGroup = 16;

  explicit SortedSearcher(const RingImage& image)
      : positions(image.At<T>(image.positions_at)),
        points(image.points),
        owners_at(image.owners_at) {}

  HWY_INLINE void Search(const T* x, size_t* index) const {
    const T* base[kGroup];
    std::fill_n(base, kGroup, positions);
    size_t count = points;
    while (count > 1) {
      const size_t half = count / 2;
      for (size_t j = 0; j < kGroup; ++j) {
        base[j] += half & -static_cast<size_t>(base[j][half - 1] < x[j]);
      }
      count -= half;
      const size_t next = count / 2;
      for (size_t j = 0; j < kGroup && next != 0; ++j) {
        __builtin_prefetch(base[j] + next - 1);
      }
    }
    for (size_t j = 0; j < kGroup; ++j) {
      index[j] = static_cast<size_t>(base[j] - positions) + (*base[j] < x[j]);
    }
  }

  const T* positions;
  size_t points;
  uint64_t owners_at;
};

template <typename Form>
struct EytzingerSearcher {
  using T = typename Form::Position;
  static constexpr size_t kGroup = 16;

  explicit EytzingerSearcher(const RingImage& image)
      : tree(image.At<T>(image.search_at)),
        points(image.points),
        owners_at(image.search_owners_at) {}

  HWY_INLINE void Search(const T* x, size_t* index) const {
    size_t k[kGroup];
    std::fill_n(k, kGroup, size_t{1});
    // The levels that are whole, then the last one, where a search may be over.
    const auto whole = static_cast<size_t>(std::bit_width(points + 1) - 1);
    for (size_t level = 0; level < whole; ++level) {
      for (size_t j = 0; j < kGroup; ++j) {
        k[j] = 2 * k[j] + (tree[k[j]] < x[j]);
        __builtin_prefetch(tree + std::min(k[j], points));
      }
    }
    for (size_t j = 0; j < kGroup; ++j) {
      if (k[j] <= points) k[j] = 2 * k[j] + (tree[k[j]] < x[j]);
      index[j] = k[j] >> (std::countr_one(k[j]) + 1);
    }
  }

  const T* tree;
  size_t points;
  uint64_t owners_at;
};

template <typename Form>
struct SplusSearcher {
  using T = typename Form::Position;
  static constexpr size_t kGroup = 32;
  static constexpr size_t kKeys = 64 / sizeof(T);

  explicit SplusSearcher(const RingImage& ring)
      : image(ring), owners_at(ring.owners_at) {}

  HWY_INLINE void Search(const T* x, size_t* index) const {
    std::fill_n(index, kGroup, size_t{0});
    const T* leaves = image.At<T>(image.positions_at);
    for (uint32_t level = 0; level < image.splus_levels; ++level) {
      const T* nodes = image.At<T>(image.splus_at[level]);
      const T* below = level + 1 < image.splus_levels
                           ? image.At<T>(image.splus_at[level + 1])
                           : leaves;
      for (size_t j = 0; j < kGroup; ++j) {
        index[j] =
            index[j] * (kKeys + 1) + NodeRank(nodes + index[j] * kKeys, x[j]);
        __builtin_prefetch(below + index[j] * kKeys);
      }
    }
    for (size_t j = 0; j < kGroup; ++j) {
      index[j] = index[j] * kKeys + NodeRank(leaves + index[j] * kKeys, x[j]);
    }
  }

  const RingImage& image;
  uint64_t owners_at;
};

template <typename Form, typename Searcher, typename Hash>
HWY_INLINE void RunGroups(const RingImage& image, const Searcher& searcher,
                          const Hash* hashes, size_t count, NodeIndex* owners) {
  if (image.points == 0) {
    std::fill_n(owners, count, kNoNode);
    return;
  }
  const auto* owner_of = image.At<typename Form::Owner>(searcher.owners_at);
  typename Form::Position x[Searcher::kGroup] = {};
  size_t index[Searcher::kGroup];
  for (size_t i = 0; i < count; i += Searcher::kGroup) {
    const size_t some = std::min(Searcher::kGroup, count - i);
    for (size_t j = 0; j < some; ++j) {
      x[j] = detail::ToPosition<Form::kWidth>(
          detail::ToLeftAligned(hashes[i + j]));
    }
    searcher.Search(x, index);
    for (size_t j = 0; j < some; ++j) owners[i + j] = owner_of[index[j]];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace clockwise
HWY_AFTER_NAMESPACE();

#endif  // CLOCKWISE_TREE_BATCH_INL
