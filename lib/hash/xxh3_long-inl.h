// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The functions of one Xxh3LongCode, built with the includer's CPU flags.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hash/xxh3_long.h"

namespace clockwise::hash_internal {
namespace {

uint64_t Hash64(const void* key, size_t size, uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(key, size, seed);
}

void Hash128(const void* key, size_t size, uint64_t seed,
             uint64_t* high_low) noexcept {
  const XXH128_hash_t h = XXH3_128bits_withSeed(key, size, seed);
  high_low[0] = h.high64;
  high_low[1] = h.low64;
}

}  // namespace
}  // namespace clockwise::hash_internal
