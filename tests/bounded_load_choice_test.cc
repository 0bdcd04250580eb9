// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Power of two choices under bounded loads.
#include <gtest/gtest.h>

#include <array>

#include "bounded_load_maker.h"

namespace clockwise {
namespace {

using Outcome = AcquireOutcome;

TEST(TwoChoicesTest, TakesTheLesserLoadByWeight) {
  const Ring ring =
      MakeRing(WithVnodes(4), {MakeNode("a"), MakeNode("b", Weight::Whole(3))});
  LoadTable loads = Built(LoadTable::Create(2));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 1000}));
  const std::array<NodeIndex, 2> both = {0, 1};
  std::string nodes;
  std::vector<Ticket> tickets;
  for (int i = 0; i < 8; ++i) {
    tickets.push_back(bounded.AcquireOfTwo(both, 0));
    nodes += tickets.back().node() == 0 ? 'a' : 'b';
  }
  // (load + 1) / weight: 1 and 1/3, 1 and 2/3, then 1 and 1: the earlier.
  EXPECT_EQ(nodes, "bbabbbab");
}

TEST(TwoChoicesTest, DrawsEveryPairAlikeOfThoseThatMay) {
  const Ring ring = Row(6);
  LoadTable loads = Built(LoadTable::Create(6));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 10000}));
  const std::array<NodeIndex, 5> replicas = {5, 3, 1, 0, 2};
  const auto is_down = [](NodeIndex node) { return node == 3; };
  std::array<int, 6> counts{};
  std::mt19937_64 random(6);
  for (int i = 0; i < 60'000; ++i) {
    // Released at once: the earlier of two idle ones.
    ++counts[bounded.AcquireOfTwo(replicas, random(), {.is_excluded = is_down})
                 .node()];
  }
  EXPECT_NEAR(counts[5], 30'000, 600);  // in 3 of the 6 pairs
  EXPECT_NEAR(counts[1], 20'000, 600);
  EXPECT_NEAR(counts[0], 10'000, 600);
  EXPECT_EQ(counts[2] + counts[3] + counts[4], 0);
}

TEST(TwoChoicesTest, FullOnesPassTheRequestOn) {
  const Ring ring = Row(4);
  LoadTable loads = Built(LoadTable::Create(4));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 100}));
  const std::array<NodeIndex, 3> replicas = {2, 0, 1};
  std::mt19937_64 random(1);
  std::vector<Ticket> tickets;
  for (int i = 0; i < 3; ++i) {
    tickets.push_back(bounded.AcquireOfTwo(replicas, random()));
    ASSERT_TRUE(tickets.back());
  }
  const Ticket refused = bounded.AcquireOfTwo(replicas, random());
  EXPECT_EQ(refused.outcome(), Outcome::kAllFull);
  EXPECT_EQ(refused.spills(), 3u);
  EXPECT_EQ(bounded
                .AcquireOfTwo(replicas, random(),
                              {.when_full = WhenFull::kLeastLoaded})
                .outcome(),
            Outcome::kOverCap);
  EXPECT_EQ(bounded.AcquireOfTwo({}, 1).outcome(), Outcome::kNoNodes);
  const auto all = [](NodeIndex) { return true; };
  EXPECT_EQ(bounded.AcquireOfTwo(replicas, 1, {.is_excluded = all}).outcome(),
            Outcome::kAllExcluded);
  EXPECT_EQ(
      bounded.AcquireOfTwo(std::array<NodeIndex, 1>{3}, ~uint64_t{0}).node(),
      3u);
}

// Replicas by any rule are a list: those of a ring, of rendezvous hashing.
TEST(TwoChoicesTest, SpreadsAHotKeyOverItsReplicas) {
  const Ring ring = MakeRing(WithVnodes(64), NumberedNodes("n", 0, 20));
  LoadTable loads = Built(LoadTable::Create(20));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 700}));
  std::array<NodeIndex, 4> replicas{};
  ASSERT_EQ(ring.Replicas(ring.HashOf("hot"), 4, replicas.data()), 4u);
  std::mt19937_64 random(2);
  std::vector<Ticket> tickets;
  for (int i = 0; i < 1000; ++i) {
    tickets.push_back(bounded.AcquireOfTwo(replicas, random()));
    ASSERT_TRUE(tickets.back());
  }
  for (const NodeIndex node : replicas) {
    EXPECT_NEAR(static_cast<double>(loads.load(node)), 250, 3);
  }
}

}  // namespace
}  // namespace clockwise
