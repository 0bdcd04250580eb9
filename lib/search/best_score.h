// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rendezvous hashing among nodes of equal weight: the node whose
// fmix64(key hash xor node hash) is largest, the first of equals.
//
// The first step of fmix64 is linear, x ^ x >> 33 of an xor is the xor of
// theirs: it is taken of each node at build, and of each key once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/detail/api.h"
#include "clockwise/node.h"

namespace clockwise {

// Returns `hash` after the first step of fmix64.
CW_INLINE uint64_t PreMix(uint64_t hash) noexcept { return hash ^ hash >> 33; }

// The rest of fmix64 of an xor of hashes, given that of their PreMix.
CW_INLINE uint64_t ScoreOf(uint64_t pre_mixed) noexcept {
  uint64_t h = pre_mixed * 0xFF51AFD7ED558CCDu;
  h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53u;
  return h ^ h >> 33;
}

// A number of each node, here PreMix of its hash; `count` of them, then copies
// of the first up to a multiple of kScorePadding: none of them comes before it.
struct ScoreNodes {
  const uint64_t* hashes;
  size_t count;
};
inline constexpr size_t kScorePadding = 32;

// Returns the number of the best node; kNoNode if there is none. SIMD lanes
// over the nodes.
NodeIndex BestScore(const ScoreNodes& nodes, uint64_t hash) noexcept;

// owners[i] = BestScore(nodes, hashes[i]). SIMD lanes over the keys.
void BestScores(const ScoreNodes& nodes, const uint64_t* hashes, size_t count,
                NodeIndex* owners) noexcept;

}  // namespace clockwise
