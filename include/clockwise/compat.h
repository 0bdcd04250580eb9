// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings and other placements that answer bit for bit as existing systems
// ("peers") do; in the library clockwise-compat.
#pragma once

#include "clockwise/detail/api.h"
#include "clockwise/scheme.h"
#include "clockwise/status.h"

namespace clockwise {

// Registers the schemes of peers (Schemes() lists them) and their key hashes,
// so that members may name them. BuildPlacement builds all of them, BuildRing
// those that are rings: ordinary ones, with the peer's points and key hash.
// Owner(key) is the peer's answer.
// Called again, it does nothing. Refuses only where a program has registered
// others under their names or numbers. Any thread.
//
// The nodes are taken in the order of the list. Name, layout and max_points are
// as for other rings; the scheme decides all else. Weights are read by the
// peer's rule: where it has whole weights others are kBadWeight, and where it
// has none, all but 1 and 0; a node of weight 0 has no points, unless the peer
// gives it some. kInvalidOptions and kBadNode for parameters that it cannot
// read.
CW_API Status RegisterPeerSchemes();

}  // namespace clockwise
