// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placement `jump`: jump consistent hash (Lamping and Veach, "A Fast, Minimal
// Memory, Consistent Hash Algorithm", 2014). No memory but the nodes' names,
// even shares; but nodes can only be added and removed at the end of the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "clockwise/placement.h"

namespace clockwise {

// Returns a bucket from 0 to buckets - 1, -1 if `buckets` is below 1. From n to
// n + 1 buckets a key stays or goes to bucket n. O(log buckets): some 5 ns a
// step. The paper's function, in the same doubles: bit for bit what others
// have.
CW_API int32_t JumpHash(uint64_t key, int32_t buckets) noexcept;

// Guava's Hashing.consistentHash(long, int), bit for bit (31.1). The same but
// for rounding, which puts a few keys in a billion elsewhere; and where the
// generator's 31 bits are all ones its sum overflows, and the key stays where
// it is. -1 if `buckets` is below 1, where Guava throws.
CW_API int32_t GuavaConsistentHash(uint64_t input, int32_t buckets) noexcept;

// Nodes are numbered as they are listed: the order is part of the placement.
// Appending a node moves only the keys it takes, and removing the last one only
// those it had; any other change moves keys among survivors. A drained node
// (weight 0) is left out of the count, so drain the last one. No weights, no
// replicas.
class Jump : public KeyLookups<Jump> {
 public:
  // As placement.h says.
  CW_API static Result<Jump> Build(std::span<const Node> nodes,
                                   const PlacementOptions& options = {},
                                   BlockSource* source = nullptr);

  // Returns JumpHash(hash, node_count()); kNoNode without nodes.
  [[nodiscard]] CW_API NodeIndex Owner(uint64_t hash) const noexcept;
  // owners[i] = Owner(hashes[i]), by SIMD lanes.
  CW_API void Owners(const uint64_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  using KeyLookups::Owner;
  using KeyLookups::Owners;

 private:
  explicit Jump(PlacedNodes&& nodes) noexcept : KeyLookups(std::move(nodes)) {}
};

static_assert(NamedPlacement<Jump>);

}  // namespace clockwise
