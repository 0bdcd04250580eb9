// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What rings are compared with: a binary search, a map, a Maglev table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>

#include "clockwise/block_source.h"
#include "clockwise/ring.h"

namespace clockwise::bench {

// A position as a ring of type T (uint32_t or uint64_t) compares it.
template <typename T>
T PositionOf(uint64_t hash) {
  return static_cast<T>(sizeof(T) == 4 ? hash >> 32 : hash);
}

// std::lower_bound over sorted positions, with their owners beside them. The
// memory comes from where rings have theirs, huge pages included. The view is
// what a loop copies.
template <typename T>
class LowerBoundView {
 public:
  LowerBoundView(const T* positions, const uint16_t* owners, size_t points)
      : positions_(positions), owners_(owners), points_(points) {}

  NodeIndex operator()(uint64_t hash) const {
    const T* found =
        std::lower_bound(positions_, positions_ + points_, PositionOf<T>(hash));
    return owners_[found - positions_];
  }

 private:
  const T* positions_;
  const uint16_t* owners_;  // the first one again after the last
  size_t points_;
};

template <typename T>
class LowerBoundRing {
 public:
  explicit LowerBoundRing(const RingView& ring)
      : points_(ring.point_count()),
        positions_(Block::Acquire(DefaultBlockSource(), points_ * sizeof(T))),
        owners_(Block::Acquire(DefaultBlockSource(), (points_ + 1) * 2)) {
    auto* positions = static_cast<T*>(positions_.data());
    auto* owners = static_cast<uint16_t*>(owners_.data());
    for (size_t i = 0; i < points_; ++i) {
      positions[i] = PositionOf<T>(ring.PositionAt(i));
      owners[i] = static_cast<uint16_t>(ring.OwnerAt(i));
    }
    owners[points_] = owners[0];
  }

  [[nodiscard]] LowerBoundView<T> view() const {
    return {static_cast<const T*>(positions_.data()),
            static_cast<const uint16_t*>(owners_.data()), points_};
  }

 private:
  size_t points_;
  Block positions_;
  Block owners_;
};

// The textbook: an ordered map from position to the node's name. Names begin
// with the slot, so that answers can be compared (and are read, as a caller
// would).
template <typename T>
class MapRing {
 public:
  explicit MapRing(const RingView& ring) {
    for (size_t i = 0; i < ring.point_count(); ++i) {
      const NodeIndex owner = ring.OwnerAt(i);
      std::string name = "0000-node";
      std::memcpy(name.data(), &owner, sizeof owner);
      names_.emplace(PositionOf<T>(ring.PositionAt(i)), name);
    }
  }

  NodeIndex operator()(uint64_t hash) const {
    auto found = names_.lower_bound(PositionOf<T>(hash));
    if (found == names_.end()) found = names_.begin();
    NodeIndex owner;
    std::memcpy(&owner, found->second.data(), sizeof owner);
    return owner;
  }

 private:
  std::map<T, std::string> names_;
};

}  // namespace clockwise::bench
