// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// nginx's `hash KEY`: ngx_http_upstream_get_hash_peer, which walks its list of
// servers. Left out, in the peer's favour: whether a server was tried, is down
// or has failed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "members.h"
#include "nginx.h"

namespace clockwise::bench {

class NginxHash {
 public:
  using Hash = uint32_t;
  static constexpr int kHashBits = 15;

  static Members MembersOf() {
    Members members = PeerMembers("nginx-hash");
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      members.nodes[i].weight = Weight::Whole(WeightOf(i));
    }
    return members;
  }

  explicit NginxHash(const Members& members) : servers_(members.nodes.size()) {
    for (NodeIndex i = 0; i < servers_.size(); ++i) {
      servers_[i].number = i;
      servers_[i].weight = WeightOf(i);
      total_weight_ += WeightOf(i);
      if (i > 0) servers_[i - 1].next = &servers_[i];
    }
  }

  static Hash HashOf(std::string_view key) {
    return NginxRing::HashOf(key) >> 16 & 0x7FFF;
  }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    uint64_t w = hash % total_weight_;
    const Server* server = servers_.data();
    while (w >= server->weight) {
      w -= server->weight;
      server = server->next;
    }
    return server->number;
  }

 private:
  // Neighbours in memory, as nginx allocates them, and about as large.
  struct Server {
    char address_and_counts[64] = {};
    uint64_t weight = 0;
    char state[112] = {};
    const Server* next = nullptr;
    NodeIndex number = 0;
  };

  static uint32_t WeightOf(NodeIndex i) { return 1 + i % 8; }

  std::vector<Server> servers_;
  uint64_t total_weight_ = 0;
};

}  // namespace clockwise::bench
