// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How Maglev tables are filled. Schemes differ in whose turn it is, and in the
// order in which a node asks for slots; what they share is here. Exported where
// clockwise-compat has to call it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/node.h"

namespace clockwise {

// A node's wishes: offset, offset + skip, … mod size.
class MaglevSteps {
 public:
  // offset < size, 0 < skip < size.
  MaglevSteps(uint32_t offset, uint32_t skip, uint32_t size) noexcept
      : next_(offset), skip_(skip), size_(size) {}

  uint32_t Next() noexcept {
    const uint32_t slot = next_;
    const uint32_t to_end = size_ - next_;
    next_ = skip_ < to_end ? next_ + skip_ : skip_ - to_end;
    return slot;
  }

 private:
  uint32_t next_;
  uint32_t skip_;
  uint32_t size_;
};

// A table on its way to being full.
class MaglevFill {
 public:
  // `owners` are the slots, at least one, all of them free.
  explicit MaglevFill(std::span<NodeIndex> owners)
      : owners_(owners), taken_((owners.size() + 63) / 64) {}

  [[nodiscard]] bool is_full() const noexcept {
    return filled_ == owners_.size();
  }

  // Gives `node` the first free slot of its wishes, whose Next() tells them one
  // by one, in the end each slot. Not when the table is full.
  template <typename Wishes>
  void Take(NodeIndex node, Wishes& wishes) {
    uint32_t slot = wishes.Next();
    while (!TestAndSetTaken(slot)) slot = wishes.Next();
    owners_[slot] = node;
    ++filled_;
  }

 private:
  // Returns whether it was free. Bits, since they fit the first cache.
  bool TestAndSetTaken(uint32_t slot) noexcept {
    uint64_t& word = taken_[slot / 64];
    const uint64_t bit = uint64_t{1} << slot % 64;
    const bool is_free = (word & bit) == 0;
    word |= bit;
    return is_free;
  }

  std::span<NodeIndex> owners_;
  std::vector<uint64_t> taken_;
  size_t filled_ = 0;
};

struct MaglevNode {
  uint32_t offset;  // below the table's size
  uint32_t skip;    // from 1 to size - 1
  double weight;    // above 0; Envoy: its share of the sum of weights
};

// Fills a table of a prime size as Envoy does: in round k each node in turn
// takes a slot, unless k * weight is below what it has taken, slots times the
// largest weight. `nodes` are in the order of their turns; owners[slot] becomes
// an index of it. Only sums, products and comparisons of doubles, none of which
// a compiler may fuse: the same table everywhere. Not of 0 nodes.
CW_API void FillByWeight(std::span<const MaglevNode> nodes,
                         std::span<NodeIndex> owners);

// Whether `n` is a prime. O(sqrt n).
CW_API bool IsPrime(uint32_t n) noexcept;

}  // namespace clockwise
