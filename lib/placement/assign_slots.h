// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Which node owns which slot, as slots.h defines it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clockwise/node.h"

namespace clockwise {

struct SlotNode {
  uint64_t hash;    // of the id
  uint64_t weight;  // in thousandths, above 0
};

// `owners` has the owner of each slot until now, kNoNode for none, and gets the
// owner from now on. Not of 0 nodes; at most 2^24 slots.
void AssignSlots(std::span<const SlotNode> nodes, std::span<NodeIndex> owners);

}  // namespace clockwise
