// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// twemproxy: ketama_dispatch has the structure and the loop of libmemcached,
// but another key hash; modula_dispatch looks into a table of the same items.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compat/hash/memcached.h"
#include "libmemcached.h"
#include "members.h"

namespace clockwise::bench {

class TwemproxyRing : public LibmemcachedRing {
 public:
  using LibmemcachedRing::LibmemcachedRing;
  static Members MembersOf() { return PeerMembers("twemproxy-ketama"); }
  static Hash HashOf(std::string_view key) {
    return compat_internal::Fnv1a64Signed(key);
  }
};

class TwemproxyModula {
 public:
  using Hash = uint32_t;

  static Members MembersOf() { return PeerMembers("twemproxy-modula"); }

  explicit TwemproxyModula(const Members& members) {
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      continuum_.push_back({i, 0});
    }
    size_ = static_cast<uint32_t>(continuum_.size());
  }

  static Hash HashOf(std::string_view key) {
    return compat_internal::Fnv1a64Signed(key);
  }
  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    return continuum_[hash % size_].index;
  }

 private:
  struct Item {
    uint32_t index;
    uint32_t value;
  };

  std::vector<Item> continuum_;
  uint32_t size_ = 0;
};

}  // namespace clockwise::bench
