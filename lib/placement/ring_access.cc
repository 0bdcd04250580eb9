// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/ring_access.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/out_of_memory.h"

namespace clockwise {
namespace {

Block CopyBytes(const void* from, size_t bytes, BlockSource& source) noexcept {
  Block block = Block::Acquire(source, bytes);
  if (block.data() != nullptr) std::memcpy(block.data(), from, bytes);
  return block;
}

}  // namespace

Ring RingAccess::Make(Block image, Block table) noexcept {
  return Ring(std::move(image), std::move(table));
}

const NodeTable& RingAccess::TableOf(const Ring& ring) noexcept {
  return *static_cast<const NodeTable*>(ring.table_block_.data());
}

void RingAccess::SetEpoch(Ring& ring, uint64_t epoch) noexcept {
  static_cast<detail::RingImage*>(ring.image_block_.data())->epoch = epoch;
}

void RingAccess::MakeBase(Ring& ring) noexcept {
  auto& image = *static_cast<detail::RingImage*>(ring.image_block_.data());
  image.local = 0;
  std::copy_n(image.digest, 2, image.base_digest);
}

Block RingAccess::CopyImage(const Ring& ring, BlockSource& source) noexcept {
  return CopyBytes(ring.image(), ring.image()->bytes, source);
}

void RingAccess::MoveInto(Ring& ring, Block image) noexcept {
  ring = Ring(std::move(image), std::move(ring.table_block_));
}

bool RingAccess::IsFrom(const Ring& ring, const BlockSource& source) noexcept {
  return ring.image_block_.source() == &source;
}

Result<Ring> Ring::Copy(uint64_t epoch, BlockSource* source) const {
  BlockSource& from = source != nullptr ? *source : DefaultBlockSource();
  Block image = RingAccess::CopyImage(*this, from);
  Block table = CopyBytes(table_block_.data(), table_block_.bytes(), from);
  if (image.data() == nullptr || table.data() == nullptr) {
    return OutOfMemory();
  }
  Ring copy(std::move(image), std::move(table));
  RingAccess::SetEpoch(copy, epoch);
  RingAccess::MakeBase(copy);
  return copy;
}

}  // namespace clockwise
