// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The clockwise walk over distinct nodes. Start it with RingView::Clockwise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "clockwise/detail/api.h"
#include "clockwise/detail/ring_image.h"
#include "clockwise/node.h"

namespace clockwise {

// Meets each node that has points once, in the order in which its first point
// comes clockwise. Takes at most one turn, and ends early when every node was
// met. Never allocates; one walk belongs to one thread.
//
// Cost: O(1) a point while slots are below 1,024; on larger rings a node whose
// bit was taken by another is told apart by looking back along the points
// walked: a whole turn is then quadratic. SpreadIndex::Clockwise (spread.h) has
// the same nodes in linear time.
class DistinctWalk {
 public:
  DistinctWalk(const detail::RingImage* image, size_t first_point) noexcept
      : image_(image), first_(first_point) {}

  // Returns the next node not met before; kNoNode when there is none left.
  CW_API NodeIndex Next() noexcept;

 private:
  template <typename OwnerType>
  NodeIndex NextIn(const OwnerType* owners) noexcept;
  [[nodiscard]] bool TestAndSetMet(NodeIndex node) noexcept;

  const detail::RingImage* image_;
  size_t first_;         // index of the point the walk began at
  uint32_t walked_ = 0;  // points passed
  uint32_t met_count_ = 0;
  std::array<uint64_t, 16> met_{};  // a bit for each slot modulo 1,024
};

struct NoExclusion {
  constexpr bool operator()(NodeIndex) const noexcept { return false; }
};

// A range over a walk, to be iterated once.
template <typename Exclude, typename WalkType = DistinctWalk>
class ClockwiseRange {
 public:
  ClockwiseRange(WalkType walk, Exclude is_excluded) noexcept
      : walk_(walk), is_excluded_(std::move(is_excluded)) {}

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = NodeIndex;
    using difference_type = std::ptrdiff_t;
    using pointer = const NodeIndex*;
    using reference = NodeIndex;

    Iterator() = default;
    explicit Iterator(ClockwiseRange* range) noexcept : range_(range) {
      ++*this;
    }
    NodeIndex operator*() const noexcept { return node_; }
    Iterator& operator++() noexcept {
      do {
        node_ = range_->walk_.Next();
      } while (node_ != kNoNode && range_->is_excluded_(node_));
      return *this;
    }
    void operator++(int) noexcept { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return it.node_ == kNoNode;
    }

   private:
    ClockwiseRange* range_ = nullptr;
    NodeIndex node_ = kNoNode;
  };

  [[nodiscard]] Iterator begin() noexcept { return Iterator(this); }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  WalkType walk_;
  Exclude is_excluded_;
};

}  // namespace clockwise
