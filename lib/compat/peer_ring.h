// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The points of a peer's ring, on their way to an ordinary one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/compat_hash.h"
#include "clockwise/ring_builder.h"
#include "clockwise/status.h"
#include "compat/key_hashers.h"

namespace clockwise::compat_internal {

struct PeerPoint {
  uint64_t position;  // left-aligned
  size_t node;        // its place in the list of nodes
};

// How a peer goes from a hash to a point, and who wins a position: settled
// here, so that the ring's own rule (first point at or after the hash, by the
// order of `ties`) gives the same owner for every hash.
class PeerRing {
 public:
  PeerRing(uint32_t width, PeerHash key_hash, uint64_t max_points)
      : width_(width), key_hash_(key_hash), max_points_(max_points) {}

  // kTooManyPoints if `count` more points are more than the ring may have. To
  // be asked before they are added.
  [[nodiscard]] Status Reserve(uint64_t count);
  void Add32(uint32_t position, size_t node) {
    points_.push_back({uint64_t{position} << 32, node});
  }
  void Add64(uint64_t position, size_t node) {
    points_.push_back({position, node});
  }

  // Of equal positions the point that was added first, or last, is owner; the
  // others stay behind it, as walks meet them.
  void LetFirstWin() { ties_ = Ties::kFirstAdded; }
  void LetLastWin() { ties_ = Ties::kLastAdded; }
  // The same, and the peer knows nothing of the others.
  void KeepFirst() { Unique(false); }
  void KeepLast() { Unique(true); }
  // The peer orders nodes by itself: their order in the list means nothing.
  // After KeepFirst or KeepLast.
  void ForgetOrder() { ties_ = Ties::kSmallestId; }
  // The peer takes the first point after the hash, not at it.
  void MakeStrict();
  // The peer takes the point nearest to the hash, the one before it where both
  // are as near; of equal positions the last added from above, the first from
  // at or below.
  void MakeNearest();
  // What is done to a key before it is hashed.
  void SetKeyRule(KeyRule rule) { key_rule_ = rule; }

  [[nodiscard]] uint32_t width() const { return width_; }
  [[nodiscard]] PeerHash key_hash() const { return key_hash_; }
  [[nodiscard]] Ties ties() const { return ties_; }
  [[nodiscard]] KeyRule key_rule() const { return key_rule_; }
  // By position, and those of one position as they were added.
  [[nodiscard]] std::vector<PeerPoint> SortedPoints() const;
  // Points on the position of another node's point, dropped or not.
  [[nodiscard]] uint64_t CountCollisions() const;
  // Positions of each of `nodes` nodes.
  [[nodiscard]] std::vector<std::vector<uint64_t>> PositionsByNode(
      size_t nodes) const;

 private:
  void Sort();
  void Unique(bool last_wins);
  // The distance of two neighbouring positions of this width.
  [[nodiscard]] uint64_t unit() const {
    return width_ == 32 ? uint64_t{1} << 32 : 1;
  }

  uint32_t width_;
  PeerHash key_hash_;
  uint64_t max_points_;
  uint64_t reserved_ = 0;
  Ties ties_ = Ties::kFirstAdded;
  KeyRule key_rule_;
  uint64_t dropped_ = 0;  // of those that CountCollisions counts
  std::vector<PeerPoint> points_;
};

}  // namespace clockwise::compat_internal
