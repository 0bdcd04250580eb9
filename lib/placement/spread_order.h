// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Replicas by topology of any count, sorted rather than chosen one by one.
#pragma once

#include <cstdint>
#include <span>

#include "clockwise/spread.h"

namespace clockwise {

// Writes the replicas that come first in `walk` to `nodes`, as many as there is
// room for; the rule of spread.h. Sets `count`, what they share, and
// `is_relaxed` if zones beyond `quotas` had to help. Counts of `scratch` must
// suffice. O(nodes log points).
SpreadAnswer OrderBySpread(const detail::SpreadTables& tables, NodeWalk walk,
                           std::span<const detail::ZoneQuota> quotas,
                           const detail::Exclusion& exclusion,
                           SpreadScratch& scratch,
                           std::span<NodeIndex> nodes) noexcept;

}  // namespace clockwise
