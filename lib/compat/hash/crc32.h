// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CRC-32 of ISO 3309 (that of Ethernet and zip).
#pragma once

#include <cstdint>
#include <string_view>

namespace clockwise::compat_internal {

// The CRC of `text`; `crc`, that of an earlier part, continues it. By zlib.
uint32_t Crc32(std::string_view text, uint32_t crc = 0) noexcept;

}  // namespace clockwise::compat_internal
