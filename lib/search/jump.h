// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Jump consistent hash (Lamping and Veach): one key, and many in SIMD lanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/detail/api.h"
#include "clockwise/node.h"

namespace clockwise {

inline constexpr uint64_t kJumpFactor = 2862933555777941757u;

// The generator that says where the next jump lands.
CW_INLINE uint64_t NextJumpState(uint64_t state) noexcept {
  return state * kJumpFactor + 1;
}

// Returns a bucket below `buckets`, -1 if that is below 1. The quotient is
// rounded to a double before it is multiplied, as in the paper: anything else
// is another function.
CW_INLINE int32_t JumpBucket(uint64_t key, int32_t buckets) noexcept {
  constexpr double kTwoTo31 = 2147483648.0;
  int64_t bucket = -1;
  int64_t next = 0;
  while (next < buckets) {
    bucket = next;
    key = NextJumpState(key);
    const auto drawn = static_cast<double>((key >> 33) + 1);
    next = static_cast<int64_t>(static_cast<double>(bucket + 1) *
                                (kTwoTo31 / drawn));
  }
  return static_cast<int32_t>(bucket);
}

// owners[i] = JumpBucket(keys[i], buckets); kNoNode if that is below 1.
void JumpBuckets(const uint64_t* keys, size_t count, int32_t buckets,
                 NodeIndex* owners) noexcept;

}  // namespace clockwise
