// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Whether bytes that came from outside are the image of a ring.
#pragma once

#include <cstdint>

#include "clockwise/detail/ring_image.h"
#include "placement/node_table.h"
#include "wire/defect.h"

namespace clockwise {

// The number that an image in a file has for a key hash that is told by name.
inline constexpr auto kKeyHashByName = static_cast<KeyHash>(255);

// Checks what of an image of `bytes` bytes stands in its header: with no
// defect, each part lies within them where its counts put it. Reads the header
// alone. `header` is in this machine's byte order. O(1).
Defect CheckImageHeader(const detail::RingImage& header, uint64_t bytes);

// Checks points, owners and search part of an image whose header was, with a
// table that was (CheckTable). O(bytes). May throw std::bad_alloc.
Defect CheckImage(const detail::RingImage& image, const NodeTable& table);

}  // namespace clockwise
