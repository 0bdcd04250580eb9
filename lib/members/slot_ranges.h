// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Which slots nodes have, as their parameter "slots" lists them: "0-5460,6000".
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "members/number_param.h"

namespace clockwise {

struct SlotRange {
  uint32_t first;
  uint32_t last;
};

// "5", or "0-5460"; none for what is no range of slots below `slots`.
inline std::optional<SlotRange> ParseSlotRange(std::string_view text,
                                               uint32_t slots) {
  const size_t dash = text.find('-');
  const auto first = ParseUnsigned(text.substr(0, dash));
  const auto last = dash == std::string_view::npos
                        ? first
                        : ParseUnsigned(text.substr(dash + 1));
  if (!first || !last || *first > *last || *last >= slots) return std::nullopt;
  return SlotRange{static_cast<uint32_t>(*first), static_cast<uint32_t>(*last)};
}

// The node of each slot, by its place in the list; kNoNode where none has it,
// and an empty table where no node lists any. kBadNode, naming node and slot,
// for what is no range and for a slot of two nodes.
inline Result<std::vector<NodeIndex>> ReadSlots(const Members& members,
                                                uint32_t slots) {
  std::vector<NodeIndex> owners;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const Node& node = members.nodes[i];
    std::string_view list = ParamOf(node.params, "slots").value_or("");
    while (!list.empty()) {
      const std::string_view text = CutFirst(list);
      const auto range = ParseSlotRange(text, slots);
      if (!range) {
        return BadNodeParam(node, "slots",
                            "'" + std::string(text) + "'; a range below " +
                                std::to_string(slots) + ", as 0-99,");
      }
      owners.resize(slots, kNoNode);
      const auto begin = owners.begin() + range->first;
      const auto end = owners.begin() + range->last + 1;
      const auto taken =
          std::find_if(begin, end, [](NodeIndex n) { return n != kNoNode; });
      if (taken != end) {
        return Status(Code::kBadNode,
                      "node '" + node.id + "': slot " +
                          std::to_string(taken - owners.begin()) + " is of '" +
                          members.nodes[*taken].id + "' as well");
      }
      std::fill(begin, end, static_cast<NodeIndex>(i));
    }
  }
  return owners;
}

}  // namespace clockwise
