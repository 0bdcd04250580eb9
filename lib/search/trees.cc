// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Builds `eytzinger` and `splus` from sorted points.
#include "search/trees.h"

#include <algorithm>
#include <cstring>

#include "base/align.h"
#include "search/sections.h"

namespace clockwise {
namespace {

// Where the entries of a tree come from: calls visit(k, i) for each node k and
// its point i, in ring order. An in-order walk: the leftmost node, then each
// next one.
template <typename Visit>
void WalkEytzinger(size_t points, Visit visit) {
  size_t k = 1;
  while (2 * k <= points) k *= 2;
  for (size_t i = 0; i < points; ++i) {
    visit(k, i);
    if (2 * k + 1 <= points) {
      k = 2 * k + 1;
      while (2 * k <= points) k *= 2;
    } else {
      while ((k & 1) != 0) k /= 2;
      k /= 2;
    }
  }
}

template <typename Form>
void FillEytzinger(RingImage* image) {
  const auto* positions =
      image->At<typename Form::Position>(image->positions_at);
  const auto* owners = image->At<typename Form::Owner>(image->owners_at);
  auto* tree = MutableAt<typename Form::Position>(image, image->search_at);
  auto* tree_owners =
      MutableAt<typename Form::Owner>(image, image->search_owners_at);
  // Index 0 answers "past the last point".
  tree[0] = 0;
  tree_owners[0] = owners[image->points];
  WalkEytzinger(image->points, [&](size_t k, size_t i) {
    tree[k] = positions[i];
    tree_owners[k] = owners[i];
  });
}

// Zeroes what is left of a part's last cache line.
void ZeroTail(RingImage* image, uint64_t at, uint64_t bytes) {
  std::memset(MutableAt<std::byte>(image, at) + bytes, 0,
              RoundUpToLine(bytes) - bytes);
}

bool HasZeroTail(const RingImage& image, uint64_t at, uint64_t bytes) {
  const auto* tail = image.At<std::byte>(at);
  return std::all_of(tail + bytes, tail + RoundUpToLine(bytes),
                     [](std::byte b) { return b == std::byte{0}; });
}

// Calls visit(level, i, position) for each entry of the levels above the
// leaves, from the bottom up.
template <typename Form, typename Visit>
void WalkSplus(const RingImage& image, Visit visit) {
  using T = typename Form::Position;
  constexpr size_t kKeys = kCacheLine / sizeof(T);
  const auto* positions = image.At<T>(image.positions_at);
  const size_t points = image.points;
  // Leaves under one child of the level.
  size_t leaves = 1;
  for (uint32_t level = image.splus_levels; level-- > 0;) {
    const size_t span = leaves * kKeys;  // points under one child
    const size_t children = (points + span - 1) / span;
    const size_t count = (children + kKeys) / (kKeys + 1);
    for (size_t i = 0; i < count * kKeys; ++i) {
      // The child's last point; the greatest position where no child follows,
      // so that no key goes beyond the last one.
      const size_t child = i / kKeys * (kKeys + 1) + i % kKeys;
      visit(level, i,
            child + 1 < children ? positions[(child + 1) * span - 1]
                                 : static_cast<T>(~T{0}));
    }
    leaves *= kKeys + 1;
  }
}

}  // namespace

void BuildEytzinger(RingImage* image) noexcept {
  ForForm(*image, [&](auto form) {
    using F = decltype(form);
    FillEytzinger<F>(image);
    const uint64_t entries = uint64_t{image->points} + 1;
    ZeroTail(image, image->search_at, entries * sizeof(typename F::Position));
    ZeroTail(image, image->search_owners_at,
             entries * sizeof(typename F::Owner));
  });
}

void BuildSplus(RingImage* image) noexcept {
  ForForm(*image, [&](auto form) {
    using T = typename decltype(form)::Position;
    WalkSplus<decltype(form)>(*image, [&](uint32_t level, size_t i, T p) {
      MutableAt<T>(image, image->splus_at[level])[i] = p;
    });
  });
}

bool EytzingerMatches(const RingImage& image) noexcept {
  return ForForm(image, [&](auto form) {
    using T = typename decltype(form)::Position;
    using Owner = typename decltype(form)::Owner;
    const auto* positions = image.At<T>(image.positions_at);
    const auto* owners = image.At<Owner>(image.owners_at);
    const auto* tree = image.At<T>(image.search_at);
    const auto* tree_owners = image.At<Owner>(image.search_owners_at);
    bool matches = tree[0] == 0 && tree_owners[0] == owners[image.points];
    WalkEytzinger(image.points, [&](size_t k, size_t i) {
      matches &= tree[k] == positions[i] && tree_owners[k] == owners[i];
    });
    const uint64_t entries = uint64_t{image.points} + 1;
    return matches &&
           HasZeroTail(image, image.search_at, entries * sizeof(T)) &&
           HasZeroTail(image, image.search_owners_at, entries * sizeof(Owner));
  });
}

bool SplusMatches(const RingImage& image) noexcept {
  return ForForm(image, [&](auto form) {
    using T = typename decltype(form)::Position;
    bool matches = true;
    WalkSplus<decltype(form)>(image, [&](uint32_t level, size_t i, T p) {
      matches &= image.At<T>(image.splus_at[level])[i] == p;
    });
    return matches;
  });
}

}  // namespace clockwise
