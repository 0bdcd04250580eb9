// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The remainder of a division by a number that is known beforehand.
#pragma once

#include <cstdint>

#include "clockwise/detail/api.h"

namespace clockwise::detail {

// Two multiplications for a division.
class Modulus {
 public:
  // Of(n) by divisor 0 means nothing, but may be asked.
  constexpr explicit Modulus(uint32_t divisor) noexcept
      : divisor_(divisor),
        inverse_(divisor == 0 ? 0 : ~uint64_t{0} / divisor) {}

  // Returns n mod divisor.
  [[nodiscard]] CW_INLINE uint32_t Of(uint64_t n) const noexcept {
    __extension__ using Uint128 = unsigned __int128;
    // n / divisor exceeds n * inverse / 2^64 by less than 1, so the quotient is
    // right or one too small.
    const auto quotient = static_cast<uint64_t>(Uint128{n} * inverse_ >> 64);
    const uint64_t rest = n - quotient * divisor_;
    // No branch: for many divisors it would be taken at random.
    const uint64_t is_small = rest >= divisor_ ? 1 : 0;
    return static_cast<uint32_t>(rest - (divisor_ & -is_small));
  }

  [[nodiscard]] constexpr uint32_t divisor() const noexcept {
    return static_cast<uint32_t>(divisor_);
  }

 private:
  uint64_t divisor_;
  uint64_t inverse_;  // floor((2^64 - 1) / divisor)
};

}  // namespace clockwise::detail
