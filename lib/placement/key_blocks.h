// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Batches of keys, cut into blocks that are hashed and looked up in turn.
#pragma once

#include <algorithm>
#include <cstddef>

#include "clockwise/hash.h"

namespace clockwise {

// Keys hashed at a time, so that the search of some goes on while the next come
// from memory.
inline constexpr size_t kKeyBlock = 128;

template <typename F>
void ForBlocks(size_t count, F&& f) {
  for (size_t first = 0; first < count; first += kKeyBlock) {
    f(first, std::min(kKeyBlock, count - first));
  }
}

// Asks for the cache lines of keys [first, first + kKeyBlock), as far as they
// go, one a key where they lie apart: fresh from the network or a file they
// would come one miss after the other.
inline void PrefetchKeys(const FixedKeys& keys, size_t first) {
  const size_t end = std::min(first + kKeyBlock, keys.count) * keys.stride;
  const size_t step = std::max<size_t>(keys.stride, 64);
  const auto* data = static_cast<const char*>(keys.data);
  for (size_t i = first * keys.stride; i < end; i += step) {
    __builtin_prefetch(data + i, 0, 0);  // read once
  }
}

// Calls f(first, block) for each block of the keys, fetched ahead.
template <typename F>
void ForKeyBlocks(const FixedKeys& keys, F&& f) {
  const auto* data = static_cast<const char*>(keys.data);
  PrefetchKeys(keys, 0);
  PrefetchKeys(keys, kKeyBlock);
  ForBlocks(keys.count, [&](size_t first, size_t some) {
    PrefetchKeys(keys, first + 2 * kKeyBlock);
    f(first,
      FixedKeys{data + first * keys.stride, keys.size, keys.stride, some});
  });
}

}  // namespace clockwise
