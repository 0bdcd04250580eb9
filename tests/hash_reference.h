// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The hashes once more, as plainly as they can be written: a byte at a time,
// and XXH3 by xxHash's own code without SIMD.
#pragma once

#define XXH_INLINE_ALL
#define XXH_VECTOR 0  // XXH_SCALAR
#include <xxhash.h>

#include <cstddef>
#include <cstdint>

#include "clockwise/hash.h"

namespace clockwise::reference {

inline uint32_t Fnv1a32(const uint8_t* key, size_t size, uint32_t seed) {
  uint32_t h = 2166136261u ^ seed;
  for (size_t i = 0; i < size; ++i) h = (h ^ key[i]) * 16777619u;
  return h;
}

inline uint64_t Fnv1a64(const uint8_t* key, size_t size, uint64_t seed) {
  uint64_t h = 14695981039346656037u ^ seed;
  for (size_t i = 0; i < size; ++i) h = (h ^ key[i]) * 1099511628211u;
  return h;
}

inline uint32_t Mix32(uint32_t h) {
  h ^= h >> 16;
  h *= 2246822507u;
  h ^= h >> 13;
  h *= 3266489909u;
  h ^= h >> 16;
  return h;
}

inline uint64_t Mix64(uint64_t h) {
  h ^= h >> 33;
  h *= 18397679294719823053u;
  h ^= h >> 33;
  h *= 14181476777654086739u;
  h ^= h >> 33;
  return h;
}

inline uint32_t Murmur3(const uint8_t* key, size_t size, uint32_t seed) {
  uint32_t h = seed;
  uint32_t word = 0;
  for (size_t i = 0; i < size; ++i) {
    word |= static_cast<uint32_t>(key[i]) << (8 * (i % 4));
    if (i % 4 != 3 && i + 1 != size) continue;
    word *= 3432918353u;
    word = (word << 15) | (word >> 17);
    h ^= word * 461845907u;
    if (i % 4 == 3) h = ((h << 13) | (h >> 19)) * 5 + 3864292196u;
    word = 0;
  }
  return Mix32(h ^ static_cast<uint32_t>(size));
}

inline uint32_t Crc32c(const uint8_t* key, size_t size, uint32_t crc) {
  crc = ~crc;
  for (size_t i = 0; i < size; ++i) {
    crc ^= key[i];
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82F63B78u : crc >> 1;
    }
  }
  return ~crc;
}

inline uint64_t Hash(HashKind kind, const uint8_t* key, size_t size,
                     uint64_t seed) {
  const uint32_t low = static_cast<uint32_t>(seed);
  const auto left = [](uint32_t h) { return uint64_t{h} << 32; };
  switch (kind) {
    case HashKind::kXxh3_64:
      return XXH3_64bits_withSeed(key, size, seed);
    case HashKind::kFnv1a32:
      return left(Fnv1a32(key, size, low));
    case HashKind::kFnv1a32Fmix:
      return left(Mix32(Fnv1a32(key, size, low)));
    case HashKind::kFnv1a64:
      return Fnv1a64(key, size, seed);
    case HashKind::kFnv1a64Fmix:
      return Mix64(Fnv1a64(key, size, seed));
    case HashKind::kMurmur3_32:
      return left(Murmur3(key, size, low));
    case HashKind::kCrc32cFmix:
      return left(Mix32(Crc32c(key, size, low)));
  }
  return 0;
}

inline Hash128 Xxh3_128(const uint8_t* key, size_t size, uint64_t seed) {
  const XXH128_hash_t h = XXH3_128bits_withSeed(key, size, seed);
  return {h.high64, h.low64};
}

}  // namespace clockwise::reference
