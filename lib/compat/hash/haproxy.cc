// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/haproxy.h"

#include <bit>

#include "compat/hash/bytes.h"

namespace clockwise::compat_internal {

uint32_t Sdbm(std::string_view key) noexcept {
  const uint8_t* bytes = Bytes(key);
  uint32_t h = 0;
  for (size_t i = 0; i < key.size(); ++i) h = h * 65599 + bytes[i];
  return h;
}

uint32_t Djb2(std::string_view key) noexcept {
  const uint8_t* bytes = Bytes(key);
  uint32_t h = 5381;
  for (size_t i = 0; i < key.size(); ++i) h = h * 33 + bytes[i];
  return h;
}

uint32_t Wt6(std::string_view key) noexcept {
  const uint8_t* bytes = Bytes(key);
  uint32_t h0 = 0xA53C965A, h1 = 0x5CA6953A;
  int shift0 = 6, shift1 = 18;
  for (size_t i = 0; i < key.size(); ++i) {
    h0 = ~(h0 ^ bytes[i]);
    h1 = ~(h1 + bytes[i]);
    const uint32_t turned = std::rotl(h1, shift0);
    h1 = std::rotl(h0, shift1);
    h0 = turned;
    const uint32_t shifts = ((h0 >> 16) ^ h1) & 0xFFFF;
    shift0 = static_cast<int>(shifts & 31);
    shift1 = static_cast<int>(shifts >> 11);
  }
  return h0 ^ h1;
}

uint32_t DecimalKey(std::string_view key) noexcept {
  const bool is_negative = key.starts_with('-');
  if (is_negative || key.starts_with('+')) key.remove_prefix(1);
  const uint64_t limit = (uint64_t{1} << 63) - (is_negative ? 0 : 1);
  uint64_t number = 0;
  for (const char digit : key) {
    if (digit < '0' || digit > '9') break;
    const auto value = static_cast<uint64_t>(digit - '0');
    if (number > (limit - value) / 10) {
      number = limit;
      break;
    }
    number = number * 10 + value;
  }
  return static_cast<uint32_t>(is_negative ? 0 - number : number);
}

}  // namespace clockwise::compat_internal
