// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// libmemcached's KETAMA_WEIGHTED: its continuum, and the search of
// dispatch_host. A search alone cannot be asked of the library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compat/hash/md5_digest.h"
#include "md5_points.h"
#include "members.h"

namespace clockwise::bench {

class LibmemcachedRing {
 public:
  using Hash = uint32_t;

  static Members MembersOf() {
    return PeerMembers("libmemcached-ketama-weighted");
  }

  explicit LibmemcachedRing(const Members& members) {
    const uint32_t digests = DigestsOfEach(members.nodes.size());
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      ForMd5Points(PeerHost(i), digests, [this, i](uint32_t word) {
        continuum_.push_back({i, word});
      });
    }
    std::sort(continuum_.begin(), continuum_.end(),
              [](const Item& a, const Item& b) {
                return std::tie(a.value, a.index) < std::tie(b.value, b.index);
              });
  }

  static Hash HashOf(std::string_view key) {
    return compat_internal::Md5(key).words[0];
  }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    const Item* const begin = continuum_.data();
    const Item* const end = begin + continuum_.size();
    const Item* left = begin;
    const Item* right = end;
    while (left < right) {
      const Item* middle = left + (right - left) / 2;
      if (middle->value < hash) {
        left = middle + 1;
      } else {
        right = middle;
      }
    }
    if (right == end) right = begin;
    return right->index;
  }

  [[nodiscard]] std::vector<Hash> Positions() const {
    std::vector<Hash> positions;
    for (const Item& item : continuum_) positions.push_back(item.value);
    return positions;
  }

 private:
  struct Item {
    uint32_t index;
    uint32_t value;
  };
  static_assert(sizeof(Item) == 8);

  // Four points each, for a server of weight 1. Floats make 39 of 40 for 100
  // servers.
  static uint32_t DigestsOfEach(size_t servers) {
    const float all = static_cast<float>(servers);
    const float share = 1.0f / all;
    return static_cast<uint32_t>(share * 160.0f / 4 * all + 1e-10f);
  }

  std::vector<Item> continuum_;
};

}  // namespace clockwise::bench
