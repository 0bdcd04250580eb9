// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The circle cut into arcs wherever one of several rings has a point: whatever
// those rings answer, they answer it for all hashes of an arc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clockwise/ring.h"

namespace clockwise {

// The last hash of each arc, ascending and distinct. A 32-bit ring compares the
// high halves only: there they end with the low half full. O(points). May throw
// std::bad_alloc.
std::vector<uint64_t> ArcEnds(const Ring& ring);
std::vector<uint64_t> ArcEnds(const Ring& a, const Ring& b);

// Calls f(begin, end) for each arc (begin, end], the one over the end of the
// circle first. Where there is one alone it is the whole circle, (end, end].
template <typename F>
void ForEachArc(const std::vector<uint64_t>& ends, F&& f) {
  for (size_t i = 0; i < ends.size(); ++i) {
    f(i == 0 ? ends.back() : ends[i - 1], ends[i]);
  }
}

__extension__ using ArcWidth = unsigned __int128;

// How many hashes are in (begin, end].
constexpr ArcWidth WidthOf(uint64_t begin, uint64_t end) noexcept {
  return begin != end ? ArcWidth{end - begin} : ArcWidth{1} << 64;
}

}  // namespace clockwise
