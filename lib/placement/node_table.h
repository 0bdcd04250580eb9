// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The bytes of a ring's node table: who stands behind each slot.
//
//   | header | records[slots] | by_id[members] | text |   each part aligned
//
// Pointer-free and immutable like the image. Text holds the ring's name, scheme
// and parameters, then for each used slot id, region, zone, rack, address and
// parameters, without separators: by id, or as the nodes were added where that
// order belongs to the ring (Ties), so that the table tells it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "clockwise/block_source.h"
#include "clockwise/node.h"
#include "clockwise/ring_builder.h"

namespace clockwise {

struct NodeRecord {
  uint64_t text_at;  // of the id, in the text part
  uint32_t thousandths;
  uint32_t points;
  uint8_t id_bytes;  // 0: a hole
  uint8_t region_bytes;
  uint8_t zone_bytes;
  uint8_t rack_bytes;
  uint16_t address_bytes;
  uint16_t params_bytes;
};
static_assert(sizeof(NodeRecord) == 24);

struct alignas(64) NodeTable {
  uint64_t bytes;
  uint64_t by_id_at;  // byte offsets from the table's first byte
  uint64_t text_at;
  uint32_t slots;
  uint32_t members;
  uint32_t vnodes;
  uint32_t max_points;
  uint8_t name_bytes;
  uint8_t scheme_bytes;
  uint8_t layout_asked;  // Layout + 1; 0: the builder picks
  Ties ties;
  uint8_t reserved[2];
  uint16_t params_bytes;
  uint8_t reserved2[16];

  [[nodiscard]] std::span<const NodeRecord> Records() const noexcept;
  // Slots by ascending id.
  [[nodiscard]] std::span<const NodeIndex> ById() const noexcept;
  // Slots of all members as the scheme orders them: by id, or as they were
  // added. May throw std::bad_alloc.
  [[nodiscard]] std::vector<NodeIndex> InOrder() const;
  [[nodiscard]] std::string_view Name() const noexcept;
  [[nodiscard]] std::string_view Scheme() const noexcept;
  [[nodiscard]] ParamsView Parameters() const noexcept;
  // Empty for a hole or a slot beyond the table.
  [[nodiscard]] std::string_view IdOf(NodeIndex slot) const noexcept;
  [[nodiscard]] NodeView View(NodeIndex slot) const noexcept;
  // kNoNode if there is no such member. O(log members).
  [[nodiscard]] NodeIndex Find(std::string_view id) const noexcept;

 private:
  [[nodiscard]] const char* Text() const noexcept;
};
static_assert(sizeof(NodeTable) == 64);

// A node on its way into a ring; views what the builder or the base ring holds.
struct Member {
  NodeView node;
  NodeIndex slot = kNoNode;
  uint64_t points = 0;  // wanted; node.points only once the sum is allowed
  uint64_t order = 0;   // of additions; of a base's members, of their texts
  // Points in the ring that is changed, 0 if the node is new to it.
  uint32_t base_points = 0;
  // Explicit points, ascending, where they are given; else `has_positions` is
  // false and they are derived, or found in the base.
  std::span<const uint64_t> positions;
  bool has_positions = false;
};

// What of a ring is in no member.
struct TableHead {
  std::string_view name;
  std::string_view scheme;
  std::string_view params;  // packed
  uint32_t vnodes = 0;
  uint32_t max_points = 0;
  uint8_t layout_asked = 0;
  Ties ties = Ties::kSmallestId;
};

// `members`, which ascend by id, as the scheme orders them: by id, or as they
// were added.
std::vector<const Member*> InOrder(std::span<const Member> members, Ties ties);

// Writes the table of `members`, which ascend by id and have their slots, all
// below `slots`. A block without data if the source has none; may throw
// std::bad_alloc.
Block BuildNodeTable(const TableHead& head, std::span<const Member> members,
                     uint32_t slots, BlockSource& source);

}  // namespace clockwise
