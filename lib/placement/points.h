// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The points of scheme clockwise-1: how many a node has, and where they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/align.h"
#include "base/endian.h"
#include "clockwise/node.h"
#include "hash/xxh3_inline.h"

namespace clockwise {

// weight * vnodes rounded half up, at least one unless the weight is 0. At most
// 65,536,000,000: callers hold the sum against their limit.
constexpr uint64_t PointCount(Weight weight, uint32_t vnodes) noexcept {
  if (weight.thousandths() == 0) return 0;
  const uint64_t count = (weight.thousandths() * vnodes + 500) / 1000;
  return std::max<uint64_t>(count, 1);
}

// Calls `take(position)` for points [first, last) of the node, in that order.
//
// The names differ in their last four bytes only. They are written to 16
// buffers in turn and hashed a round later: hashing a buffer just written would
// wait for the store each time.
template <typename Take>
void ForEachPoint(std::string_view id, uint64_t seed, uint32_t first,
                  uint32_t last, Take take) {
  constexpr uint32_t kBuffers = 16;
  constexpr size_t kStride = RoundUpToLine(kMaxIdBytes + sizeof(uint32_t));
  alignas(kCacheLine) char names[kBuffers][kStride];
  const size_t bytes = id.size() + sizeof(uint32_t);
  for (uint32_t b = 0; b < std::min(kBuffers, last - first); ++b) {
    std::memcpy(names[b], id.data(), id.size());
  }
  for (uint32_t i = first; i < last;) {
    const uint32_t round = std::min(kBuffers, last - i);
    for (uint32_t b = 0; b < round; ++b) StoreLe32(names[b] + id.size(), i + b);
    for (uint32_t b = 0; b < round; ++b)
      take(hash_internal::Xxh3Inline(names[b], bytes, seed));
    i += round;
  }
}

}  // namespace clockwise
