// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A ring as articles in C++ write it: std::map from FNV-1a-32 of "node#i" to
// the name of the node, searched by lower_bound.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "members.h"

namespace clockwise::bench {

class ArticleMap {
 public:
  using Hash = uint32_t;

  static Members MembersOf() {
    Members members = PeerMembers("article-cpp-fnv1a");
    members.options.params["virtual_nodes"] = std::to_string(kPeerPoints);
    return members;
  }

  explicit ArticleMap(const Members& members) {
    for (const Node& node : members.nodes) {
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        names_.emplace(HashOf(node.id + '#' + std::to_string(j)), node.id);
      }
    }
  }

  static Hash HashOf(std::string_view key) {
    uint32_t hash = 2166136261;
    for (const char c : key) {
      hash = (hash ^ static_cast<uint8_t>(c)) * 16777619;
    }
    return hash;
  }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    auto found = names_.lower_bound(hash);
    if (found == names_.end()) found = names_.begin();
    return PeerNodeNumber(found->second);
  }

  [[nodiscard]] std::vector<Hash> Positions() const {
    std::vector<Hash> positions;
    for (const auto& [position, name] : names_) positions.push_back(position);
    return positions;
  }

 private:
  std::map<uint32_t, std::string> names_;
};

}  // namespace clockwise::bench
