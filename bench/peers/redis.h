// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Redis Cluster: the array of 16,384 pointers to nodes that getNodeByQuery
// reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "members.h"
#include "redis_slot.h"

namespace clockwise::bench {

class RedisSlotTable {
 public:
  using Hash = uint32_t;
  static constexpr int kHashBits = 14;

  static Members MembersOf() {
    Members members = PeerMembers("redis-slots");
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      members.nodes[i].params["slots"] = std::to_string(FirstSlot(i)) + '-' +
                                         std::to_string(FirstSlot(i + 1) - 1);
    }
    return members;
  }

  explicit RedisSlotTable(const Members& members)
      : nodes_(members.nodes.size()), slots_(kSlots) {
    for (NodeIndex i = 0; i < nodes_.size(); ++i) {
      nodes_[i].number = i;
      for (uint32_t slot = FirstSlot(i); slot < FirstSlot(i + 1); ++slot) {
        slots_[slot] = &nodes_[i];
      }
    }
  }

  static Hash HashOf(std::string_view key) { return RedisLoop(key); }
  [[nodiscard]] NodeIndex Owner(Hash slot) const {
    return slots_[slot]->number;
  }

 private:
  static constexpr uint32_t kSlots = 1u << kHashBits;

  struct ClusterNode {
    NodeIndex number;
  };

  static uint32_t FirstSlot(NodeIndex i) { return i * kSlots / kPeerNodes; }

  std::vector<ClusterNode> nodes_;
  std::vector<const ClusterNode*> slots_;
};

}  // namespace clockwise::bench
