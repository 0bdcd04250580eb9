// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings of wanted members, and what health makes of them.
#pragma once

#include <cstdint>

#include "clockwise/health.h"
#include "clockwise/members.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// Builds the ring of `wanted` under `epoch`. Slots of nodes that `serving` has
// stay theirs, where both are rings of clockwise-1 and of one recipe; it may be
// null. Refuses as BuildRing does.
Result<Ring> BuildWanted(const Members& wanted, uint64_t epoch,
                         const Ring* serving);

// Whether some node is at less than its full level. `health` may be null.
bool IsReduced(const Ring& wanted, const HealthTracker* health);

// Builds what serves in place of `wanted`: each node with its level of its
// weight, and at least a thousandth unless that level is 0.
Result<Ring> BuildReduced(const Ring& wanted, const HealthTracker* health,
                          uint64_t local);

}  // namespace clockwise
