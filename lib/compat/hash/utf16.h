// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Keys in UTF-8 as the UTF-16 code units that peers in Java and JavaScript
// hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compat/hash/bytes.h"

namespace clockwise::compat_internal {

struct CodePoint {
  uint32_t value;
  size_t size;  // in bytes
};

// Decodes the first code point of 1 or more bytes of UTF-8. What is not UTF-8
// is U+FFFD, once for each maximal part that could have begun a code point, as
// in the decoder of the Encoding Standard (and of Node.js; Java has one U+FFFD
// rather than three for an encoded surrogate).
CodePoint DecodeUtf8(const uint8_t* bytes, size_t left) noexcept;

// Calls take(unit) for each UTF-16 code unit (uint16_t) of the key.
template <class Take>
CW_INLINE void ForUtf16(std::string_view key, Take take) noexcept {
  const uint8_t* bytes = Bytes(key);
  for (size_t i = 0; i < key.size();) {
    if (bytes[i] < 0x80) {
      take(uint16_t{bytes[i++]});
      continue;
    }
    const CodePoint point = DecodeUtf8(bytes + i, key.size() - i);
    i += point.size;
    if (point.value < 0x10000) {
      take(static_cast<uint16_t>(point.value));
    } else {
      const uint32_t beyond = point.value - 0x10000;
      take(static_cast<uint16_t>(0xD800 + (beyond >> 10)));
      take(static_cast<uint16_t>(0xDC00 + (beyond & 0x3FF)));
    }
  }
}

// String.hashCode() of Java.
uint32_t JavaHashCode(std::string_view key) noexcept;

// FNV with 16-bit units in place of bytes; of the 64-bit ones the low 32 bits.
uint32_t Fnv1_64Utf16(std::string_view key) noexcept;
uint32_t Fnv1a64Utf16(std::string_view key) noexcept;
uint32_t Fnv1_32Utf16(std::string_view key) noexcept;
uint32_t Fnv1a32Utf16(std::string_view key) noexcept;

}  // namespace clockwise::compat_internal
