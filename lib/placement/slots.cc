// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/slots.h"

#include <algorithm>
#include <array>
#include <new>

#include "base/endian.h"
#include "base/out_of_memory.h"
#include "placement/assign_slots.h"
#include "placement/placed_nodes.h"

namespace clockwise {
namespace {

constexpr PlacementScheme kScheme = {.id = "slots", .has_weights = true};

Status CheckSlots(const SlotsOptions& options) {
  if (options.slots < 1 || options.slots > kMaxSlots) {
    return RefuseOptions(kScheme, options,
                         "slots " + std::to_string(options.slots) + "; 1 to " +
                             std::to_string(kMaxSlots));
  }
  if (!options.previous.empty() && options.previous.size() != options.slots) {
    return RefuseOptions(
        kScheme, options,
        "the previous table has " + std::to_string(options.previous.size()) +
            " slots; this one " + std::to_string(options.slots));
  }
  return {};
}

// The previous owners that are still there.
std::vector<NodeIndex> Previous(const SlotsOptions& options,
                                std::span<const NodeView> nodes) {
  std::vector<NodeIndex> owners(options.slots, kNoNode);
  for (size_t slot = 0; slot < options.previous.size(); ++slot) {
    const std::string_view id = options.previous[slot];
    const auto found = std::lower_bound(
        nodes.begin(), nodes.end(), id,
        [](const NodeView& node, std::string_view x) { return node.id < x; });
    if (found == nodes.end() || found->id != id) continue;
    owners[slot] = static_cast<NodeIndex>(found - nodes.begin());
  }
  return owners;
}

std::vector<NodeIndex> Assigned(const SlotsOptions& options,
                                std::span<const NodeView> nodes) {
  std::vector<NodeIndex> owners = Previous(options, nodes);
  if (nodes.empty()) return owners;
  std::vector<SlotNode> assigned;
  for (const NodeView& node : nodes) {
    assigned.push_back(
        {Xxh3_64(node.id, options.seed), node.weight.thousandths()});
  }
  AssignSlots(assigned, owners);
  return owners;
}

// What the digest has of a table: what it was made from does not matter.
std::string TableDigest(const std::vector<NodeIndex>& owners) {
  std::string bytes(owners.size() * sizeof(uint32_t), '\0');
  for (size_t i = 0; i < owners.size(); ++i) {
    StoreLe32(bytes.data() + i * sizeof(uint32_t), owners[i]);
  }
  return ToHex(Xxh3_128(bytes, 0));
}

uint32_t CountOwners(const std::vector<NodeIndex>& owners, size_t nodes) {
  std::vector<bool> owns(nodes);
  for (NodeIndex owner : owners) {
    if (owner != kNoNode) owns[owner] = true;
  }
  return static_cast<uint32_t>(std::count(owns.begin(), owns.end(), true));
}

// Nodes met in a walk: exact where their numbers are few.
class MetNodes {
 public:
  static constexpr uint32_t kExact = 1024;

  // Returns whether another node of the same number modulo kExact was there.
  bool TestAndSet(NodeIndex node) noexcept {
    uint64_t& word = bits_[node % kExact / 64];
    const uint64_t bit = uint64_t{1} << node % 64;
    const bool was_set = (word & bit) != 0;
    word |= bit;
    return was_set;
  }

 private:
  std::array<uint64_t, kExact / 64> bits_{};
};

}  // namespace

Result<Slots> Slots::Build(std::span<const Node> nodes,
                           const SlotsOptions& options,
                           BlockSource* source) try {
  const auto listed = ListNodes(kScheme, options, nodes);
  if (!listed.ok()) return listed.status();
  if (Status s = CheckSlots(options); !s.ok()) return s;
  const auto owners = Assigned(options, listed.value());
  const SchemeParameter parameters[] = {
      {"slots", std::to_string(options.slots)}, {"table", TableDigest(owners)}};
  auto placed = PlacedNodesMaker::Make(kScheme, options, listed.value(),
                                       parameters, source);
  if (!placed.ok()) return placed.status();
  detail::OwnerTable table(owners, placed.value().node_count(),
                           source != nullptr ? *source : DefaultBlockSource());
  if (!table.is_there()) {
    return Status(Code::kOutOfMemory,
                  Title(kScheme.id, options.name) + ": no memory for " +
                      std::to_string(options.slots) + " slots");
  }
  const uint32_t owner_count = CountOwners(owners, listed.value().size());
  return Slots(std::move(placed).value(), std::move(table), owner_count);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void Slots::Owners(const uint64_t* hashes, size_t count,
                   NodeIndex* owners) const noexcept {
  table_.Owners(hashes, count, owners);
}

size_t Slots::Replicas(uint64_t hash, size_t count,
                       NodeIndex* nodes) const noexcept {
  count = std::min<size_t>(count, owner_count_);
  if (count == 0) return 0;
  const bool is_exact = node_count() <= MetNodes::kExact;
  MetNodes met;
  size_t found = 0;
  uint32_t slot = SlotOf(hash);
  for (uint32_t walked = 0; found < count && walked < slots(); ++walked) {
    const NodeIndex node = OwnerAt(slot);
    slot = slot + 1 == slots() ? 0 : slot + 1;
    const bool may_be_met = met.TestAndSet(node);
    if (may_be_met &&
        (is_exact || std::find(nodes, nodes + found, node) != nodes + found)) {
      continue;
    }
    nodes[found++] = node;
  }
  return found;
}

std::vector<std::string_view> Slots::OwnerIds() const {
  std::vector<std::string_view> ids;
  ids.reserve(slots());
  for (uint32_t slot = 0; slot < slots(); ++slot) {
    ids.push_back(node(OwnerAt(slot)).id);
  }
  return ids;
}

}  // namespace clockwise
