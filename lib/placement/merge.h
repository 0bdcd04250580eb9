// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The points of a changed ring, merged from those of its base.
#pragma once

#include <cstdint>
#include <vector>

#include "clockwise/ring_builder.h"
#include "placement/members.h"
#include "search/lines.h"
#include "search/sections.h"

namespace clockwise {

// How many points come or go on the way from the base to `list`.
uint64_t CountEdits(const MemberList& list);

// Finds each point that comes or goes, in ring order, ties of position by id.
// `table` is the base's.
std::vector<PointEdit> FindEdits(const RingOptions& options,
                                 const RingView& base, const NodeTable& table,
                                 const MemberList& list);

// Copies the base's points into the image's positions and owners and applies
// the edits; sets `collisions`. The forms are the same.
void MergePoints(RingImage* image, const RingImage& base,
                 const std::vector<PointEdit>& edits) noexcept;

}  // namespace clockwise
