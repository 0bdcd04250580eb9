// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings to measure with.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "clockwise/ring.h"
#include "clockwise/ring_builder.h"
#include "rounds.h"

namespace clockwise::bench {

inline constexpr uint32_t kVnodes = 160;

// "node-00017".
std::string NodeId(uint32_t number);
// The node of that id and weight 1.
Node NodeNumber(uint32_t number);

// Options of a ring with kVnodes points a node.
RingOptions Options(uint32_t width, Layout layout, uint64_t seed = 0);

// A builder of `nodes` nodes of weight 1.
RingBuilder BuilderOf(RingOptions options, uint32_t nodes);

// A clockwise-1 ring of `points` points.
Ring UniformRing(uint32_t width, uint32_t points, Layout layout,
                 uint64_t seed = 0);

// Where 90 % of a hostile ring's points lie: 2^-20 of the circle.
inline constexpr uint64_t kClusterBegin = uint64_t{0x5A5A5} << 44;
inline constexpr uint64_t kClusterArc = uint64_t{1} << 44;

// Explicit points against which lines are of no use.
Ring HostileRing(uint32_t width, uint32_t points, Layout layout);

// The value of a result that must be one.
template <typename T>
T Take(Result<T> result) {
  Require(result.ok(), result.status().message());
  return std::move(result).value();
}

}  // namespace clockwise::bench
