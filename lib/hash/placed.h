// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A hash as a caller wants it: 64 bits left-aligned, or the high 32.
#pragma once

#include <cstdint>
#include <type_traits>

#include "clockwise/detail/api.h"

namespace clockwise::hash_internal {

template <class Out>
CW_INLINE Out Placed(uint32_t h) noexcept {
  return std::is_same_v<Out, uint64_t> ? static_cast<Out>(uint64_t{h} << 32)
                                       : Out{h};
}
template <class Out>
CW_INLINE Out Placed(uint64_t h) noexcept {
  return static_cast<Out>(std::is_same_v<Out, uint64_t> ? h : h >> 32);
}

}  // namespace clockwise::hash_internal
