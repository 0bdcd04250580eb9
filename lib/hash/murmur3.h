// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// MurmurHash3 x86_32 (Appleby), one key at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/endian.h"
#include "clockwise/hash.h"

namespace clockwise::hash_internal {

inline constexpr uint32_t kMurmurC1 = 0xCC9E2D51;
inline constexpr uint32_t kMurmurC2 = 0x1B873593;
inline constexpr uint32_t kMurmurAdd = 0xE6546B64;

CW_INLINE uint32_t MurmurMix(uint32_t word) noexcept {
  return std::rotl(word * kMurmurC1, 15) * kMurmurC2;
}

CW_INLINE uint32_t Murmur3Inline(const void* key, size_t size,
                                 uint32_t seed) noexcept {
  const auto* bytes = static_cast<const uint8_t*>(key);
  uint32_t h = seed;
  size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    h = std::rotl(h ^ MurmurMix(LoadLe32(bytes + i)), 13) * 5 + kMurmurAdd;
  }
  if (i < size) {
    uint32_t last = bytes[i];
    if (i + 1 < size) last |= static_cast<uint32_t>(bytes[i + 1]) << 8;
    if (i + 2 < size) last |= static_cast<uint32_t>(bytes[i + 2]) << 16;
    h ^= MurmurMix(last);
  }
  return Fmix32(h ^ static_cast<uint32_t>(size));
}

}  // namespace clockwise::hash_internal
