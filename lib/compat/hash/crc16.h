// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CRC-16/XMODEM: polynomial 0x1021, initial value 0, most significant bit
// first.
#pragma once

#include <cstdint>
#include <string_view>

#include "compat/hash/texts.h"
#include "compat/hash/words.h"
#include "hash/batch.h"

namespace clockwise::compat_internal {

inline constexpr uint32_t kCrc16Polynomial = 0x1021;  // x^16 left out
// floor(x^80 / polynomial), x^64 left out.
inline constexpr uint64_t kCrc16Barrett = 0x11303471A041B343;

uint16_t Crc16(std::string_view text) noexcept;

// twemproxy's crc16: what leaves the low 16 bits stays in a register of 32.
uint32_t Crc16Shifted(std::string_view text) noexcept;

// The part of a key that Redis Cluster hashes: what stands between the first
// '{' and the first '}' after it, if that is not empty, else the whole key.
CW_INLINE std::string_view RedisHashTag(std::string_view key) noexcept {
  const size_t open = FindByte('{', key, 0);
  if (open == key.size()) return key;
  const size_t close = FindByte('}', key, open + 1);
  if (close == key.size() || close == open + 1) return key;
  return {key.data() + open + 1, close - open - 1};
}

// The slot of a key in Redis Cluster, 0 to 16383.
uint32_t RedisSlot(std::string_view key) noexcept;

// The slots of a batch.
void RedisSlotBatch(const Texts& keys,
                    const hash_internal::Hashes& slots) noexcept;

}  // namespace clockwise::compat_internal
