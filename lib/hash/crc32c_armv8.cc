// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CRC-32C with the instructions of ARMv8; built with -march=armv8-a+crc.
#include <arm_acle.h>
#include <stdint.h>

namespace clockwise::hash_internal {
namespace {

inline uint32_t Step8(uint32_t reg, uint64_t word) noexcept {
  return __crc32cd(reg, word);
}
inline uint32_t Step1(uint32_t reg, uint8_t byte) noexcept {
  return __crc32cb(reg, byte);
}

}  // namespace
}  // namespace clockwise::hash_internal

#include "hash/crc32c-inl.h"

namespace clockwise::hash_internal {

const Crc32cCode kCrc32cArmv8 = {"armv8", One, Many};

}  // namespace clockwise::hash_internal
