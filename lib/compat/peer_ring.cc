// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/peer_ring.h"

#include <algorithm>
#include <utility>

namespace clockwise::compat_internal {

Status PeerRing::Reserve(uint64_t count) {
  reserved_ += count;
  if (reserved_ <= max_points_) return {};
  return {Code::kTooManyPoints,
          "needs " + std::to_string(reserved_) + " points or more; at most " +
              std::to_string(max_points_) + " (max_points)"};
}

// Equal positions stay in the order of additions.
void PeerRing::Sort() {
  std::stable_sort(points_.begin(), points_.end(),
                   [](const PeerPoint& a, const PeerPoint& b) {
                     return a.position < b.position;
                   });
}

void PeerRing::Unique(bool last_wins) {
  Sort();
  std::vector<PeerPoint> kept;
  for (const PeerPoint& point : points_) {
    const bool is_new = kept.empty() || kept.back().position != point.position;
    if (is_new) {
      kept.push_back(point);
      continue;
    }
    if (kept.back().node != point.node) ++dropped_;
    if (last_wins) kept.back() = point;
  }
  points_ = std::move(kept);
}

// p > h is p - 1 >= h; before the lowest position comes the highest, which is
// past all hashes that have a later point.
void PeerRing::MakeStrict() {
  for (PeerPoint& point : points_) point.position -= unit();
}

// A point answers from the middle of the arc before it to the middle of the one
// behind it: as the last point at or before that middle, and, for hashes from
// the middle before up to its own position, as the first one there.
void PeerRing::MakeNearest() {
  Sort();
  std::vector<PeerPoint> arcs;
  for (size_t first = 0; first < points_.size();) {
    size_t end = first + 1;
    while (end < points_.size() &&
           points_[end].position == points_[first].position) {
      if (points_[end].node != points_[first].node) ++dropped_;
      ++end;
    }
    const uint64_t at = points_[first].position;
    const uint64_t next = points_[end % points_.size()].position;
    const bool is_alone = end - first == points_.size();
    // In units of positions; a circle of its own where there is no other.
    const uint64_t gap = (next - at) / unit();
    const uint64_t half = is_alone ? uint64_t{1} << 31 : gap / 2;
    // Where both answers are one node's, its two arcs are one. Alone, the point
    // is its own neighbour before as well: it ties with itself at its position,
    // and the one before wins.
    if (is_alone || points_[first].node != points_[end - 1].node) {
      arcs.push_back({is_alone ? at - unit() : at, points_[first].node});
    }
    arcs.push_back({at + half * unit(), points_[end - 1].node});
    first = end;
  }
  points_ = std::move(arcs);
  // Where the middle is the point itself, the first one at it answers.
  LetFirstWin();
  const uint64_t dropped = dropped_;
  KeepFirst();
  dropped_ = dropped;  // two arcs of a point are no collision
}

std::vector<PeerPoint> PeerRing::SortedPoints() const {
  PeerRing sorted = *this;
  sorted.Sort();
  return sorted.points_;
}

uint64_t PeerRing::CountCollisions() const {
  PeerRing settled = *this;
  settled.KeepFirst();
  return settled.dropped_;
}

std::vector<std::vector<uint64_t>> PeerRing::PositionsByNode(
    size_t nodes) const {
  std::vector<std::vector<uint64_t>> positions(nodes);
  for (const PeerPoint& point : points_) {
    positions[point.node].push_back(point.position);
  }
  return positions;
}

}  // namespace clockwise::compat_internal
