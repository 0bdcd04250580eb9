// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// XXH32 and XXH64 (Collet, xxHash 0.8) inlined in the caller, for the floors
// above: only this floor names xxhash.h. The core has no use of its own for
// them; XXH3 is faster.
//
// Everything here is static, as in xxh3_inline.h.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>

namespace clockwise::hash_internal {

[[gnu::always_inline]] static inline uint32_t Xxh32Inline(
    const void* key, size_t size, uint32_t seed) noexcept {
  return XXH32(key, size, seed);
}

[[gnu::always_inline]] static inline uint64_t Xxh64Inline(
    const void* key, size_t size, uint64_t seed) noexcept {
  return XXH64(key, size, seed);
}

}  // namespace clockwise::hash_internal
