// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "hash/crc32c.h"

#include <array>

#include "base/endian.h"
#include "clockwise/hash.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace clockwise {
namespace hash_internal {
namespace {

using Table = std::array<std::array<uint32_t, 256>, 8>;

// kTable[k][b] is what byte b does to the register from k bytes further on.
constexpr Table MakeTable() {
  constexpr uint32_t kReversedPolynomial = 0x82F63B78;
  Table table{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t reg = b;
    for (int bit = 0; bit < 8; ++bit) {
      reg = (reg >> 1) ^ (reg & 1 ? kReversedPolynomial : 0);
    }
    table[0][b] = reg;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t b = 0; b < 256; ++b) {
      const uint32_t reg = table[k - 1][b];
      table[k][b] = (reg >> 8) ^ table[0][reg & 0xFF];
    }
  }
  return table;
}
constexpr Table kTable = MakeTable();

uint32_t TableOne(const void* key, size_t size, uint32_t reg) noexcept {
  const auto* bytes = static_cast<const uint8_t*>(key);
  for (; size >= 8; size -= 8, bytes += 8) {
    const uint64_t word = LoadLe64(bytes) ^ reg;
    reg = 0;
    for (size_t k = 0; k < 8; ++k) {
      reg ^= kTable[7 - k][(word >> (8 * k)) & 0xFF];
    }
  }
  for (; size != 0; --size) {
    reg = (reg >> 8) ^ kTable[0][(reg ^ *bytes++) & 0xFF];
  }
  return reg;
}

void TableMany(const void* keys, size_t size, size_t stride, size_t count,
               uint32_t reg, uint32_t* regs) noexcept {
  const auto* key = static_cast<const uint8_t*>(keys);
  for (size_t i = 0; i < count; ++i, key += stride) {
    regs[i] = TableOne(key, size, reg);
  }
}

// Returns the code with the CPU's instruction, or null if it has none.
const Crc32cCode* WithInstruction() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2")) return &kCrc32cSse42;
#elif defined(__aarch64__)
  constexpr unsigned long kHwcapCrc32 = 1ul << 7;
  if (getauxval(AT_HWCAP) & kHwcapCrc32) return &kCrc32cArmv8;
#endif
  return nullptr;
}

}  // namespace

const Crc32cCode kCrc32cTable = {"table", TableOne, TableMany};

const Crc32cCode* Crc32cAt(size_t i) noexcept {
  const Crc32cCode* const instruction = WithInstruction();
  if (i == 0 && instruction != nullptr) return instruction;
  return i == (instruction != nullptr) ? &kCrc32cTable : nullptr;
}

const Crc32cCode& Crc32cBest() noexcept {
  static const Crc32cCode& best = *Crc32cAt(0);
  return best;
}

}  // namespace hash_internal

uint32_t Crc32c(std::string_view key, uint32_t crc) noexcept {
  return ~hash_internal::Crc32cBest().one(key.data(), key.size(), ~crc);
}

}  // namespace clockwise
