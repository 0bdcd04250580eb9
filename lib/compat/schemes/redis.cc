// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Redis 7.0 Cluster.
#include <algorithm>
#include <cmath>

#include "compat/fields.h"
#include "compat/scheme.h"
#include "members/slot_ranges.h"

namespace clockwise::compat_internal {
namespace {

constexpr uint32_t kRedisSlots = 16384;

// As `redis-cli --cluster create` cuts the slots for its masters: from the end
// of the range before to the nearest whole number of the next exact share.
std::vector<NodeIndex> CutEvenly(const std::vector<size_t>& masters) {
  std::vector<NodeIndex> owners(kRedisSlots, kNoNode);
  const auto share =
      static_cast<float>(kRedisSlots) / static_cast<float>(masters.size());
  size_t first = 0;
  float cursor = 0;
  for (size_t i = 0; i < masters.size() && first < kRedisSlots; ++i) {
    auto last = static_cast<size_t>(std::lround(cursor + share - 1));
    if (last >= kRedisSlots || i + 1 == masters.size()) last = kRedisSlots - 1;
    last = std::max(last, first);
    std::fill(owners.begin() + static_cast<ptrdiff_t>(first),
              owners.begin() + static_cast<ptrdiff_t>(last) + 1,
              static_cast<NodeIndex>(masters[i]));
    first = last + 1;
    cursor += share;
  }
  return owners;
}

}  // namespace

// The slots that the masters list; where none lists any, an even cut.
Result<PeerPlacement> RedisSlots(const Members& members) {
  auto owners = ReadSlots(members, kRedisSlots);
  if (!owners.ok()) return owners.status();
  std::vector<size_t> masters;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto is_there = IsThere(members.nodes[i]);
    if (!is_there.ok()) return is_there.status();
    if (is_there.value()) masters.push_back(i);
  }
  PeerPlacement table{.key_hash = PeerHash::kRedisSlot};
  table.owners = std::move(owners).value();
  if (table.owners.empty() && !masters.empty()) {
    table.owners = CutEvenly(masters);
  }
  return table;
}

}  // namespace clockwise::compat_internal
