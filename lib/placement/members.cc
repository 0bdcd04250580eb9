// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/members.h"

#include <algorithm>
#include <utility>

#include "placement/points.h"

namespace clockwise {
namespace {

// Merges the base's members and the changes, both in order of id.
class Merger {
 public:
  Merger(const RingOptions& options, const NodeTable* base)
      : options_(options), base_(base) {}

  MemberList Run(const MemberChanges& changes) {
    if (base_ != nullptr) {
      list_.members.reserve(base_->members + changes.size());
      unchanged_ = base_->ById();
    }
    for (const auto& [name, change] : changes) {
      const std::string_view id = name;
      KeepWhile([id](std::string_view kept) { return kept < id; });
      Member member;
      if (!unchanged_.empty() && base_->IdOf(unchanged_.front()) == id) {
        member = TakeFromBase();
      }
      Apply(change, member);
    }
    KeepWhile([](std::string_view) { return true; });
    return std::move(list_);
  }

 private:
  Member TakeFromBase() {
    Member member;
    member.slot = unchanged_.front();
    member.node = base_->View(member.slot);
    member.order = base_->Records()[member.slot].text_at;
    member.points = member.base_points = member.node.points;
    unchanged_ = unchanged_.subspan(1);
    return member;
  }

  template <typename Condition>
  void KeepWhile(Condition condition) {
    while (!unchanged_.empty() && condition(base_->IdOf(unchanged_.front()))) {
      list_.members.push_back(TakeFromBase());
    }
  }

  // `member` is as in the base, or without a slot if it is not there.
  void Apply(const MemberChange& change, Member member) {
    if (!change.node) {
      if (member.slot != kNoNode) list_.removed.push_back(member);
      return;
    }
    const Node& node = *change.node;
    member.node = {
        node.id,      node.region, node.zone, node.rack,
        node.address, node.weight, 0,         ParamsView(change.params)};
    if (options_.scheme == kNativeScheme) {
      member.points = PointCount(node.weight, options_.vnodes);
    } else if (change.positions) {
      member.positions = *change.positions;
      member.order = change.order;
      member.has_positions = true;
      member.points = member.positions.size();
    }
    list_.members.push_back(member);
  }

  const RingOptions& options_;
  const NodeTable* base_;
  std::span<const NodeIndex> unchanged_;
  MemberList list_;
};

// Gives nodes without a slot the lowest free ones, ids ascending.
void AssignSlots(MemberList& list) {
  std::vector<bool> taken(list.members.size());
  for (const Member& m : list.members) {
    if (m.slot == kNoNode) continue;
    if (m.slot >= taken.size()) taken.resize(m.slot + 1);
    taken[m.slot] = true;
    list.slots = std::max(list.slots, m.slot + 1);
  }
  NodeIndex free = 0;
  for (Member& m : list.members) {
    if (m.slot != kNoNode) continue;
    while (free < taken.size() && taken[free]) ++free;
    m.slot = free++;
    list.slots = std::max(list.slots, m.slot + 1);
  }
}

}  // namespace

Result<MemberList> ListMembers(const RingOptions& options,
                               const NodeTable* base,
                               const MemberChanges& changes) {
  MemberList list = Merger(options, base).Run(changes);
  if (list.members.size() > kMaxNodes) {
    return Status(Code::kTooManyNodes, RingTitle(options) + ": " +
                                           std::to_string(list.members.size()) +
                                           " nodes; at most " +
                                           std::to_string(kMaxNodes));
  }
  // 64 bits hold the largest sum: 2^20 nodes of 65,536,000,000 points.
  uint64_t points = 0;
  for (const Member& m : list.members) points += m.points;
  if (points > options.max_points) {
    return Status(Code::kTooManyPoints,
                  RingTitle(options) + ": needs " + std::to_string(points) +
                      " points; at most " + std::to_string(options.max_points) +
                      " (max_points)");
  }
  list.points = static_cast<uint32_t>(points);
  for (Member& m : list.members) {
    m.node.points = static_cast<uint32_t>(m.points);
    list.owners += m.points != 0;
  }
  AssignSlots(list);
  return list;
}

}  // namespace clockwise
