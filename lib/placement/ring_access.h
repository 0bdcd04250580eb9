// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What publishing does to a ring that is built but not yet seen by anybody, and
// rings taken apart and put together for files.
#pragma once

#include <cstdint>

#include "clockwise/block_source.h"
#include "clockwise/ring.h"
#include "placement/node_table.h"

namespace clockwise {

struct RingAccess {
  // A ring of blocks that hold a whole and sound one.
  static Ring Make(Block image, Block table) noexcept;
  static const NodeTable& TableOf(const Ring& ring) noexcept;
  static void SetEpoch(Ring& ring, uint64_t epoch) noexcept;
  // Lets a local ring be one that stands for itself.
  static void MakeBase(Ring& ring) noexcept;
  // A copy of the image alone; a block without data if `source` has none.
  static Block CopyImage(const Ring& ring, BlockSource& source) noexcept;
  // Lets the ring live in `image`, a copy of its own, from now on.
  static void MoveInto(Ring& ring, Block image) noexcept;
  // Whether the image lies in a block of `source`.
  static bool IsFrom(const Ring& ring, const BlockSource& source) noexcept;
};

}  // namespace clockwise
