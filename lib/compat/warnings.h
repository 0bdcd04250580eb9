// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The traps of peers, where members step into them: a sentence each.
#pragma once

#include <string>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/members.h"
#include "compat/peer_ring.h"

namespace clockwise::compat_internal {

using Warnings = std::vector<std::string>;

// Of every ring: nodes that have a weight and no points, and points on the
// position of another node's. `points` are what the ring was made of.
void WarnOfRing(const Members& members, const AnyPlacement& built,
                const PeerRing& points, Warnings& warnings);
// Nodes of which the floats of ketama lose points.
void WarnOfFloats(const Members& members, Warnings& warnings);
// Servers of HAProxy whose ids are equal modulo 2^20.
void WarnOfPuids(const Members& members, Warnings& warnings);

// Nodes that have a weight and no slot of the table.
void WarnOfNoSlots(const Members& members, const AnyPlacement& built,
                   Warnings& warnings);
// Nodes of weight 0 that own keys all the same.
void WarnOfZeroWeights(const Members& members, const AnyPlacement& built,
                       Warnings& warnings);
// Weights that are not looked at.
void WarnOfIgnoredWeights(const Members& members, const AnyPlacement& built,
                          Warnings& warnings);
// Servers of nginx that 15 bits of hash do not reach.
void WarnOfShortHash(const Members& members, const AnyPlacement& built,
                     Warnings& warnings);
// Slots of Redis that no master has.
void WarnOfUnassigned(const Members& members, const AnyPlacement& built,
                      Warnings& warnings);

}  // namespace clockwise::compat_internal
