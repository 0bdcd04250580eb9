// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/arcs.h"

#include <algorithm>
#include <iterator>

namespace clockwise {

std::vector<uint64_t> ArcEnds(const Ring& ring) {
  const uint64_t low = ring.width() == 32 ? 0xFFFFFFFF : 0;
  std::vector<uint64_t> ends;
  ends.reserve(ring.point_count());
  for (size_t i = 0; i < ring.point_count(); ++i) {
    const uint64_t end = ring.PositionAt(i) | low;
    if (ends.empty() || ends.back() != end) ends.push_back(end);
  }
  return ends;
}

std::vector<uint64_t> ArcEnds(const Ring& a, const Ring& b) {
  const std::vector<uint64_t> of_a = ArcEnds(a);
  const std::vector<uint64_t> of_b = ArcEnds(b);
  std::vector<uint64_t> ends;
  ends.reserve(of_a.size() + of_b.size());
  std::ranges::set_union(of_a, of_b, std::back_inserter(ends));
  return ends;
}

}  // namespace clockwise
