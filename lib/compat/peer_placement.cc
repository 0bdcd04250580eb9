// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/peer_placement.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "compat/fields.h"

namespace clockwise::compat_internal {
namespace {

constexpr uint64_t kMaxTable = uint64_t{1} << 27;

// Numbers nodes by ascending id, as placements do that do not mind their order.
void NumberById(const std::vector<Node>& nodes,
                std::vector<NodeIndex>& owners) {
  std::vector<NodeIndex> places(nodes.size());
  std::iota(places.begin(), places.end(), NodeIndex{0});
  std::sort(places.begin(), places.end(), [&](NodeIndex a, NodeIndex b) {
    return nodes[a].id < nodes[b].id;
  });
  std::vector<NodeIndex> numbers(nodes.size());
  for (NodeIndex i = 0; i < places.size(); ++i) numbers[places[i]] = i;
  for (NodeIndex& owner : owners) {
    if (owner != kNoNode) owner = numbers[owner];
  }
}

}  // namespace

Status PeerPlacement::Add(size_t node, uint64_t slots) {
  if (owners.size() + slots > kMaxTable) {
    return {Code::kTooManyPoints, "needs a table of more than " +
                                      std::to_string(kMaxTable) + " slots"};
  }
  owners.insert(owners.end(), slots, static_cast<NodeIndex>(node));
  return {};
}

Result<PeerPlacement> OneSlotEach(const Members& members, PeerHash key_hash,
                                  bool with_drained) {
  PeerPlacement peer{.key_hash = key_hash};
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    if (!with_drained) {
      const auto is_there = IsThere(members.nodes[i]);
      if (!is_there.ok()) return is_there.status();
      if (!is_there.value()) continue;
    }
    if (Status full = peer.Add(i); !full.ok()) return full;
  }
  return peer;
}

Result<AnyPlacement> Assemble(const Members& members, PeerPlacement&& peer,
                              BlockSource* source) {
  RuleOptions options;
  options.name = members.options.name;
  options.scheme = members.options.scheme;
  options.params = members.options.params;
  options.is_order_dependent = !peer.sorts_nodes;
  options.key_hash = members.options.key_hash;
  options.seed = members.options.seed;
  if (peer.key_hash) {
    options.key_hash = KeyHashFor(*peer.key_hash);
    options.width = static_cast<uint32_t>(PeerHashBits(*peer.key_hash));
    options.seed = SeedOf(peer.key_rule);
  }
  if (peer.sorts_nodes) NumberById(members.nodes, peer.owners);
  if (peer.rule == nullptr) {
    peer.rule =
        MakeTableRule(peer.owners, static_cast<uint32_t>(members.nodes.size()),
                      options.width, source);
  }
  if (peer.rule == nullptr) {
    return Status(Code::kOutOfMemory, "no memory for a table of " +
                                          std::to_string(peer.owners.size()) +
                                          " slots");
  }
  auto built = RulePlacement::Build(members.nodes, options,
                                    std::move(peer.rule), source);
  if (!built.ok()) return built.status();
  return AnyPlacement(std::move(built).value());
}

}  // namespace clockwise::compat_internal
