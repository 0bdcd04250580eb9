// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/mcrouter.h"

#include <bit>

namespace clockwise::compat_internal {

uint64_t Furc(McrouterBits bits, uint64_t buckets) noexcept {
  if (buckets <= 1) return 0;
  size_t digits = static_cast<size_t>(std::bit_width(buckets - 1));
  size_t at = digits;
  for (int tries = 0; tries < McrouterBits::kTries; ++tries) {
    for (; !bits.Bit(at); at = digits) {
      if (--digits == 0) return 0;
    }
    at += McrouterBits::kStride;
    uint64_t number = 1;
    for (size_t i = 1; i < digits; ++i, at += McrouterBits::kStride) {
      number = number << 1 | (bits.Bit(at) ? 1 : 0);
    }
    if (number < buckets) return number;
  }
  return 0;
}

}  // namespace clockwise::compat_internal
