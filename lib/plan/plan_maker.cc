// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "plan/plan_maker.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "placement/arcs.h"

namespace clockwise {
namespace {

bool IsSameButRange(const Move& a, const Move& b) {
  return a.from == b.from && a.to == b.to && a.from_replica == b.from_replica &&
         a.to_replica == b.to_replica;
}

// The next place in `list`, at or after `i`, whose node is not in `other`.
uint32_t NextNotIn(const Holders& list, const Holders& other, uint32_t i) {
  while (i < list.count && other.Contains(list.nodes[i])) ++i;
  return i;
}

bool IsSame(const Holders& a, const Holders& b) {
  return std::equal(a.nodes.begin(), a.nodes.begin() + a.count, b.nodes.begin(),
                    b.nodes.begin() + b.count);
}

}  // namespace

bool Holders::Contains(uint32_t node) const noexcept {
  const auto end = nodes.begin() + count;
  return std::find(nodes.begin(), end, node) != end;
}

PlanMaker::PlanMaker(const Ring& before, const Ring& after, uint32_t replicas)
    : before_(before), after_(after), lanes_(size_t{replicas} * 2) {
  plan_.replicas_ = replicas;
  plan_.width_ = before.width();
  plan_.seed_ = before.seed();
  plan_.key_hash_ = before.key_hash();
  plan_.before_ = before.digest();
  plan_.after_ = after.digest();
  AddNodes();
}

// Both lists of slots ascend by id, and are merged.
void PlanMaker::AddNodes() {
  in_before_.resize(before_.slot_count(), kNoNode);
  in_after_.resize(after_.slot_count(), kNoNode);
  const auto a = before_.slots_by_id();
  const auto b = after_.slots_by_id();
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const int order = i == a.size() ? 1
                      : j == b.size()
                          ? -1
                          : before_.node(a[i]).id.compare(after_.node(b[j]).id);
    const auto number = static_cast<uint32_t>(plan_.nodes_.size());
    NodeChange node;
    node.id = order <= 0 ? before_.node(a[i]).id : after_.node(b[j]).id;
    node.is_in_before = order <= 0;
    node.is_in_after = order >= 0;
    if (node.is_in_before) in_before_[a[i++]] = number;
    if (node.is_in_after) in_after_[b[j++]] = number;
    plan_.nodes_.push_back(std::move(node));
  }
}

Holders PlanMaker::HoldersOf(const Ring& ring,
                             const std::vector<uint32_t>& numbers, size_t point,
                             uint64_t end) const {
  Holders holders;
  if (ring.point_count() == 0) return holders;
  if (plan_.replicas_ == 1) {  // no search, and no walk
    holders.nodes[0] = ring.OwnerAt(point);
    holders.count = 1;
  } else {
    holders.count = static_cast<uint32_t>(
        ring.Replicas(end, plan_.replicas_, holders.nodes.data()));
  }
  for (uint32_t i = 0; i < holders.count; ++i) {
    holders.nodes[i] = numbers[holders.nodes[i]];
  }
  return holders;
}

void PlanMaker::TakeArc(uint64_t begin, uint64_t end, const Holders& a,
                        const Holders& b) {
  const HashCount width = WidthOf(begin, end);
  for (uint32_t i = 0; i < a.count; ++i) had_[a.nodes[i]] += width;
  for (uint32_t i = 0; i < b.count; ++i) has_[b.nodes[i]] += width;
  if (IsSame(a, b)) return;
  TakeChanges(begin, end, a, b);
}

// The first that is new gets the range from the first that is gone, and so on.
void PlanMaker::TakeChanges(uint64_t begin, uint64_t end, const Holders& a,
                            const Holders& b) {
  uint32_t gone = NextNotIn(a, b, 0);
  uint32_t came = NextNotIn(b, a, 0);
  if (gone == a.count && came == b.count) {
    plan_.reordered_ += WidthOf(begin, end);
  }
  while (gone < a.count || came < b.count) {
    Move move{begin, end, kNoNode, kNoNode, 0, 0};
    if (gone < a.count) {
      move.from = a.nodes[gone];
      move.from_replica = gone + 1;
      gone = NextNotIn(a, b, gone + 1);
    }
    if (came < b.count) {
      move.to = b.nodes[came];
      move.to_replica = came + 1;
      came = NextNotIn(b, a, came + 1);
    }
    Extend(move.to != kNoNode ? move.to_replica - 1
                              : plan_.replicas_ + move.from_replica - 1,
           move);
  }
}

void PlanMaker::Extend(uint32_t lane, const Move& move) {
  std::vector<Move>& moves = lanes_[lane];
  const bool is_more = !moves.empty() && moves.back().end == move.begin &&
                       IsSameButRange(moves.back(), move);
  if (is_more) {
    moves.back().end = move.end;
  } else {
    moves.push_back(move);
  }
}

// The first arc is the one over the end of the circle: what touches it there is
// the last move of a lane.
void PlanMaker::JoinOverTheEnd() {
  for (std::vector<Move>& moves : lanes_) {
    if (moves.size() < 2) continue;
    const Move last = moves.back();
    if (last.end != moves.front().begin) continue;
    if (!IsSameButRange(last, moves.front())) continue;
    moves.front().begin = last.begin;
    moves.pop_back();
  }
}

void PlanMaker::Count(const Move& move) {
  const HashCount width = move.width();
  plan_.moved_ += width;
  if (move.from != kNoNode) {
    plan_.nodes_[move.from].lost += width;
    ++plan_.nodes_[move.from].moves_out;
  }
  if (move.to != kNoNode) {
    plan_.nodes_[move.to].gained += width;
    ++plan_.nodes_[move.to].moves_in;
  }
}

// About as many buckets as the fullest lane has moves.
void PlanMaker::FillBuckets() {
  const std::vector<uint32_t>& begins = plan_.lane_begins_;
  uint32_t most = 1;
  for (uint32_t lane = 0; lane < plan_.replicas_; ++lane) {
    most = std::max(most, begins[lane + 1] - begins[lane]);
  }
  plan_.bucket_bits_ =
      std::max(1u, static_cast<uint32_t>(std::bit_width(most - 1)));
  const uint64_t count = uint64_t{1} << plan_.bucket_bits_;
  for (uint32_t lane = 0; lane < plan_.replicas_; ++lane) {
    uint32_t move = begins[lane];
    for (uint64_t bucket = 0; bucket < count; ++bucket) {
      const uint64_t least = bucket << (64 - plan_.bucket_bits_);
      while (move < begins[lane + 1] && plan_.ends_[move] < least) ++move;
      plan_.buckets_.push_back(move);
    }
    plan_.buckets_.push_back(begins[lane + 1]);
  }
}

bool PlanMaker::Run() {
  had_.resize(plan_.nodes_.size());
  has_.resize(plan_.nodes_.size());
  ForEachArc(before_, after_,
             [this](uint64_t begin, uint64_t end, size_t i, size_t j) {
               TakeArc(begin, end, HoldersOf(before_, in_before_, i, end),
                       HoldersOf(after_, in_after_, j, end));
             });
  for (size_t i = 0; i < had_.size(); ++i) {
    plan_.nodes_[i].before = had_[i];
    plan_.nodes_[i].after = has_[i];
  }
  JoinOverTheEnd();
  size_t count = 0;
  for (const std::vector<Move>& moves : lanes_) count += moves.size();
  return count < kNoMove;
}

MigrationPlan PlanMaker::End() && {
  // Searched are whole hashes, whose unused half may be anything.
  const uint64_t unused = plan_.width_ == 32 ? 0xFFFFFFFF : 0;
  for (const std::vector<Move>& moves : lanes_) {
    plan_.lane_begins_.push_back(static_cast<uint32_t>(plan_.moves_.size()));
    for (Move move : moves) {
      plan_.ends_.push_back(move.end);
      move.begin &= ~unused;
      move.end &= ~unused;
      plan_.moves_.push_back(move);
      Count(move);
    }
  }
  plan_.lane_begins_.push_back(static_cast<uint32_t>(plan_.moves_.size()));
  FillBuckets();
  return std::move(plan_);
}

}  // namespace clockwise
