// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// spymemcached's KetamaNodeLocator: a TreeMap from position to node, which like
// std::map is a red-black tree. Left out, in the peer's favour: its numbers are
// objects, and it asks for an equal key before it asks for the next.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compat/hash/md5_digest.h"
#include "md5_points.h"
#include "members.h"

namespace clockwise::bench {

class SpymemcachedTree {
 public:
  using Hash = uint32_t;

  static Members MembersOf() { return PeerMembers("spymemcached-ketama"); }

  explicit SpymemcachedTree(const Members& members) {
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      servers_.push_back(std::make_unique<const Server>(Server{i}));
      ForMd5Points(members.nodes[i].id, kPeerDigests, [this](uint32_t word) {
        tree_[word] = servers_.back().get();
      });
    }
  }

  static Hash HashOf(std::string_view key) {
    return compat_internal::Md5(key).words[0];
  }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    auto found = tree_.lower_bound(hash);
    if (found == tree_.end()) found = tree_.begin();
    return found->second->number;
  }

  [[nodiscard]] std::vector<Hash> Positions() const {
    std::vector<Hash> positions;
    for (const auto& [position, server] : tree_) positions.push_back(position);
    return positions;
  }

 private:
  struct Server {
    NodeIndex number;
  };

  std::vector<std::unique_ptr<const Server>> servers_;
  std::map<uint32_t, const Server*> tree_;
};

}  // namespace clockwise::bench
