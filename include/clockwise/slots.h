// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placement `slots`: fixed partitions, each owned by a node. One load a lookup,
// the fairest shares there are, and the fewest moves, slot by slot; but the
// table that was is part of the placement: it must be kept and handed on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "clockwise/detail/owner_table.h"
#include "clockwise/placement.h"

namespace clockwise {

inline constexpr uint32_t kDefaultSlots = 16384;
inline constexpr uint32_t kMaxSlots = 1u << 24;

struct SlotsOptions : PlacementOptions {
  uint32_t slots = kDefaultSlots;  // 1 to 2^24
  // The owner's id of each slot until now, or none: a new table. Slots of ids
  // that are not placed any more, "" among them, have no owner.
  std::span<const std::string_view> previous = {};
};

// Nodes are numbered by ascending id. Each owns its exact share, slots * weight
// / sum of weights, rounded down or up: up for as many as fill the table, first
// nodes that owned more than their share rounded down, then those with the
// largest remainder, then the smaller ids. From the previous table the fewest
// slots move that reach this. A node with too many keeps those with the largest
// fmix64(h xor slot), h = XXH3-64(id, seed); slots without an owner, ascending,
// go to nodes that have too few in order of fmix64(h + j), j = what they have
// already, and so on: at random, so that neighbours differ.
//
// A node of less than a slot's share may own none.
class Slots : public KeyLookups<Slots> {
 public:
  // As placement.h says; also kInvalidOptions if `slots` is out of range or
  // `previous` has another number of them.
  CW_API static Result<Slots> Build(std::span<const Node> nodes,
                                    const SlotsOptions& options = {},
                                    BlockSource* source = nullptr);

  // Returns the owner of slot SlotOf(hash); kNoNode without nodes. One load,
  // inlined.
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    return table_.Owner(hash);
  }
  // owners[i] = Owner(hashes[i]); large tables are read ahead.
  CW_API void Owners(const uint64_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  using KeyLookups::Owner;
  using KeyLookups::Owners;

  // Writes the first `count` distinct owners of the hash's slot and those after
  // it, past the last slot from the first on, to `nodes`. Returns how many it
  // wrote: `count`, or all nodes that own slots where those are fewer. O(slots
  // walked), times count with more than 1,024 nodes; ends after one turn.
  CW_API size_t Replicas(uint64_t hash, size_t count,
                         NodeIndex* nodes) const noexcept;

  // Returns hash mod slots().
  [[nodiscard]] CW_INLINE uint32_t SlotOf(uint64_t hash) const noexcept {
    return table_.SlotOf(hash);
  }
  // The owner of a slot below slots().
  [[nodiscard]] NodeIndex OwnerAt(uint32_t slot) const noexcept {
    return table_.At(slot);
  }
  [[nodiscard]] uint32_t slots() const noexcept { return table_.size(); }
  // The owner's id of each slot: `previous` of the next table. Views of this
  // one. Allocates; may throw std::bad_alloc.
  [[nodiscard]] CW_API std::vector<std::string_view> OwnerIds() const;
  // Bytes of the node table and of the table of owners.
  [[nodiscard]] size_t bytes() const noexcept {
    return PlacedNodes::bytes() + table_.bytes();
  }

 private:
  Slots(PlacedNodes&& nodes, detail::OwnerTable&& table,
        uint32_t owners) noexcept
      : KeyLookups(std::move(nodes)),
        table_(std::move(table)),
        owner_count_(owners) {}

  detail::OwnerTable table_;
  uint32_t owner_count_;  // nodes that own slots
};

static_assert(NamedPlacement<Slots> && ReplicatedPlacement<Slots>);

}  // namespace clockwise
