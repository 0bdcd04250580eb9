// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// libmemcached's MODULA: the remainder by the number of servers, which only the
// running program knows. spymemcached's ArrayModNodeLocator has the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "compat/hash/memcached.h"
#include "members.h"

namespace clockwise::bench {

class LibmemcachedModula {
 public:
  using Hash = uint32_t;

  static Members MembersOf() { return PeerMembers("libmemcached-modula"); }

  explicit LibmemcachedModula(const Members& members)
      : servers_(static_cast<uint32_t>(members.nodes.size())) {}

  static Hash HashOf(std::string_view key) {
    return compat_internal::OneAtATime(key);
  }
  [[nodiscard]] NodeIndex Owner(Hash hash) const { return hash % servers_; }

 private:
  uint32_t servers_;
};

}  // namespace clockwise::bench
