// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// FNV-1a, one key at a time: four cycles a byte, whatever the CPU, because each
// byte waits for the multiplication of the one before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/detail/api.h"

namespace clockwise::hash_internal {

inline constexpr uint32_t kFnvBasis32 = 0x811C9DC5;
inline constexpr uint32_t kFnvPrime32 = 0x01000193;
inline constexpr uint64_t kFnvBasis64 = 0xCBF29CE484222325;
inline constexpr uint64_t kFnvPrime64 = 0x00000100000001B3;

CW_INLINE uint32_t Fnv1a32Inline(const void* key, size_t size,
                                 uint32_t seed) noexcept {
  const auto* bytes = static_cast<const uint8_t*>(key);
  uint32_t h = kFnvBasis32 ^ seed;
  for (size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * kFnvPrime32;
  return h;
}

CW_INLINE uint64_t Fnv1a64Inline(const void* key, size_t size,
                                 uint64_t seed) noexcept {
  const auto* bytes = static_cast<const uint8_t*>(key);
  uint64_t h = kFnvBasis64 ^ seed;
  for (size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * kFnvPrime64;
  return h;
}

// Hashes 4 keys side by side, which take little longer than one.
CW_INLINE void Fnv1a64Four(const uint8_t* keys, size_t size, size_t stride,
                           uint64_t seed, uint64_t* hashes) noexcept {
  const uint8_t* k1 = keys + stride;
  const uint8_t* k2 = k1 + stride;
  const uint8_t* k3 = k2 + stride;
  uint64_t h0 = kFnvBasis64 ^ seed;
  uint64_t h1 = h0, h2 = h0, h3 = h0;
  for (size_t i = 0; i < size; ++i) {
    h0 = (h0 ^ keys[i]) * kFnvPrime64;
    h1 = (h1 ^ k1[i]) * kFnvPrime64;
    h2 = (h2 ^ k2[i]) * kFnvPrime64;
    h3 = (h3 ^ k3[i]) * kFnvPrime64;
  }
  hashes[0] = h0;
  hashes[1] = h1;
  hashes[2] = h2;
  hashes[3] = h3;
}

}  // namespace clockwise::hash_internal
