// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The bytes of a key as peers widen them.
#pragma once

#include <cstdint>
#include <string_view>

#include "clockwise/detail/api.h"

namespace clockwise::compat_internal {

CW_INLINE const uint8_t* Bytes(std::string_view key) noexcept {
  return reinterpret_cast<const uint8_t*>(key.data());
}

// Whatever `char` is on this CPU.
CW_INLINE uint32_t SignExtend32(uint8_t byte) noexcept {
  return static_cast<uint32_t>(int32_t{static_cast<int8_t>(byte)});
}
CW_INLINE uint64_t SignExtend64(uint8_t byte) noexcept {
  return static_cast<uint64_t>(int64_t{static_cast<int8_t>(byte)});
}

}  // namespace clockwise::compat_internal
