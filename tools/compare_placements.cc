// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compare_placements.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/slots.h"
#include "text.h"

namespace clockwise::tool {
namespace {

// A number that the scheme has read already.
uint32_t NumberParam(const Members& members, std::string_view name,
                     uint32_t otherwise) {
  const auto found = members.options.params.find(name);
  if (found == members.options.params.end()) return otherwise;
  return static_cast<uint32_t>(ParseUnsigned(found->second).value());
}

Result<AnyPlacement> SlotsAfter(const Members& members,
                                const AnyPlacement& base) {
  SlotsOptions options;
  options.name = members.options.name;
  options.seed = members.options.seed;
  options.key_hash = members.options.key_hash;
  options.slots = NumberParam(members, "slots", kDefaultSlots);
  std::vector<std::string_view> previous;
  for (uint64_t slot = 0; slot < options.slots; ++slot) {
    previous.push_back(base.node(base.Owner(slot)).id);  // slot mod slots
  }
  options.previous = previous;
  std::vector<Node> nodes = members.nodes;
  for (Node& node : nodes) node.params.clear();  // are in the table now
  auto slots = Slots::Build(nodes, options);
  if (!slots.ok()) return slots.status();
  return AnyPlacement(std::move(slots).value());
}

// Buckets that anchor has removed, the first to go first.
std::vector<size_t> RemovedBuckets(const Members& members) {
  std::vector<size_t> removed;
  const auto found = members.options.params.find("removed");
  std::string_view list;
  if (found != members.options.params.end()) list = found->second;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    removed.push_back(ParseUnsigned(list.substr(0, comma)).value());
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const bool is_idle = members.nodes[i].weight.thousandths() == 0;
    if (is_idle && std::ranges::find(removed, i) == removed.end()) {
      removed.push_back(i);
    }
  }
  return removed;
}

void SetRemoved(const std::vector<size_t>& removed, Members& members) {
  std::string list;
  for (const size_t bucket : removed) {
    list += fmt::format("{}{}", list.empty() ? "" : ",", bucket);
  }
  members.options.params.erase("removed");
  if (!list.empty()) members.options.params["removed"] = list;
}

// The place that was left last is the first to be taken again.
void AddAnchored(const Node& node, Members& members) {
  std::vector<size_t> removed = RemovedBuckets(members);
  if (removed.empty()) {
    members.nodes.push_back(node);
    return;
  }
  members.nodes[removed.back()] = node;
  removed.pop_back();
  SetRemoved(removed, members);
}

}  // namespace

Members MembersUnder(const Members& members, const Scheme& scheme) {
  if (members.options.scheme == scheme.id) return members;
  Members under = members;
  under.options = RingOptions();
  under.options.name = members.options.name;
  under.options.scheme = scheme.id;
  if (scheme.takes_key_hash) {
    under.options.seed = members.options.seed;
    under.options.key_hash = members.options.key_hash;
  }
  if (scheme.id == kNativeScheme) {
    under.options.vnodes = members.options.vnodes;
    under.options.width = members.options.width;
  }
  if (scheme.is_ring()) {
    under.options.max_points = members.options.max_points;
  }
  for (Node& node : under.nodes) node.params.clear();
  return under;
}

Result<AnyPlacement> WithAdded(const Members& members, const AnyPlacement& base,
                               const Node& node) {
  Members changed = members;
  if (members.options.scheme == "anchor") {
    AddAnchored(node, changed);
  } else {
    changed.nodes.push_back(node);
  }
  return members.options.scheme == "slots" ? SlotsAfter(changed, base)
                                           : BuildPlacement(changed);
}

Result<AnyPlacement> WithRemoved(const Members& members,
                                 const AnyPlacement& base, size_t place) {
  Members changed = members;
  if (members.options.scheme == "anchor") {
    std::vector<size_t> removed = RemovedBuckets(members);
    removed.push_back(place);
    SetRemoved(removed, changed);
    return BuildPlacement(changed);
  }
  changed.nodes.erase(changed.nodes.begin() +
                      static_cast<std::ptrdiff_t>(place));
  return members.options.scheme == "slots" ? SlotsAfter(changed, base)
                                           : BuildPlacement(changed);
}

}  // namespace clockwise::tool
