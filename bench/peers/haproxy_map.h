// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// HAProxy's `hash-type map-based`: map_get_server_hash, which takes a pointer
// to a server from a table by a division.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "members.h"

namespace clockwise::bench {

class HaproxyMapTable {
 public:
  using Hash = uint32_t;

  static Members MembersOf() {
    Members members = PeerMembers("haproxy-map");
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      members.nodes[i].weight = Weight::Whole(1 + i % 8);
    }
    return members;
  }

  explicit HaproxyMapTable(const Members& members)
      : servers_(members.nodes.size()) {
    for (NodeIndex i = 0; i < servers_.size(); ++i) {
      servers_[i] = {i, 1 + static_cast<int>(i % 8), 0};
      total_weight_ += 1 + i % 8;
    }
    for (uint32_t slot = 0; slot < total_weight_; ++slot) Fill();
  }

  // sdbm alone, as where no function is named.
  static Hash HashOf(std::string_view key) {
    uint32_t hash = 0;
    for (const char c : key) {
      hash = static_cast<uint8_t>(c) + (hash << 6) + (hash << 16) - hash;
    }
    return hash;
  }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    return map_[hash % total_weight_]->number;
  }

 private:
  struct Server {
    NodeIndex number;
    int weight;
    int score;
  };

  // The next slot, as recalc_server_map gives it away.
  void Fill() {
    const int total = static_cast<int>(total_weight_);
    Server* best = nullptr;
    int most = 0;
    for (Server& server : servers_) {
      server.score += server.weight;
      const int turns = (server.score + total) / total;
      if (best == nullptr || turns > most) best = &server, most = turns;
    }
    best->score -= total;
    map_.push_back(best);
  }

  std::vector<Server> servers_;
  std::vector<const Server*> map_;
  uint32_t total_weight_ = 0;
};

}  // namespace clockwise::bench
