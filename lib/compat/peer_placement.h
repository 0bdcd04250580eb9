// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A peer's placement that is no ring, on its way to an ordinary one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/compat_hash.h"
#include "clockwise/members.h"
#include "clockwise/rule_placement.h"
#include "compat/key_hashers.h"

namespace clockwise::compat_internal {

// Nodes by their place in the list.
struct PeerPlacement {
  // Gives `node` the next `slots` of the table; kTooManyPoints where it grows
  // beyond 2^27.
  Status Add(size_t node, uint64_t slots = 1);

  // None: the peer does not hash keys as a function of the key alone; the
  // members say how.
  std::optional<PeerHash> key_hash;
  KeyRule key_rule = {};
  // The peer orders nodes by itself: their order in the list means nothing.
  // For tables only.
  bool sorts_nodes = false;
  // Either a table of owners, asked by hash mod size, or a rule.
  std::vector<NodeIndex> owners = {};
  std::unique_ptr<OwnerRule> rule = nullptr;
};

// The owners are hash mod n of all nodes, or of those that are not drained.
Result<PeerPlacement> OneSlotEach(const Members& members, PeerHash key_hash,
                                  bool with_drained);

// The placement of the members' scheme from what was made of them.
Result<AnyPlacement> Assemble(const Members& members, PeerPlacement&& peer,
                              BlockSource* source);

}  // namespace clockwise::compat_internal
