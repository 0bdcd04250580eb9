// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placement `maglev`: a table of owners (Eisenbud et al., "Maglev: A Fast and
// Reliable Software Network Load Balancer", NSDI 2016), with weights as Envoy
// fills it. One load a lookup, and shares as even as the table is long; but a
// change moves some keys among survivors too, and needs a whole new table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "clockwise/detail/owner_table.h"
#include "clockwise/placement.h"

namespace clockwise {

inline constexpr uint32_t kDefaultTableSize = 65537;
inline constexpr uint32_t kMaxTableSize = 1u << 27;

struct MaglevOptions : PlacementOptions {
  // Slots of the table: a prime, at most 2^27. 100 a node and more keep shares
  // within a hundredth of the mean.
  uint32_t table_size = kDefaultTableSize;
};

// Nodes are numbered by ascending id. A node's slots are asked for in the order
// offset, offset + skip, … mod table_size, where offset = XXH3-64(id, seed) mod
// table_size and skip = XXH3-64(id, seed + 1) mod (table_size - 1) + 1. In
// round k = 1, 2, … each node in turn takes its first free slot, but for those
// with k * w < t; t is the node's, begins with 0 and grows by the largest
// weight at each slot. w is the weight over the sum of all, in doubles, as
// Envoy has it. So each node has a slot at least. No replicas.
class Maglev : public KeyLookups<Maglev> {
 public:
  // As placement.h says; also kInvalidOptions if table_size is not a prime or
  // is too large, kTooManyNodes if it is below the number of nodes. About
  // table_size * ln(table_size) steps: 1 ms for 65,537 slots.
  CW_API static Result<Maglev> Build(std::span<const Node> nodes,
                                     const MaglevOptions& options = {},
                                     BlockSource* source = nullptr);

  // Returns the owner of slot hash mod table_size; kNoNode without nodes. One
  // load, inlined.
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    return table_.Owner(hash);
  }
  // owners[i] = Owner(hashes[i]); large tables are read ahead.
  CW_API void Owners(const uint64_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  using KeyLookups::Owner;
  using KeyLookups::Owners;

  [[nodiscard]] uint32_t table_size() const noexcept { return table_.size(); }
  // The owner of a slot below table_size().
  [[nodiscard]] NodeIndex OwnerAt(uint32_t slot) const noexcept {
    return table_.At(slot);
  }
  // Bytes of the node table and of the table of owners.
  [[nodiscard]] size_t bytes() const noexcept {
    return PlacedNodes::bytes() + table_.bytes();
  }

 private:
  Maglev(PlacedNodes&& nodes, detail::OwnerTable&& table) noexcept
      : KeyLookups(std::move(nodes)), table_(std::move(table)) {}

  detail::OwnerTable table_;
};

static_assert(NamedPlacement<Maglev>);

}  // namespace clockwise
