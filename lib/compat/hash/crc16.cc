// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/crc16.h"

#include <array>

#include "base/endian.h"
#include "compat/hash/bytes.h"
#include "compat/hash/tail.h"

namespace clockwise::compat_internal {
namespace {

using Tables = std::array<std::array<uint16_t, 256>, 8>;

// kTables[k][b] is what byte b leaves in the register k bytes further on.
constexpr Tables MakeTables() {
  Tables tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t reg = b << 8;
    for (int bit = 0; bit < 8; ++bit) {
      reg = (reg << 1) ^ (reg & 0x8000 ? 0x11021 : 0);
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

// Takes 8 bytes, the first of them in the word's low bits.
CW_INLINE uint32_t Step8(uint32_t reg, uint64_t word) noexcept {
  word ^= ((reg & 0xFF) << 8) | (reg >> 8);
  reg = 0;
  for (size_t k = 0; k < 8; ++k) {
    reg ^= kTables[7 - k][(word >> (8 * k)) & 0xFF];
  }
  return reg;
}

}  // namespace

uint16_t Crc16(std::string_view text) noexcept {
  const uint8_t* p = Bytes(text);
  size_t left = text.size();
  uint32_t reg = 0;
  // The bytes that fill no word come first: zeros before a message do not
  // change its CRC, so they can be a word with zeros before them.
  if (const size_t odd = left % 8; odd != 0) {
    reg = Step8(0, LoadTail(p, odd) << (8 * (8 - odd)));
    p += odd;
    left -= odd;
  }
  for (; left != 0; left -= 8, p += 8) reg = Step8(reg, LoadLe64(p));
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

std::string_view RedisHashTag(std::string_view key) noexcept {
  const size_t open = key.find('{');
  if (open == key.npos) return key;
  const size_t close = key.find('}', open + 1);
  if (close == key.npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

uint32_t RedisSlot(std::string_view key) noexcept {
  return Crc16(RedisHashTag(key)) & 0x3FFF;
}

}  // namespace clockwise::compat_internal
