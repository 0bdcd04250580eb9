// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// groupcache's consistenthash (Go).
#include "compat/fields.h"
#include "compat/hash/crc32.h"
#include "compat/scheme.h"

namespace clockwise::compat_internal {

Result<PeerRing> Groupcache(const Members& members) {
  const auto replicas = NumberParam(members, "replicas", 50, 1, 65536);
  if (!replicas.ok()) return replicas.status();
  PeerRing ring(32, PeerHash::kCrc32, members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto is_there = IsThere(members.nodes[i]);
    if (!is_there.ok()) return is_there.status();
    if (!is_there.value()) continue;
    if (Status full = ring.Reserve(replicas.value()); !full.ok()) return full;
    for (uint64_t j = 0; j < replicas.value(); ++j) {
      ring.Add32(Crc32(std::to_string(j) + members.nodes[i].id), i);
    }
  }
  ring.KeepLast();
  return ring;
}

}  // namespace clockwise::compat_internal
