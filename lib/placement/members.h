// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Who is in the next ring, in which slot, with how many points.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clockwise/node.h"
#include "clockwise/ring_builder.h"
#include "clockwise/status.h"
#include "placement/check_node.h"
#include "placement/node_table.h"

namespace clockwise {

struct MemberList {
  std::vector<Member> members;  // by ascending id, all with slots
  std::vector<Member> removed;  // of the base, gone from the ring
  uint32_t slots = 0;           // holes included
  uint32_t points = 0;
  uint32_t owners = 0;  // members that have points
};

// The changes of a builder, by id: the node as it will be, none if removed.
struct MemberChange {
  std::optional<Node> node;
  std::string params;                              // the node's, packed
  std::optional<std::vector<uint64_t>> positions;  // explicit, ascending
  uint64_t order = 0;                              // of additions with points
};
using MemberChanges = std::map<std::string, MemberChange, std::less<>>;

// "ring 'sessions'", or "ring" where it has no name: for messages.
inline std::string RingTitle(const RingOptions& options) {
  return Title("ring", options.name);
}

// Merges `changes` into the members of `base` (null: none) and counts points.
// Refuses too many slots or points. Allocates by the number of members only.
Result<MemberList> ListMembers(const RingOptions& options,
                               const NodeTable* base,
                               const MemberChanges& changes);

}  // namespace clockwise
