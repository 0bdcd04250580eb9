// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How many vnodes a ring needs, so that no node has much more than its due.
//
//   auto sweep = SweepVnodes(options, nodes, 4096).value();
//   uint32_t lucky = LeastVnodes(sweep, 1.2);         // of these nodes alone
//   uint32_t steady = LeastSteadyVnodes(sweep, 1.2);  // and of all counts
//   above uint32_t advice = LeastVnodesByChance(nodes, 1.2);
//
// Exact shares are known for given ids and one seed, and there a larger count
// may be worse than a smaller one: where points fall is chance. For memberships
// to come only what chance explains can be said. Peaks fall with about the root
// of the vnodes: half the excess takes four times as many.
//
// All here is pure: any thread may call anything at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/node.h"
#include "clockwise/ring_builder.h"
#include "clockwise/status.h"

namespace clockwise {

// Exact shares of the circle over what weights are due, of nodes that have a
// weight.
struct VnodesBalance {
  uint32_t vnodes = 0;
  uint64_t points = 0;
  double peak = 0;       // the largest ratio
  double low = 0;        // the smallest
  double deviation = 0;  // the root of the mean square of ratio - 1
};

// Returns the balance of the ring that `options` make of `nodes` with 1, 2, …,
// `max_vnodes` points of weight 1, in that order; options.vnodes is not read.
//
// kInvalidOptions for another scheme than clockwise-1, and where `max_vnodes`
// is not 1 to 65,536; kInvalidArgument where no node has a weight; otherwise
// refuses as RingBuilder does the ring of `max_vnodes`. The largest ring is
// built once and its points taken away one by one: O(points log points) for all
// together, and some 45 bytes a point beside that ring.
CW_API Result<std::vector<VnodesBalance>> SweepVnodes(
    const RingOptions& options, std::span<const Node> nodes,
    uint32_t max_vnodes, BlockSource* source = nullptr);

// Returns the least vnodes of a sweep whose peak is at most `peak`; 0 if there
// are none. O(counts).
CW_API uint32_t LeastVnodes(std::span<const VnodesBalance> sweep,
                            double peak) noexcept;
// Returns the least vnodes of a sweep from which on every count of it has a
// peak of at most `peak`; 0 if its last one has not. O(counts).
CW_API uint32_t LeastSteadyVnodes(std::span<const VnodesBalance> sweep,
                                  double peak) noexcept;

// Returns ExpectedPeak (balance.h) of rings of such weights with `vnodes`
// points of weight 1: about their peak, whatever the ids and the seed. 1 where
// at most one node has a weight. O(nodes). May throw std::bad_alloc.
CW_API double PeakByChance(std::span<const Node> nodes, uint32_t vnodes);
// Returns about the least vnodes of which PeakByChance is at most `peak`; 0
// where that of 65,536 is above it. O(nodes). May throw std::bad_alloc.
CW_API uint32_t LeastVnodesByChance(std::span<const Node> nodes, double peak);

}  // namespace clockwise
