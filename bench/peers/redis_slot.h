// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// keyHashSlot of Redis: CRC-16 of a key, or of what its braces hold, by a table
// of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clockwise::bench {

constexpr std::array<uint16_t, 256> MakeByteTable() {
  std::array<uint16_t, 256> table{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b << 8;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc << 1) ^ ((crc & 0x8000) != 0 ? 0x1021 : 0);
    }
    table[b] = static_cast<uint16_t>(crc);
  }
  return table;
}
inline constexpr auto kByteTable = MakeByteTable();

inline uint32_t ByteTableSlot(std::string_view key) {
  uint16_t crc = 0;
  for (const char c : key) {
    const auto at = static_cast<uint8_t>((crc >> 8) ^ static_cast<uint8_t>(c));
    crc = static_cast<uint16_t>((crc << 8) ^ kByteTable[at]);
  }
  return crc & 0x3FFFu;
}

inline uint32_t RedisLoop(std::string_view key) {
  size_t open = 0;
  while (open < key.size() && key[open] != '{') ++open;
  if (open == key.size()) return ByteTableSlot(key);
  size_t close = open + 1;
  while (close < key.size() && key[close] != '}') ++close;
  if (close == key.size() || close == open + 1) return ByteTableSlot(key);
  return ByteTableSlot(key.substr(open + 1, close - open - 1));
}

}  // namespace clockwise::bench
