// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "members/native_schemes.h"

#include <utility>

#include "clockwise/anchor.h"
#include "clockwise/jump.h"
#include "clockwise/maglev.h"
#include "clockwise/modulo.h"
#include "clockwise/multi_probe.h"
#include "clockwise/rendezvous.h"
#include "clockwise/rule_placement.h"
#include "clockwise/slots.h"
#include "members/slot_ranges.h"

namespace clockwise {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kAnchor[] = {"capacity", "removed"};
constexpr std::string_view kMaglev[] = {"table_size"};
constexpr std::string_view kSlots[] = {"slots"};

// The options that all of them have.
template <typename Options>
Options OptionsOf(const Members& members) {
  Options options;
  options.name = members.options.name;
  options.seed = members.options.seed;
  options.key_hash = members.options.key_hash;
  return options;
}

template <typename P>
Result<AnyPlacement> Hold(Result<P>&& built) {
  if (!built.ok()) return built.status();
  return AnyPlacement(std::move(built).value());
}

// Of those that have no options of their own.
template <typename P>
Result<AnyPlacement> BuildPlain(const Members& members, BlockSource* source) {
  return Hold(
      P::Build(members.nodes, OptionsOf<PlacementOptions>(members), source));
}

Result<AnyPlacement> BuildMaglev(const Members& members, BlockSource* source) {
  auto options = OptionsOf<MaglevOptions>(members);
  const auto size =
      NumberParam(members, "table_size", kDefaultTableSize, 2, kMaxTableSize);
  if (!size.ok()) return size.status();
  options.table_size = static_cast<uint32_t>(size.value());
  return Hold(Maglev::Build(members.nodes, options, source));
}

Result<AnyPlacement> BuildAnchor(const Members& members, BlockSource* source) {
  auto options = OptionsOf<AnchorOptions>(members);
  const auto capacity =
      NumberParam(members, "capacity", kDefaultAnchorCapacity, 1, kMaxNodes);
  if (!capacity.ok()) return capacity.status();
  options.capacity = static_cast<uint32_t>(capacity.value());
  std::string_view removed =
      ParamOf(members.options.params, "removed").value_or("");
  while (!removed.empty()) {
    const std::string_view text = CutFirst(removed);
    const auto bucket = ParseUnsigned(text);
    if (!bucket || *bucket >= kMaxNodes) {
      return BadParam("removed", text, "a list of buckets, as 4,0,");
    }
    options.removed.push_back(static_cast<uint32_t>(*bucket));
  }
  return Hold(Anchor::Build(members.nodes, options, source));
}

Result<AnyPlacement> BuildSlots(const Members& members, BlockSource* source) {
  auto options = OptionsOf<SlotsOptions>(members);
  const auto slots = NumberParam(members, "slots", kDefaultSlots, 1, kMaxSlots);
  if (!slots.ok()) return slots.status();
  options.slots = static_cast<uint32_t>(slots.value());
  const auto owners = ReadSlots(members, options.slots);
  if (!owners.ok()) return owners.status();
  std::vector<std::string_view> previous;
  for (NodeIndex owner : owners.value()) {
    previous.push_back(owner != kNoNode ? members.nodes[owner].id
                                        : std::string_view());
  }
  options.previous = previous;
  std::vector<Node> nodes = members.nodes;
  for (Node& node : nodes) node.params.clear();  // are in the table now
  return Hold(Slots::Build(nodes, options, source));
}

class GuavaRule final : public OwnerRule {
 public:
  explicit GuavaRule(size_t nodes) : nodes_(static_cast<int32_t>(nodes)) {}
  // The -1 of no bucket is kNoNode.
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept override {
    return static_cast<NodeIndex>(GuavaConsistentHash(hash, nodes_));
  }

 private:
  int32_t nodes_;
};

Result<AnyPlacement> BuildGuavaJump(const Members& members,
                                    BlockSource* source) {
  auto options = OptionsOf<RuleOptions>(members);
  options.scheme = "guava-jump";
  if (Status refused = CheckNoWeights(members); !refused.ok()) return refused;
  return Hold(RulePlacement::Build(
      members.nodes, options, std::make_unique<GuavaRule>(members.nodes.size()),
      source));
}

constexpr std::string_view kEndOnly =
    "no weights; nodes come and go at the end of the list, any other change "
    "moves keys of survivors";

constexpr Scheme Native(std::string_view id, std::string_view about,
                        std::string_view traps, bool is_monotone,
                        bool is_order_dependent, Names ring_params,
                        Names node_params,
                        Result<AnyPlacement> (*build)(const Members&,
                                                      BlockSource*)) {
  return {id,          about,       traps,   is_monotone, is_order_dependent,
          ring_params, node_params, nullptr, build,       true};
}

// By id.
constexpr Scheme kSchemes[] = {
    Native("anchor", "AnchorHash, Mendelson et al. 2020",
           "no weights; a capacity; the order of removals is part of it", true,
           true, kAnchor, Names(), BuildAnchor),
    Native("guava-jump", "Hashing.consistentHash of Guava 31.1", kEndOnly,
           false, true, Names(), Names(), BuildGuavaJump),
    Native("jump", "jump consistent hash, Lamping and Veach 2014", kEndOnly,
           false, true, Names(), Names(), BuildPlain<Jump>),
    Native("maglev", "Maglev, Eisenbud et al. 2016, weights as in Envoy",
           "a change moves some keys of survivors", false, false, kMaglev,
           Names(), BuildMaglev),
    Native("modulo", "hash mod n, by ascending id",
           "no weights; a change moves nearly every key", false, false, Names(),
           Names(), BuildPlain<Modulo>),
    Native("multi-probe",
           "multi-probe consistent hashing, Appleton and O'Reilly 2015",
           "no weights; 21 searches a key", true, false, Names(), Names(),
           BuildPlain<MultiProbe>),
    Native("rendezvous", "rendezvous hashing, weights by the logarithm",
           "a lookup looks at every node", true, false, Names(), Names(),
           BuildPlain<Rendezvous>),
    Native("slots", "fixed partitions with the least moves",
           "the table that was is part of it: keep each node's list of slots",
           true, false, kSlots, kSlots, BuildSlots),
};

}  // namespace

std::span<const Scheme> NativeSchemes() { return kSchemes; }

}  // namespace clockwise
