// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/moved_share.h"

#include <cstdint>
#include <vector>

#include "clockwise/balance.h"
#include "placement/arcs.h"

namespace clockwise {
namespace {

double ShareOfArcs(const Ring& a, const Ring& b) {
  std::vector<NodeIndex> in_b(a.slot_count(), kNoNode);
  for (NodeIndex slot : a.slots_by_id()) in_b[slot] = b.Find(a.node(slot).id);
  HashCount moved = 0;
  const bool are_empty = a.point_count() == 0 || b.point_count() == 0;
  ForEachArc(a, b, [&](uint64_t begin, uint64_t end, size_t i, size_t j) {
    if (are_empty || in_b[a.OwnerAt(i)] != b.OwnerAt(j)) {
      moved += WidthOf(begin, end);
    }
  });
  return ToFraction(moved);
}

double ShareByChance(const Ring& a, const Ring& b) {
  const std::vector<HashCount> of_a = ExactShares(a);
  const std::vector<HashCount> of_b = ExactShares(b);
  double stays = 0;
  for (NodeIndex slot : a.slots_by_id()) {
    const NodeIndex same = b.Find(a.node(slot).id);
    if (same == kNoNode) continue;
    stays += ToFraction(of_a[slot]) * ToFraction(of_b[same]);
  }
  return 1 - stays;
}

}  // namespace

double MovedShare(const Ring& a, const Ring& b) {
  if (a.point_count() == 0 && b.point_count() == 0) return 0;
  const bool hash_alike =
      a.seed() == b.seed() && KeyFunctionName(a.key_hash(), a.width()) ==
                                  KeyFunctionName(b.key_hash(), b.width());
  return hash_alike ? ShareOfArcs(a, b) : ShareByChance(a, b);
}

}  // namespace clockwise
