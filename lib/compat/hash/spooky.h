// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// SpookyHash V2 (Jenkins).
#pragma once

#include <cstdint>
#include <string_view>

#include "clockwise/hash.h"

namespace clockwise::compat_internal {

inline constexpr uint32_t kSpookySeedMcrouter = 0xFACE2014;

// `high` is the first word that SpookyHash gives, `low` the second.
Hash128 Spooky128(std::string_view key, uint64_t seed1,
                  uint64_t seed2) noexcept;

// Low 32 bits of the first word.
uint32_t Spooky32(std::string_view key, uint32_t seed) noexcept;

}  // namespace clockwise::compat_internal
