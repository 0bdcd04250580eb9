// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How much each node owns of a sample of keys, where it is not told exactly
// (clockwise/balance.h).
#pragma once

#include <cstdint>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/balance.h"

namespace clockwise::tool {

// What each node owns of the keys that are 16 hex digits of a mixed counter:
// for placements of which it cannot be told exactly.
inline constexpr uint64_t kSampleKeys = uint64_t{1} << 20;
std::vector<uint64_t> CountSample(const AnyPlacement& placement);

// The numbers of its nodes, by ascending id.
std::vector<NodeIndex> NodesById(const AnyPlacement& placement);

}  // namespace clockwise::tool
