// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Hashes of libmemcached 1.1.4 (libhashkit), which twemproxy 0.5.0 has copied.
#pragma once

#include <cstdint>
#include <string_view>

namespace clockwise::compat_internal {

uint32_t OneAtATime(std::string_view key) noexcept;
uint32_t Fnv1_64Signed(std::string_view key) noexcept;  // low 32 bits
uint32_t Fnv1a64Signed(std::string_view key) noexcept;  // low 32 bits
uint32_t Fnv1_32Signed(std::string_view key) noexcept;
uint32_t Fnv1a32Signed(std::string_view key) noexcept;
uint32_t Hsieh(std::string_view key) noexcept;
uint32_t Murmur2_32(std::string_view key) noexcept;
uint32_t Murmur3Length(std::string_view key) noexcept;
uint32_t Jenkins(std::string_view key) noexcept;
// Bits 16 to 30 of CRC-32: their `crc`; nginx and spymemcached have it too.
uint32_t Crc15(std::string_view key) noexcept;

}  // namespace clockwise::compat_internal
