// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CRC-32C by the best means this CPU has, chosen at run time: its instruction,
// or tables that take 8 bytes a step.
//
// Included by files built with flags of their own: keep inline code of others
// (standard containers, for one) out of it, or the linker may share it.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace clockwise::hash_internal {

// One way to compute it. `reg` is the bare register: the complement of a CRC,
// before and after.
struct Crc32cCode {
  const char* name;
  uint32_t (*one)(const void* key, size_t size, uint32_t reg) noexcept;
  // regs[i] = one(keys + i * stride, size, reg), without a call for each.
  void (*many)(const void* keys, size_t size, size_t stride, size_t count,
               uint32_t reg, uint32_t* regs) noexcept;
};

extern const Crc32cCode kCrc32cTable;
extern const Crc32cCode kCrc32cSse42;  // in x86-64 builds only
extern const Crc32cCode kCrc32cArmv8;  // in aarch64 builds only

// Returns the i-th of those that this CPU can run, best first; null past them.
const Crc32cCode* Crc32cAt(size_t i) noexcept;

// Returns Crc32cAt(0).
const Crc32cCode& Crc32cBest() noexcept;

}  // namespace clockwise::hash_internal
