// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Scores of weighted rendezvous hashing, the same bits everywhere.
//
// C's log() is not: libraries round it as they like, and compilers fuse
// products and sums. So the logarithm is ours, and the one file that computes
// it is compiled without contraction (lib/placement/meson.build).
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/node.h"

namespace clockwise {

// Returns -ln u for u = ((x >> 11) + 0.5) / 2^53, above 0: within one unit in
// the last place.
//
// By the steps of fdlibm's log (Sun, 1993), each a single rounding to double.
// v = 2 (x >> 11) + 1, so that u = v / 2^54, is a whole number; it is written
// as 2^(k + 54) * (1 + f), with 1 + f from sqrt 1/2 to sqrt 2, where f is
// exact. With s = f / (2 + f), z = s^2, w = z^2:
//
//   t1 = w * (L2 + w * (L4 + w * L6))
//   t2 = z * (L1 + w * (L3 + w * (L5 + w * L7)))
//   h = 0.5 * f * f, R = t2 + t1
//   -ln u = ((h - (s * (h + R) + k * ln2_low)) - f) - k * ln2_high
double MinusLog(uint64_t x) noexcept;

// Nodes with the PreMix of their hashes and their weights.
struct WeightedNodes {
  const uint64_t* pre_mixed;
  const double* weights;
  size_t count;
};

// weight / -ln u of a node, for a key of this PreMix.
double WeightedScore(const WeightedNodes& nodes, size_t node,
                     uint64_t pre_mixed_key) noexcept;

// Returns the node with the largest score, the first of equals; kNoNode if
// there is none. Takes the logarithm of few: the others are seen to be worse
// without.
NodeIndex BestWeighted(const WeightedNodes& nodes, uint64_t hash) noexcept;

}  // namespace clockwise
