// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The bytes of a ring's file.
#pragma once

#include "clockwise/block_source.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// Returns them in a block of the default source. kInvalidOptions where this
// process has no name for the key hash; kOutOfMemory. May throw
// std::bad_alloc.
Result<Block> SealRing(const Ring& ring);

}  // namespace clockwise
