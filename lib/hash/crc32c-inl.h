// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The loops of a CRC-32C instruction. The includer, built with the flags that
// enable it, defines Step8(reg, uint64_t) and Step1(reg, uint8_t) before.
#include <string.h>

#include "hash/crc32c.h"

namespace clockwise::hash_internal {
namespace {

inline uint32_t One(const void* key, size_t size, uint32_t reg) noexcept {
  const unsigned char* bytes = static_cast<const unsigned char*>(key);
  for (; size >= 8; size -= 8, bytes += 8) {
    uint64_t word;  // both instructions exist on little-endian CPUs only
    memcpy(&word, bytes, 8);
    reg = Step8(reg, word);
  }
  for (; size != 0; --size) reg = Step1(reg, *bytes++);
  return reg;
}

void Many(const void* keys, size_t size, size_t stride, size_t count,
          uint32_t reg, uint32_t* regs) noexcept {
  const unsigned char* key = static_cast<const unsigned char*>(keys);
  for (size_t i = 0; i < count; ++i, key += stride) {
    regs[i] = One(key, size, reg);
  }
}

}  // namespace
}  // namespace clockwise::hash_internal
