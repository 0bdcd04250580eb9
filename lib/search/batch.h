// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Owners of many hashes at once, by the best code for the CPU and the layout.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/detail/ring_image.h"
#include "clockwise/node.h"

namespace clockwise {

// owners[i] = the owner of hashes[i]; 32-bit hashes stand for their value
// * 2^32. The SIMD target is chosen once per call.
void BatchOwners(const detail::RingImage& image, const uint64_t* hashes,
                 size_t count, NodeIndex* owners) noexcept;
void BatchOwners(const detail::RingImage& image, const uint32_t* hashes,
                 size_t count, NodeIndex* owners) noexcept;

}  // namespace clockwise
