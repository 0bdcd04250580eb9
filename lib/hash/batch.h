// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Where a batch writes its hashes.
#pragma once

#include <cstdint>

namespace clockwise::hash_internal {

// One of the two, so that each kernel is compiled once for both.
struct Hashes {
  uint32_t* bits32;
  uint64_t* left_aligned;
};

}  // namespace clockwise::hash_internal
