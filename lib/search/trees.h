// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Builds `eytzinger` and `splus` from sealed points, in the parts placed for
// them.
#pragma once

#include "search/sections.h"

namespace clockwise {

void BuildEytzinger(RingImage* image) noexcept;
void BuildSplus(RingImage* image) noexcept;

// Whether the parts are as these functions make them, from points that are
// sealed. Reads nothing outside the image; allocates nothing.
bool EytzingerMatches(const RingImage& image) noexcept;
bool SplusMatches(const RingImage& image) noexcept;

}  // namespace clockwise
