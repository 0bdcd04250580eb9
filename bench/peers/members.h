// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The members of the rings of peers, by names that every peer takes.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "clockwise/members.h"
#include "clockwise/node.h"

namespace clockwise::bench {

// Nodes of a ring, each with 160 points, where the peer makes them all.
inline constexpr NodeIndex kPeerNodes = 100;
inline constexpr uint32_t kPeerPoints = 160;

// "17.cache" on memcached's port, which libmemcached leaves out of a name.
inline std::string PeerHost(NodeIndex number) {
  char host[16];
  std::snprintf(host, sizeof host, "%02u.cache", number);
  return host;
}

inline std::string PeerNodeId(NodeIndex number) {
  return PeerHost(number) + ":11211";
}

// The number in such a name, read as its user would look at it.
inline NodeIndex PeerNodeNumber(std::string_view id) {
  return static_cast<NodeIndex>((id[0] - '0') * 10 + (id[1] - '0'));
}

// Members of weight 1 that name the scheme.
inline Members PeerMembers(std::string_view scheme) {
  Members members;
  members.options.scheme = scheme;
  for (NodeIndex i = 0; i < kPeerNodes; ++i) {
    members.nodes.emplace_back().id = PeerNodeId(i);
  }
  return members;
}

}  // namespace clockwise::bench
