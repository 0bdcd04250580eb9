// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CRC-32C with the instruction of SSE4.2; built with -msse4.2.
#include <nmmintrin.h>
#include <stdint.h>

namespace clockwise::hash_internal {
namespace {

inline uint32_t Step8(uint32_t reg, uint64_t word) noexcept {
  return static_cast<uint32_t>(_mm_crc32_u64(reg, word));
}
inline uint32_t Step1(uint32_t reg, uint8_t byte) noexcept {
  return _mm_crc32_u8(reg, byte);
}

}  // namespace
}  // namespace clockwise::hash_internal

#include "hash/crc32c-inl.h"

namespace clockwise::hash_internal {

const Crc32cCode kCrc32cSse42 = {"sse4.2", One, Many};

}  // namespace clockwise::hash_internal
