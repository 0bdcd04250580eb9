// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Points of a full build: collected in order of (id, i), sorted by position.
//
// A stable radix sort over the top bits of the positions, least significant
// digit first, keeps that order among equal ones, which is the total order of
// the scheme. Two digits of 11 bits leave hashed positions all but sorted; the
// last pass puts the rest in order, and gives runs that agree in all of those
// bits (clustered positions) to a comparison sort.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "clockwise/block_source.h"
#include "clockwise/node.h"
#include "search/sections.h"

namespace clockwise {

template <int kWidth>
struct Point;
template <>
struct Point<32> {
  uint64_t bits;
  Point(uint64_t position, NodeIndex slot) : bits(position | slot) {}
  [[nodiscard]] uint32_t position() const {
    return static_cast<uint32_t>(bits >> 32);
  }
  [[nodiscard]] NodeIndex slot() const { return static_cast<uint32_t>(bits); }
};
template <>
struct Point<64> {
  uint64_t bits;
  NodeIndex owner;
  Point(uint64_t position, NodeIndex slot) : bits(position), owner(slot) {}
  [[nodiscard]] uint64_t position() const { return bits; }
  [[nodiscard]] NodeIndex slot() const { return owner; }
};

// Sorts up to `capacity` points into an image's positions and owners.
template <typename Form>
class PointSorter {
  using P = Point<Form::kWidth>;
  using T = typename Form::Position;
  using Owner = typename Form::Owner;
  static constexpr uint32_t kDigitBits = 11;
  static constexpr uint32_t kDigits = 1u << kDigitBits;
  static constexpr size_t kMaxPasses = 3;

 public:
  // Scratch memory comes from `source`; ok() tells whether it came.
  PointSorter(size_t capacity, BlockSource& source)
      : capacity_(capacity),
        passes_(capacity <= size_t{1} << 21 ? 2 : 3),
        scratch_(Block::Acquire(source,
                                std::max<size_t>(capacity, 1) * 2 * sizeof(P))),
        points_(static_cast<P*>(scratch_.data())) {}

  [[nodiscard]] bool ok() const { return scratch_.data() != nullptr; }

  // `position` is left-aligned; a 32-bit ring drops its low half.
  void Add(uint64_t position, NodeIndex slot) {
    if constexpr (Form::kWidth == 32) position &= ~uint64_t{0xFFFFFFFF};
    std::construct_at(points_ + size_++, position, slot);
    for (size_t pass = 0; pass < passes_; ++pass) {
      ++counts_[pass][Digit(position, pass)];
    }
  }

  // Call once, with all points added. Returns how many of them have the
  // position of the one before.
  uint32_t SortInto(T* positions, Owner* owners) {
    P* from = points_;
    P* to = points_ + capacity_;
    for (size_t pass = 0; pass + 1 < passes_; ++pass, std::swap(from, to)) {
      Offsets(pass);
      for (size_t i = 0; i < size_; ++i) {
        to[counts_[pass][Digit(Aligned(from[i]), pass)]++] = from[i];
      }
    }
    const size_t last = passes_ - 1;
    Offsets(last);
    for (size_t i = 0; i < size_; ++i) {
      const uint32_t at = counts_[last][Digit(Aligned(from[i]), last)]++;
      positions[at] = from[i].position();
      owners[at] = static_cast<Owner>(from[i].slot());
    }
    PutInOrder(positions, owners);
    uint32_t collisions = 0;
    for (size_t i = 1; i < size_; ++i) {
      collisions += positions[i - 1] == positions[i];
    }
    return collisions;
  }

 private:
  static uint64_t Aligned(const P& point) { return point.bits; }

  // The digits are the top bits of the 64: the last pass takes the highest. In
  // a 32-bit ring the first of three reaches below the position, where the slot
  // is packed: it is masked out by starting at bit 32.
  [[nodiscard]] uint32_t Digit(uint64_t bits, size_t pass) const {
    constexpr uint32_t kLowest = Form::kWidth == 32 ? 32 : 0;
    const auto above = static_cast<uint32_t>((passes_ - pass) * kDigitBits);
    const uint32_t shift = std::max(64 - above, kLowest);
    return static_cast<uint32_t>(bits >> shift) & (kDigits - 1);
  }

  // Turns the counts of a pass into where each digit's points begin.
  void Offsets(size_t pass) {
    uint32_t sum = 0;
    for (uint32_t& count : counts_[pass]) {
      sum += count;
      count = sum - count;
    }
  }

  [[nodiscard]] uint64_t SortedBits(T position) const {
    const auto bits = static_cast<uint32_t>(passes_ * kDigitBits);
    constexpr uint32_t kWidth = Form::kWidth;
    return bits >= kWidth ? position : position >> (kWidth - bits);
  }

  // Positions are sorted by their sorted bits: finishes by insertion.
  void PutInOrder(T* positions, Owner* owners) {
    for (size_t i = 1; i < size_; ++i) {
      if (positions[i - 1] <= positions[i]) continue;
      i = SortRun(positions, owners, i);
    }
  }

  // Sorts the whole run of equal sorted bits around `i`; returns its last
  // index.
  size_t SortRun(T* positions, Owner* owners, size_t i) {
    constexpr size_t kShort = 32;
    const uint64_t bits = SortedBits(positions[i]);
    size_t first = i;
    while (first > 0 && SortedBits(positions[first - 1]) == bits) --first;
    size_t end = i + 1;
    while (end < size_ && SortedBits(positions[end]) == bits) ++end;
    if (end - first > kShort) {
      SortLongRun(positions, owners, first, end);
      return end - 1;
    }
    for (size_t k = i; k < end; ++k) Insert(positions, owners, first, k);
    return end - 1;
  }

  static void Insert(T* positions, Owner* owners, size_t first, size_t k) {
    const T position = positions[k];
    const Owner owner = owners[k];
    for (; k > first && positions[k - 1] > position; --k) {
      positions[k] = positions[k - 1];
      owners[k] = owners[k - 1];
    }
    positions[k] = position;
    owners[k] = owner;
  }

  void SortLongRun(T* positions, Owner* owners, size_t first, size_t end) {
    // The scratch is free again.
    P* run = points_;
    for (size_t k = first; k < end; ++k) {
      std::construct_at(run + k, detail::ToLeftAligned(positions[k]),
                        owners[k]);
    }
    std::stable_sort(run + first, run + end, [](const P& a, const P& b) {
      return a.position() < b.position();
    });
    for (size_t k = first; k < end; ++k) {
      positions[k] = run[k].position();
      owners[k] = static_cast<Owner>(run[k].slot());
    }
  }

  size_t capacity_;
  size_t passes_;
  Block scratch_;
  P* points_;
  size_t size_ = 0;
  std::array<std::array<uint32_t, kDigits>, kMaxPasses> counts_{};
};

}  // namespace clockwise
