// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Envoy's ring_hash: the entries and the search of
// RingHashLoadBalancer::Ring::chooseHost.
//
// Left out, in the peer's favour: the shared_ptr is not copied with the answer,
// so that no reference is counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hash/xxh_inline.h"
#include "ketama_search.h"
#include "members.h"

namespace clockwise::bench {

class EnvoyRing {
 public:
  using Hash = uint64_t;

  static Members MembersOf() {
    Members members = PeerMembers("envoy-ring-hash");
    members.options.params["minimum_ring_size"] =
        std::to_string(kPeerNodes * kPeerPoints);
    return members;
  }

  explicit EnvoyRing(const Members& members) {
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      const auto host = std::make_shared<const Host>(Host{i});
      const std::string& name = members.nodes[i].id;
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        ring_.push_back({HashOf(name + '_' + std::to_string(j)), host});
      }
    }
    std::sort(ring_.begin(), ring_.end(),
              [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
  }

  static Hash HashOf(std::string_view key) {
    return hash_internal::Xxh64Inline(key.data(), key.size(), 0);
  }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    const auto hash_at = [this](int64_t i) { return At(i).hash; };
    const auto size = static_cast<int64_t>(ring_.size());
    return At(KetamaSearch(size, hash, hash_at)).host->number;
  }

  [[nodiscard]] std::vector<Hash> Positions() const {
    std::vector<Hash> positions;
    for (const Entry& entry : ring_) positions.push_back(entry.hash);
    return positions;
  }

 private:
  struct Host {
    NodeIndex number;
  };
  struct Entry {
    uint64_t hash;
    std::shared_ptr<const Host> host;
  };
  static_assert(sizeof(Entry) == 24);

  [[nodiscard]] const Entry& At(int64_t i) const {
    return ring_[static_cast<size_t>(i)];
  }

  std::vector<Entry> ring_;
};

}  // namespace clockwise::bench
