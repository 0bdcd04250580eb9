// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The circle cut into arcs wherever one of several rings has a point: whatever
// those rings answer, they answer it for all hashes of an arc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "clockwise/balance.h"
#include "clockwise/ring.h"

namespace clockwise {

// Walks the points of a ring, those of one position in one step. A 32-bit ring
// compares the high halves of hashes only: its arcs end with the low half full.
class ArcCursor {
 public:
  explicit ArcCursor(const Ring& ring)
      : ring_(ring),
        points_(ring.point_count()),
        low_(ring.width() == 32 ? 0xFFFFFFFF : 0),
        end_(points_ != 0 ? EndOf(0) : 0) {}

  // Past the last point.
  [[nodiscard]] bool is_over() const noexcept { return point_ == points_; }
  // The last hash of the arc; of what is not over.
  [[nodiscard]] uint64_t end() const noexcept { return end_; }
  // The point that owns what comes after the last step: the first one again
  // where that is over, 0 too where there are none.
  [[nodiscard]] size_t point() const noexcept { return is_over() ? 0 : point_; }
  // The end of the last arc; 0 if there are none.
  [[nodiscard]] uint64_t last() const noexcept {
    return points_ != 0 ? EndOf(points_ - 1) : 0;
  }
  // Steps over what ends at `end`, if anything does.
  void Pass(uint64_t end) noexcept {
    while (!is_over() && end_ == end) {
      if (++point_ < points_) end_ = EndOf(point_);
    }
  }

 private:
  [[nodiscard]] uint64_t EndOf(size_t point) const noexcept {
    return ring_.PositionAt(point) | low_;
  }

  const Ring& ring_;
  const size_t points_;
  const uint64_t low_;
  size_t point_ = 0;
  uint64_t end_;
};

// Calls f(begin, end, i, j) for each arc (begin, end] of both rings together:
// point i of `a` owns it, and point j of `b`; 0, which is no point, where there
// are none. The arc over the end of the circle is the first; where there is one
// alone it is the whole circle, (end, end]. O(points), without searching.
template <typename F>
void ForEachArc(const Ring& a, const Ring& b, F&& f) {
  ArcCursor in_a(a), in_b(b);
  uint64_t begin = std::max(in_a.last(), in_b.last());
  while (!in_a.is_over() || !in_b.is_over()) {
    const uint64_t end = in_a.is_over()   ? in_b.end()
                         : in_b.is_over() ? in_a.end()
                                          : std::min(in_a.end(), in_b.end());
    f(begin, end, in_a.point(), in_b.point());
    in_a.Pass(end);
    in_b.Pass(end);
    begin = end;
  }
}

// How many hashes are in (begin, end].
constexpr HashCount WidthOf(uint64_t begin, uint64_t end) noexcept {
  return begin != end ? HashCount{end - begin} : HashCount{1} << 64;
}

}  // namespace clockwise
