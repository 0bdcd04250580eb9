// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/crc16.h"

#include <array>

#include "compat/hash/bytes.h"
#include "compat/hash/words.h"

namespace clockwise::compat_internal {
namespace {

using Tables = std::array<std::array<uint16_t, 256>, 8>;

// kTables[k][b] is what byte b leaves in the register k bytes further on.
constexpr Tables MakeTables() {
  Tables tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t reg = b << 8;
    for (int bit = 0; bit < 8; ++bit) {
      reg = (reg << 1) ^ (reg & 0x8000 ? 0x10000 | kCrc16Polynomial : 0);
    }
    tables[0][b] = static_cast<uint16_t>(reg);
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t b = 0; b < 256; ++b) {
      const uint32_t reg = tables[k - 1][b];
      tables[k][b] =
          static_cast<uint16_t>((reg << 8) ^ tables[0][(reg >> 8) & 0xFF]);
    }
  }
  return tables;
}
constexpr Tables kTables = MakeTables();

// Takes the 8 bytes of a big-endian word.
CW_INLINE uint32_t Take8(uint32_t reg, uint64_t word) noexcept {
  word ^= uint64_t{reg} << 48;
  reg = 0;
  for (size_t k = 0; k < 8; ++k) reg ^= kTables[k][(word >> (8 * k)) & 0xFF];
  return reg;
}

}  // namespace

uint16_t Crc16(std::string_view text) noexcept {
  uint32_t reg = 0;
  ForBigEndianWords(text, [&](uint64_t word) { reg = Take8(reg, word); });
  return static_cast<uint16_t>(reg);
}

uint32_t Crc16Shifted(std::string_view text) noexcept {
  const uint8_t* bytes = Bytes(text);
  uint32_t reg = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    reg = (reg << 8) ^ kTables[0][((reg >> 8) ^ bytes[i]) & 0xFF];
  }
  return reg;
}

uint32_t RedisSlot(std::string_view key) noexcept {
  return Crc16(RedisHashTag(key)) & 0x3FFF;
}

}  // namespace clockwise::compat_internal
