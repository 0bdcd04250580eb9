// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Builds and patches the lines of the `line` layout from sealed points.
#pragma once

#include <cstdint>
#include <span>

#include "clockwise/node.h"
#include "search/sections.h"

namespace clockwise {

// Fills lines and starts and sets `overflowed`. One pass over the points and
// one over the lines.
void BuildLines(RingImage* image) noexcept;

// One change of a ring's points: a point put before index `at` of the base's,
// or (`is_removal`) the base's point `at` taken away.
struct PointEdit {
  uint32_t at;
  NodeIndex slot;
  uint64_t position;  // left-aligned
  bool is_removal;
};

// As BuildLines, from the base that the points were merged from: copies its
// lines and rebuilds those that the edits (in ring order) touched. `image` and
// `base` have the same form and count of lines.
void PatchLines(RingImage* image, const RingImage& base,
                std::span<const PointEdit> edits) noexcept;

// Whether lines, starts, what fills them up and `overflowed` are as BuildLines
// makes them. The points are sealed and ascend, and `lines` is right. Reads
// nothing outside the image, whatever its bytes; allocates nothing.
bool LinesMatch(const RingImage& image) noexcept;

// Returns how many points would overflow if the image, of any layout, had so
// many lines.
uint32_t CountOverflow(const RingImage& image, uint32_t lines) noexcept;

}  // namespace clockwise
