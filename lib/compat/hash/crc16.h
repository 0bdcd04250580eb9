// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CRC-16/XMODEM: polynomial 0x1021, initial value 0, most significant bit
// first.
#pragma once

#include <cstdint>
#include <string_view>

namespace clockwise::compat_internal {

uint16_t Crc16(std::string_view text) noexcept;

// twemproxy's crc16: what leaves the low 16 bits stays in a register of 32.
uint32_t Crc16Shifted(std::string_view text) noexcept;

// The part of a key that Redis Cluster hashes: what stands between the first
// '{' and the first '}' after it, if that is not empty, else the whole key.
std::string_view RedisHashTag(std::string_view key) noexcept;

// The slot of a key in Redis Cluster, 0 to 16383.
uint32_t RedisSlot(std::string_view key) noexcept;

}  // namespace clockwise::compat_internal
