// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// XXH3 inlined in the caller, for loops over short keys. The other floors have
// it from here: nothing else names xxhash.h.
//
// Everything here is static: a file built with other CPU flags has its own.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "clockwise/hash.h"
#include "hash/xxh3_long.h"

namespace clockwise::hash_internal {

// Keys up to kXxh3ShortMax take scalar code, the fastest there is for them.
[[gnu::always_inline]] static inline uint64_t Xxh3Inline(
    const void* key, size_t size, uint64_t seed) noexcept {
  if (size > kXxh3ShortMax) [[unlikely]]
    return Xxh3Long64(key, size, seed);
  // What XXH3_64bits_withSeed calls; that one GCC leaves out of line where a
  // file has several loops. Null: the code for longer keys.
  return XXH3_64bits_internal(key, size, seed, XXH3_kSecret,
                              sizeof(XXH3_kSecret), nullptr);
}

// The i-th 8 bytes of the default secret, for code that hashes many keys.
[[gnu::always_inline]] static inline uint64_t Xxh3SecretWord(
    size_t i) noexcept {
  return XXH_readLE64(XXH3_kSecret + 8 * i);
}

[[gnu::always_inline]] static inline clockwise::Hash128 Xxh3Inline128(
    const void* key, size_t size, uint64_t seed) noexcept {
  if (size > kXxh3ShortMax) [[unlikely]] {
    uint64_t high_low[2];
    Xxh3Long128(key, size, seed, high_low);
    return {high_low[0], high_low[1]};
  }
  const XXH128_hash_t h = XXH3_128bits_withSeed(key, size, seed);
  return {h.high64, h.low64};
}

}  // namespace clockwise::hash_internal
