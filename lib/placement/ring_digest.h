// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The digest of a ring that is there.
#pragma once

#include <string_view>

#include "clockwise/detail/ring_image.h"
#include "clockwise/hash.h"
#include "placement/node_table.h"

namespace clockwise {

// Returns what a ring of these points and members has for its digest; the image
// needs no search part yet. `key_hash` is the name of its key hash. O(members),
// with explicit points O(points). May throw std::bad_alloc.
Hash128 RingDigest(const detail::RingImage& image, const NodeTable& table,
                   std::string_view key_hash);

}  // namespace clockwise
