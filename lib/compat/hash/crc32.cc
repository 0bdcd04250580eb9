// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/crc32.h"

#include <zlib.h>

#include "compat/hash/bytes.h"

namespace clockwise::compat_internal {

uint32_t Crc32(std::string_view text, uint32_t crc) noexcept {
  if (text.empty()) return crc;  // zlib starts anew where the pointer is null
  return static_cast<uint32_t>(crc32_z(crc, Bytes(text), text.size()));
}

}  // namespace clockwise::compat_internal
