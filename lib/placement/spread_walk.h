// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The next point that a walk has not met the node of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/detail/ring_image.h"
#include "clockwise/detail/spread_tables.h"
#include "clockwise/node.h"

namespace clockwise {

// Returns the first point from `i` (at most the number of points) on whose node
// was last before `bound`, as SpreadTables::before counts; the number of points
// or more if there is none. Climbs the tree of least values only as far as it
// must: O(log distance).
inline size_t FirstBefore(const detail::SpreadTables& tables, size_t i,
                          uint32_t bound) noexcept {
  constexpr size_t kFan = detail::kSpreadFan;
  uint32_t level = 0;
  while (true) {
    const uint32_t* least = tables.before[level];
    const size_t end = (i / kFan + 1) * kFan;
    while (i < end && least[i] >= bound) ++i;
    if (i < end) break;
    if (++level == tables.levels) return tables.points;
    i /= kFan;
  }
  while (level > 0) {
    const uint32_t* least = tables.before[--level];
    i *= kFan;
    while (least[i] >= bound) ++i;
  }
  return i;
}

inline NodeIndex OwnerOfPoint(const detail::RingImage& image,
                              size_t i) noexcept {
  return image.is_wide != 0 ? image.At<uint32_t>(image.owners_at)[i]
                            : image.At<uint16_t>(image.owners_at)[i];
}

}  // namespace clockwise
