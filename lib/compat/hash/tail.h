// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The last bytes of a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/endian.h"

namespace clockwise::compat_internal {

// Returns 1 to 8 bytes as a little-endian number, and reads no others.
CW_INLINE uint64_t LoadTail(const uint8_t* from, size_t size) noexcept {
  if (size >= 4) {
    const uint64_t last = LoadLe32(from + size - 4);
    return LoadLe32(from) | last << (8 * (size - 4));
  }
  const uint64_t middle = from[size / 2], last = from[size - 1];
  return from[0] | middle << (8 * (size / 2)) | last << (8 * (size - 1));
}

}  // namespace clockwise::compat_internal
