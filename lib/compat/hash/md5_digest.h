// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// MD5 (RFC 1321).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/endian.h"
#include "clockwise/hash.h"

namespace clockwise::compat_internal {

struct Md5Digest {
  // Bytes 4k to 4k + 3, little-endian: what rings of the ketama family take.
  uint32_t words[4] = {};

  [[nodiscard]] std::array<uint8_t, 16> Bytes() const noexcept {
    std::array<uint8_t, 16> bytes;
    for (size_t k = 0; k < 4; ++k) StoreLe32(&bytes[4 * k], words[k]);
    return bytes;
  }
  // The first and the last 8 bytes, big-endian: the halves of the number that
  // the hexadecimal digest is.
  [[nodiscard]] uint64_t High64() const noexcept {
    return __builtin_bswap64(uint64_t{words[1]} << 32 | words[0]);
  }
  [[nodiscard]] uint64_t Low64() const noexcept {
    return __builtin_bswap64(uint64_t{words[3]} << 32 | words[2]);
  }
  friend bool operator==(const Md5Digest&, const Md5Digest&) = default;
};

// The digest of one text, by libmd.
Md5Digest Md5(std::string_view text) noexcept;

}  // namespace clockwise::compat_internal
