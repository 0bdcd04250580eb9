// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Where a batch writes its hashes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/detail/api.h"

namespace clockwise::hash_internal {

// One of the two, so that each kernel is compiled once for both.
struct Hashes {
  uint32_t* bits32;
  uint64_t* left_aligned;
};

// Writes a 32-bit hash.
CW_INLINE void Write(const Hashes& hashes, size_t i, uint32_t hash) noexcept {
  if (hashes.bits32 != nullptr) {
    hashes.bits32[i] = hash;
  } else {
    hashes.left_aligned[i] = uint64_t{hash} << 32;
  }
}

}  // namespace clockwise::hash_internal
