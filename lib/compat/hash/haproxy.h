// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Hashes of HAProxy (2.6.12 and 3.5-dev5 agree).
#pragma once

#include <cstdint>
#include <string_view>

namespace clockwise::compat_internal {

// What `avalanche` and the points of servers go through; a bijection.
constexpr uint32_t FullHash(uint32_t a) noexcept {
  a = a + 0x7ED55D16 + (a << 12);
  a = a ^ 0xC761C23C ^ (a >> 19);
  a = a + 0x165667B1 + (a << 5);
  a = (a + 0xD3A2646C) ^ (a << 9);
  a = a + 0xFD7046C5 + (a << 3);
  a = a ^ 0xB55A4F09 ^ (a >> 16);
  return a * 3221225473u;
}

uint32_t Sdbm(std::string_view key) noexcept;
uint32_t Djb2(std::string_view key) noexcept;
uint32_t Wt6(std::string_view key) noexcept;
// `none`: the low 32 bits of the decimal number that the key begins with.
uint32_t DecimalKey(std::string_view key) noexcept;

}  // namespace clockwise::compat_internal
