// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "control/wanted_members.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "placement/check_node.h"

namespace clockwise {
namespace {

// Of the options, what placement depends on.
bool HaveSameRecipe(const RingOptions& a, const RingOptions& b) {
  return a.name == b.name && a.scheme == b.scheme && a.vnodes == b.vnodes &&
         a.width == b.width && a.seed == b.seed && a.key_hash == b.key_hash &&
         a.params == b.params && a.ties == b.ties;
}

std::vector<const Node*> ById(const Members& members) {
  std::vector<const Node*> nodes;
  nodes.reserve(members.nodes.size());
  for (const Node& node : members.nodes) nodes.push_back(&node);
  std::sort(nodes.begin(), nodes.end(),
            [](const Node* a, const Node* b) { return a->id < b->id; });
  return nodes;
}

std::vector<Node>::iterator Find(Members& members, std::string_view id) {
  return std::find_if(members.nodes.begin(), members.nodes.end(),
                      [id](const Node& node) { return node.id == id; });
}

Status Unknown(std::string_view id) {
  return {Code::kUnknownNode, "no node '" + std::string(id) + "' is wanted"};
}

}  // namespace

std::string TitleOf(const Members& members) {
  return members.source.empty() ? Title("members", members.options.name)
                                : members.source;
}

bool HaveSameContent(const Members& a, const Members& b) {
  if (!HaveSameRecipe(a.options, b.options)) return false;
  const std::vector<const Node*> left = ById(a);
  const std::vector<const Node*> right = ById(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Node* x, const Node* y) { return *x == *y; });
}

Status CheckMembers(const Members& members, const MembershipOptions& options) {
  if (options.health_use == HealthUse::kReweight &&
      members.options.scheme != kNativeScheme) {
    return {Code::kInvalidOptions,
            TitleOf(members) + ": scheme '" + members.options.scheme +
                "': weights follow health in clockwise-1 only; HealthUse::kSkip"
                " is for all"};
  }
  const auto has_weight = [](const Node& node) {
    return node.weight.thousandths() != 0;
  };
  if (options.allow_empty ||
      std::any_of(members.nodes.begin(), members.nodes.end(), has_weight)) {
    return {};
  }
  return {Code::kBadMembers, TitleOf(members) + ": none of " +
                                 std::to_string(members.nodes.size()) +
                                 " nodes has a weight; allow_empty lets that"
                                 " be"};
}

Status CheckDrop(const Members& serving, const Members& wanted,
                 uint32_t max_drop_percent) {
  std::map<std::string_view, uint64_t> next;
  for (const Node& node : wanted.nodes) {
    next.emplace(node.id, node.weight.thousandths());
  }
  // At most 2^20 nodes of 10^9 thousandths: 100 times that fits.
  uint64_t all = 0;
  uint64_t gone = 0;
  for (const Node& node : serving.nodes) {
    const uint64_t had = node.weight.thousandths();
    const auto at = next.find(node.id);
    const uint64_t has = at != next.end() ? at->second : 0;
    all += had;
    if (has < had) gone += had - has;
  }
  if (gone * 100 <= all * max_drop_percent) return {};
  return {Code::kSuspiciousChange,
          TitleOf(wanted) + ": " + Weight::Thousandths(gone).ToString() +
              " of the weight of " + Weight::Thousandths(all).ToString() +
              " that serves would be gone; at most " +
              std::to_string(max_drop_percent) +
              " % in one step, unless it is"
              " confirmed"};
}

Status AddTo(Members& members, const Node& node) {
  if (Status refused = CheckNode(node); !refused.ok()) return refused;
  const auto at = Find(members, node.id);
  if (at == members.nodes.end()) {
    members.nodes.push_back(node);
    return {};
  }
  if (*at == node) return {};
  return {Code::kDuplicateNode,
          "node '" + node.id + "' is wanted with a different record"};
}

Status UpdateIn(Members& members, const Node& node) {
  if (Status refused = CheckNode(node); !refused.ok()) return refused;
  const auto at = Find(members, node.id);
  if (at == members.nodes.end()) return Unknown(node.id);
  *at = node;
  return {};
}

Status RemoveFrom(Members& members, std::string_view id) {
  const auto at = Find(members, id);
  if (at == members.nodes.end()) return Unknown(id);
  members.nodes.erase(at);
  return {};
}

}  // namespace clockwise
