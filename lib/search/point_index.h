// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Where a hash falls among the sorted points, whatever the layout.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/detail/ring_image.h"

namespace clockwise {

// Returns the index of the first point at or after `hash`; the number of points
// past the last one. Uses the layout where it helps. O(log points).
size_t PointIndex(const detail::RingImage& image, uint64_t hash) noexcept;

}  // namespace clockwise
