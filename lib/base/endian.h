// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Little-endian integers in unaligned bytes, on a CPU of either byte order.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "clockwise/detail/api.h"

namespace clockwise {

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);

CW_INLINE uint32_t SwapUnlessLittle(uint32_t v) noexcept {
  return std::endian::native == std::endian::little ? v : __builtin_bswap32(v);
}
CW_INLINE uint64_t SwapUnlessLittle(uint64_t v) noexcept {
  return std::endian::native == std::endian::little ? v : __builtin_bswap64(v);
}

CW_INLINE uint32_t LoadLe32(const void* from) noexcept {
  uint32_t v;
  std::memcpy(&v, from, sizeof(v));
  return SwapUnlessLittle(v);
}
CW_INLINE uint64_t LoadLe64(const void* from) noexcept {
  uint64_t v;
  std::memcpy(&v, from, sizeof(v));
  return SwapUnlessLittle(v);
}
CW_INLINE void StoreLe32(void* to, uint32_t v) noexcept {
  v = SwapUnlessLittle(v);
  std::memcpy(to, &v, sizeof(v));
}
CW_INLINE void StoreLe64(void* to, uint64_t v) noexcept {
  v = SwapUnlessLittle(v);
  std::memcpy(to, &v, sizeof(v));
}

}  // namespace clockwise
