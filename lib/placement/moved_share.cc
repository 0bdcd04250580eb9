// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/moved_share.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "clockwise/key_hasher.h"

namespace clockwise {
namespace {

__extension__ using Uint128 = unsigned __int128;

double OfCircle(Uint128 hashes) {
  return static_cast<double>(hashes) / 18446744073709551616.0;  // 2^64
}

// The last hashes that the points of `ring` own, added to `ends`.
void AddArcEnds(const Ring& ring, std::vector<uint64_t>& ends) {
  // A 32-bit ring compares the high halves only.
  const uint64_t low = ring.width() == 32 ? 0xFFFFFFFF : 0;
  for (size_t i = 0; i < ring.point_count(); ++i) {
    ends.push_back(ring.PositionAt(i) | low);
  }
}

// Calls f(end, count of hashes) for arcs that together are the circle, cut
// wherever a ring has a point.
template <typename F>
void ForEachArc(std::vector<uint64_t> ends, F&& f) {
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  for (size_t i = 0; i < ends.size(); ++i) {
    const uint64_t begin = i == 0 ? ends.back() : ends[i - 1];
    const uint64_t width = ends[i] - begin;
    f(ends[i], width != 0 ? Uint128{width} : Uint128{1} << 64);
  }
}

double ShareOfArcs(const Ring& a, const Ring& b) {
  std::vector<NodeIndex> in_b(a.slot_count(), kNoNode);
  for (NodeIndex slot : a.slots_by_id()) in_b[slot] = b.Find(a.node(slot).id);
  std::vector<uint64_t> ends;
  AddArcEnds(a, ends);
  AddArcEnds(b, ends);
  Uint128 moved = 0;
  ForEachArc(std::move(ends), [&](uint64_t end, Uint128 width) {
    const NodeIndex owner = a.Owner(end);
    const NodeIndex same = owner != kNoNode ? in_b[owner] : kNoNode;
    // A node that b lacks, or nobody, is not what b answers: but both nobody
    // cannot be, since an arc ends at a point.
    if (same == kNoNode || same != b.Owner(end)) moved += width;
  });
  return OfCircle(moved);
}

std::vector<double> Shares(const Ring& ring) {
  std::vector<double> shares(ring.slot_count());
  std::vector<uint64_t> ends;
  AddArcEnds(ring, ends);
  ForEachArc(std::move(ends), [&](uint64_t end, Uint128 width) {
    shares[ring.Owner(end)] += OfCircle(width);
  });
  return shares;
}

double ShareByChance(const Ring& a, const Ring& b) {
  const std::vector<double> of_a = Shares(a);
  const std::vector<double> of_b = Shares(b);
  double stays = 0;
  for (NodeIndex slot : a.slots_by_id()) {
    const NodeIndex same = b.Find(a.node(slot).id);
    if (same != kNoNode) stays += of_a[slot] * of_b[same];
  }
  return 1 - stays;
}

// The function that hashes keys, by name: fnv1a-fmix is one for each width.
std::string_view HashNameOf(const Ring& ring) {
  return FindKeyHasher(ring.key_hash()) != nullptr
             ? KeyHashName(ring.key_hash())
             : HashName(HashKindOf(ring.key_hash(), ring.width()));
}

}  // namespace

double MovedShare(const Ring& a, const Ring& b) {
  if (a.point_count() == 0 && b.point_count() == 0) return 0;
  const bool hash_alike =
      a.seed() == b.seed() && HashNameOf(a) == HashNameOf(b);
  return hash_alike ? ShareOfArcs(a, b) : ShareByChance(a, b);
}

}  // namespace clockwise
