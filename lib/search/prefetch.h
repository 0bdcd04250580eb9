// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#pragma once

#include "clockwise/detail/ring_image.h"

namespace clockwise {

// Reads what searches of an image will read, in order, at most kPrefetched
// bytes of it.
inline constexpr uint64_t kPrefetched = uint64_t{1} << 20;
void Prefetch(const detail::RingImage& image) noexcept;

}  // namespace clockwise
