// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// HAProxy's `hash-type consistent`: the tree of server entries, and the search
// of chash_get_server_hash, which takes the nearer of two neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "clockwise/node.h"
#include "eb_tree.h"
#include "members.h"

namespace clockwise::bench {

class HaproxyRing {
 public:
  using Hash = uint32_t;

  static Members MembersOf() {
    Members members = PeerMembers("haproxy-consistent");
    for (Node& node : members.nodes) node.weight = Weight::Whole(kWeight);
    return members;
  }

  explicit HaproxyRing(const Members& members)
      : servers_(members.nodes.size()) {
    for (NodeIndex i = 0; i < servers_.size(); ++i) {
      Server& server = servers_[i];
      server.number = i;
      server.entries = std::make_unique<EbRecord[]>(kPeerPoints);
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        server.entries[j].owner = &server;
        server.entries[j].key = FullHash((i + 1) * 4096 + j);
        tree_.Insert(server.entries[j]);
      }
    }
  }

  // sdbm and avalanche, as where no function is named.
  static Hash HashOf(std::string_view key) {
    uint32_t hash = 0;
    for (const char c : key) {
      hash = static_cast<uint8_t>(c) + (hash << 6) + (hash << 16) - hash;
    }
    return FullHash(hash);
  }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    const EbRecord* next = tree_.AtOrAfter(hash);
    if (next == nullptr) next = tree_.First();
    const EbRecord* before = tree_.Before(*next);
    if (before == nullptr) before = tree_.Last();
    if (hash - before->key <= next->key - hash) next = before;
    return static_cast<const Server*>(next->owner)->number;
  }

  [[nodiscard]] std::vector<Hash> Positions() const {
    std::vector<Hash> positions;
    for (const Server& server : servers_) {
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        positions.push_back(server.entries[j].key);
      }
    }
    return positions;
  }

 private:
  // Points of a server are 16 times its weight.
  static constexpr uint32_t kWeight = kPeerPoints / 16;

  struct Server {
    NodeIndex number;
    std::unique_ptr<EbRecord[]> entries;
  };

  // full_hash of HAProxy.
  static uint32_t FullHash(uint32_t a) {
    a = (a + 0x7ED55D16) + (a << 12);
    a = (a ^ 0xC761C23C) ^ (a >> 19);
    a = (a + 0x165667B1) + (a << 5);
    a = (a + 0xD3A2646C) ^ (a << 9);
    a = (a + 0xFD7046C5) + (a << 3);
    a = (a ^ 0xB55A4F09) ^ (a >> 16);
    return a * 3221225473u;
  }

  std::vector<Server> servers_;
  EbTree tree_;
};

}  // namespace clockwise::bench
