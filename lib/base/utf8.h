// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Which bytes are UTF-8 (RFC 3629).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clockwise {

// Returns the bytes of the code point that `text` begins with: 1 to 4; 0 if it
// begins with none, or is empty.
inline size_t Utf8Length(std::string_view text) noexcept {
  const auto byte = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
  };
  if (text.empty()) return 0;
  const uint32_t lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return 0;
  uint32_t value = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kLeast[bytes] || value > 0x10FFFF || is_surrogate) return 0;
  return bytes;
}

inline bool IsUtf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const size_t bytes = Utf8Length(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace clockwise
