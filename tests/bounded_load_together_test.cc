// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Bounded loads, replicas by zone and ejection at once: each request goes to
// the first of its key's replicas that is in and has room, then clockwise on.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "bounded_load_maker.h"

namespace clockwise {
namespace {

__extension__ using Uint128 = unsigned __int128;

constexpr uint32_t kFactor = 125;
constexpr uint32_t kReplicas = 3;

class Cluster {
 public:
  explicit Cluster(uint64_t seed) : random_(seed) {
    std::vector<Node> nodes = NumberedNodes("n", 0, 6 + Below(14));
    for (Node& node : nodes) {
      node.zone = std::string(1, static_cast<char>('a' + Below(4)));
      node.weight = Weight::Thousandths(500 + random_() % 2000);
    }
    ring_.emplace(MakeRing(WithVnodes(16), nodes));
    for (int i = 0; i < 64; ++i) keys_.push_back(random_());
    is_out_.resize(nodes.size());
    for (size_t i = 0; i < is_out_.size(); ++i) is_out_[i] = Below(4) == 0;
    is_out_[random_() % is_out_.size()] = false;
  }

  // Requests come and go; each is placed where it has to be.
  void Run() {
    const auto is_out = [this](NodeIndex node) { return is_out_[node]; };
    const SpreadIndex index = Built(SpreadIndex::Build(*ring_));
    SpreadPolicy policy;
    policy.count = kReplicas;
    const SpreadPlan plan = Built(index.Plan(*ring_, policy));
    LoadTable loads = Built(LoadTable::Create(ring_->slot_count()));
    const BoundedLoad bounded = Built(BoundedLoad::Build(
        *ring_, loads, {.factor = kFactor, .is_ejected = is_out}));
    std::deque<Ticket> tickets;
    for (int i = 0; i < 300; ++i) {
      // A few keys have most requests.
      const uint64_t hash = keys_[std::min(random_() % 64, random_() % 64)];
      NodeIndex replicas[kReplicas];
      const SpreadAnswer answer =
          index.Replicas(*ring_, hash, plan, replicas, is_out);
      const std::span<const NodeIndex> list(replicas, answer.count);
      for (const NodeIndex node : list) ASSERT_FALSE(is_out_[node]);
      const NodeIndex expected = Expected(list, hash, loads);
      tickets.push_back(bounded.Acquire(list, *ring_, hash));
      const Ticket& ticket = tickets.back();
      ASSERT_EQ(ticket.node(), expected);
      ASSERT_LE(ticket.load(), Cap(ticket.node(), ticket.in_flight()));
      if (ticket.node() != list[0]) ++spilled;
      if (std::ranges::find(list, ticket.node()) == list.end()) ++beyond;
      if (Below(3) == 0) tickets.pop_front();
    }
  }

  uint64_t spilled = 0;  // not on the first replica
  uint64_t beyond = 0;   // on none of them

 private:
  int Below(int n) {
    return static_cast<int>(random_() % static_cast<uint64_t>(n));
  }

  // (F * m * w + 100 * W - 1) div (100 * W), of the nodes that are in.
  [[nodiscard]] uint64_t Cap(NodeIndex node, uint64_t in_flight) const {
    Uint128 all = 0;
    for (NodeIndex slot : ring_->slots_by_id()) {
      if (!is_out_[slot]) all += ring_->node(slot).weight.thousandths();
    }
    const Uint128 weight = ring_->node(node).weight.thousandths();
    return static_cast<uint64_t>(
        (Uint128{kFactor} * in_flight * weight + 100 * all - 1) / (100 * all));
  }

  [[nodiscard]] NodeIndex Expected(std::span<const NodeIndex> list,
                                   uint64_t hash,
                                   const LoadTable& loads) const {
    std::vector<NodeIndex> order(list.begin(), list.end());
    for (NodeIndex node : ring_->Clockwise(hash)) {
      if (!is_out_[node] && std::ranges::find(list, node) == list.end()) {
        order.push_back(node);
      }
    }
    const uint64_t in_flight = loads.total() + 1;
    const auto at = std::ranges::find_if(order, [&](NodeIndex node) {
      return loads.load(node) + 1 <= Cap(node, in_flight);
    });
    return at != order.end() ? *at : kNoNode;
  }

  std::mt19937_64 random_;
  std::optional<Ring> ring_;
  std::vector<uint64_t> keys_;
  std::vector<bool> is_out_;
};

TEST(BoundedLoadTogetherTest, WithZonesReplicasAndEjection) {
  uint64_t spilled = 0;
  uint64_t beyond = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Cluster cluster(seed);
    cluster.Run();
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    spilled += cluster.spilled;
    beyond += cluster.beyond;
  }
  EXPECT_GT(spilled, 1000u);
  EXPECT_GT(beyond, 100u);
}

}  // namespace
}  // namespace clockwise
