// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placement `rendezvous`: each node has a score for each key, and the best one
// owns it (highest random weight: Thaler and Ravishankar, "Using Name-Based
// Mappings to Increase Hit Rates", 1998; weights by the logarithm:
// Schindelhauer and Schomaker, "Weighted Distributed Hash Tables", 2005).
// Shares are as even as chance allows, a change moves only the keys of what
// changed, and the next best nodes are replicas; but a lookup looks at every
// node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "clockwise/placement.h"

namespace clockwise {

// Nodes are numbered by ascending id. With x = fmix64(key hash xor XXH3-64(id,
// seed)) the owner is the node with the largest x where all weights are equal;
// otherwise that with the largest weight / -ln u, u = ((x >> 11) + 0.5) / 2^53.
// Equal scores go to the smaller id. The logarithm is the library's own and
// made of single roundings to double, so that every CPU and compiler gives the
// same.
class Rendezvous : public KeyLookups<Rendezvous> {
 public:
  // As placement.h says.
  CW_API static Result<Rendezvous> Build(std::span<const Node> nodes,
                                         const PlacementOptions& options = {},
                                         BlockSource* source = nullptr);

  // Returns the node with the best score; kNoNode without nodes. O(nodes): with
  // equal weights SIMD lanes look at 2 to 8 nodes at a time.
  [[nodiscard]] CW_API NodeIndex Owner(uint64_t hash) const noexcept;
  // owners[i] = Owner(hashes[i]); with equal weights SIMD lanes do several keys
  // at a time, which pays best with few nodes.
  CW_API void Owners(const uint64_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  using KeyLookups::Owner;
  using KeyLookups::Owners;

  // Writes the `count` nodes with the best scores to `nodes`, the owner first.
  // Returns how many it wrote: `count`, or all nodes where those are fewer.
  // Without a node, the others' order stays. O(nodes * count) up to 16
  // replicas, 16 times that for each further 16.
  CW_API size_t Replicas(uint64_t hash, size_t count,
                         NodeIndex* nodes) const noexcept;

  // Whether all nodes have one weight, and lookups the integer form.
  [[nodiscard]] bool has_equal_weights() const noexcept {
    return weights_ == nullptr;
  }
  // Bytes of the node table and of what lookups read.
  [[nodiscard]] size_t bytes() const noexcept {
    return PlacedNodes::bytes() + block_.bytes();
  }

 private:
  Rendezvous(PlacedNodes&& nodes, Block&& block, bool has_weights) noexcept;

  Block block_;
  const uint64_t* pre_mixed_;  // hashes of the nodes, padded
  const double* weights_;      // none where all are equal
};

static_assert(NamedPlacement<Rendezvous> && ReplicatedPlacement<Rendezvous>);

}  // namespace clockwise
