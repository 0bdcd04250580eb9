// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A large change cut into small ones: 8 nodes become 12 one by one, and each
// step says how much it moves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/members.h"
#include "clockwise/plan.h"
#include "clockwise/status.h"

namespace clockwise {

struct RollingOptions {
  uint32_t at_a_time = 1;  // nodes that a step changes, at most; 1 or more
  uint32_t replicas = 1;   // 1 to 16, as of a MigrationPlan
};

// How much one node gains or loses in a step.
struct NodeFlow {
  std::string id;  // "" where none does
  HashCount hashes = 0;
};

struct RollingStep {
  Members members;  // once it is done; epoch 0 but in the last step
  // Ids. Changed are those whose weight, labels, address or parameters are.
  std::vector<std::string> added, changed, removed;
  HashCount moved = 0;
  NodeFlow most_in, most_out;  // the smallest id of equals
};

// Returns the steps in order: nodes are added by ascending id, then changed,
// then removed, so that capacity comes before it goes. None if the nodes are
// alike. The last step has the members `after` themselves.
//
// kInvalidOptions for options out of range, and where the members differ in
// more than nodes (but the epoch and the layout), by the name of the field;
// otherwise refuses as BuildRing does, also what members in between are
// refused for. kOutOfMemory. O(steps * points of a ring).
CW_API Result<std::vector<RollingStep>> PlanRolling(
    const Members& before, const Members& after,
    const RollingOptions& options = {});

}  // namespace clockwise
