// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A table of owners, asked by hash mod size: what Maglev and fixed slots share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/detail/modulus.h"
#include "clockwise/node.h"

namespace clockwise::detail {

// Owners have 16 bits where all nodes fit, since a table of half the size
// stays in the caches of other work; else 32.
class OwnerTable {
 public:
  OwnerTable() = default;
  // Copies `owners`, of nodes below `nodes`, or all kNoNode where that is 0.
  // is_there() is false afterwards if `source` had no block.
  OwnerTable(std::span<const NodeIndex> owners, uint32_t nodes,
             BlockSource& source);

  [[nodiscard]] bool is_there() const noexcept {
    return block_.data() != nullptr;
  }
  [[nodiscard]] uint32_t size() const noexcept { return modulus_.divisor(); }
  [[nodiscard]] size_t bytes() const noexcept { return block_.bytes(); }

  [[nodiscard]] CW_INLINE NodeIndex At(uint32_t slot) const noexcept {
    if (is_wide_) [[unlikely]] {
      return static_cast<const uint32_t*>(block_.data())[slot];
    }
    return static_cast<const uint16_t*>(block_.data())[slot];
  }
  [[nodiscard]] CW_INLINE uint32_t SlotOf(uint64_t hash) const noexcept {
    return modulus_.Of(hash);
  }
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    return At(SlotOf(hash));
  }
  // owners[i] = Owner(hashes[i]); large tables are read ahead.
  void Owners(const uint64_t* hashes, size_t count,
              NodeIndex* owners) const noexcept;

 private:
  Block block_;
  Modulus modulus_{0};
  bool is_wide_ = false;
};

}  // namespace clockwise::detail
