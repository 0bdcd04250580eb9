// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Images and node tables turned from one byte order into the other.
//
// A header first, or last when the way is from this machine's order: what tells
// where the parts lie must be in this machine's order while they are turned,
// and have been checked (check_image.h, check_table.h).
#pragma once

#include <bit>

#include "clockwise/detail/ring_image.h"
#include "placement/node_table.h"

namespace clockwise {

// Files are little-endian; a machine that is not turns what it reads and
// writes.
inline constexpr bool kTurns = std::endian::native != std::endian::little;

void TurnHeader(detail::RingImage& image) noexcept;
void TurnParts(detail::RingImage& image) noexcept;
void TurnHeader(NodeTable& table) noexcept;
void TurnParts(NodeTable& table) noexcept;

}  // namespace clockwise
