// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placement `multi-probe`: a ring of one point a node, of which each key asks
// 21 times and takes the nearest answer (Appleton and O'Reilly, "Multi-Probe
// Consistent Hashing", 2015). Shares as even as those of a ring with hundreds
// of points a node, in a hundredth of its memory; lookups are 21 searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "clockwise/placement.h"
#include "clockwise/ring.h"

namespace clockwise {

inline constexpr uint32_t kProbes = 21;

// Nodes are numbered by ascending id; the point of each is at XXH3-64(id,
// seed). Probe j = 0 … 20 of a key is at fmix64(key hash + j *
// 0x9E3779B97F4A7C15), and finds the first point at or after it. The owner is
// the node whose point follows its probe at the least distance; of equal ones
// the first probe counts. A change moves only the keys of what changed. No
// weights, no replicas.
class MultiProbe : public KeyLookups<MultiProbe> {
 public:
  // As placement.h says.
  CW_API static Result<MultiProbe> Build(std::span<const Node> nodes,
                                         const PlacementOptions& options = {},
                                         BlockSource* source = nullptr);

  // Returns the owner; kNoNode without nodes. 21 lookups on a small ring.
  [[nodiscard]] CW_API NodeIndex Owner(uint64_t hash) const noexcept;
  // owners[i] = Owner(hashes[i]): batches of probes.
  CW_API void Owners(const uint64_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  using KeyLookups::Owner;
  using KeyLookups::Owners;

  // Bytes of the node table, the ring and the points.
  [[nodiscard]] size_t bytes() const noexcept {
    return PlacedNodes::bytes() + ring_.bytes() + points_.bytes();
  }

 private:
  MultiProbe(PlacedNodes&& nodes, Ring&& ring, Block&& points) noexcept
      : KeyLookups(std::move(nodes)),
        ring_(std::move(ring)),
        points_(std::move(points)) {}

  template <typename AnswerOf>
  NodeIndex Nearest(AnswerOf answer_of) const noexcept;

  Ring ring_;
  Block points_;  // of each node its position
};

static_assert(NamedPlacement<MultiProbe>);

}  // namespace clockwise
