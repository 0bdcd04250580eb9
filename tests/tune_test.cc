// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A sweep holds what the ring of each count of vnodes has.
#include "clockwise/tune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ring_maker.h"

namespace clockwise {
namespace {

std::vector<VnodesBalance> Sweep(const RingOptions& options,
                                 const std::vector<Node>& nodes,
                                 uint32_t max_vnodes) {
  auto sweep = SweepVnodes(options, nodes, max_vnodes);
  EXPECT_TRUE(sweep.ok()) << sweep.status().message();
  return std::move(sweep).value();
}

// Held against the ring that is really built with so many vnodes.
void ExpectAsBuilt(const VnodesBalance& each, RingOptions options,
                   const std::vector<Node>& nodes) {
  options.vnodes = each.vnodes;
  const Ring ring = MakeRing(options, nodes);
  std::vector<double> shares;
  for (HashCount share : ExactShares(ring)) {
    shares.push_back(ToFraction(share));
  }
  const std::vector<Due> dues = DuesOf(ring);
  const Balance balance = BalanceOf(dues, std::move(shares), 0);
  double low = HUGE_VAL;
  double squares = 0;
  int placed = 0;
  for (size_t slot = 0; slot < dues.size(); ++slot) {
    if (!dues[slot].is_placed) continue;
    low = std::min(low, balance.ratios[slot]);
    squares += std::pow(balance.ratios[slot] - 1, 2);
    ++placed;
  }
  ASSERT_EQ(each.points, ring.point_count());
  ASSERT_DOUBLE_EQ(each.peak, std::ranges::max(balance.ratios));
  ASSERT_DOUBLE_EQ(each.low, low);
  ASSERT_NEAR(each.deviation, std::sqrt(squares / placed), 1e-12);
  ASSERT_DOUBLE_EQ(PeakByChance(nodes, each.vnodes), balance.expected_peak);
}

TEST(SweepVnodesTest, HasTheBalanceOfEachRing) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 12; ++round) {
    RingOptions options;
    options.seed = random();
    options.width = round % 2 == 0 ? 64 : 32;
    auto nodes = NumberedNodes("node-", 0, 1 + static_cast<int>(random() % 9));
    for (Node& node : nodes) {
      node.weight =
          Weight::Thousandths(random() % 4 == 0 ? 0 : random() % 3000);
    }
    nodes[0].weight = Weight();
    const auto sweep = Sweep(options, nodes, 40);
    ASSERT_EQ(sweep.size(), 40u);
    for (uint32_t i = 0; i < 40; ++i) {
      ASSERT_EQ(sweep[i].vnodes, i + 1);
      ExpectAsBuilt(sweep[i], options, nodes);
    }
  }
}

// How many points lie on the one before: of their own node, of another.
std::pair<int, int> CountShadowed(const Ring& ring) {
  std::pair<int, int> counts;
  for (size_t i = 1; i < ring.point_count(); ++i) {
    if (ring.PositionAt(i) != ring.PositionAt(i - 1)) continue;
    const bool is_own = ring.OwnerAt(i) == ring.OwnerAt(i - 1);
    ++(is_own ? counts.first : counts.second);
  }
  return counts;
}

// 400,000 points on 32 bits: some lie on others.
TEST(SweepVnodesTest, CountsPointsThatLieOnOthers) {
  const std::vector<Node> nodes = {MakeNode("a", Weight::Whole(200)),
                                   MakeNode("b", Weight::Whole(200))};
  for (uint64_t seed = 0; seed < 3; ++seed) {
    RingOptions options;
    options.width = 32;
    options.seed = seed;
    const auto sweep = Sweep(options, nodes, 1000);
    options.vnodes = 1000;
    const auto [on_own, on_other] = CountShadowed(MakeRing(options, nodes));
    EXPECT_GT(on_own, 0);
    EXPECT_GT(on_other, 0);
    for (const uint32_t vnodes : {1u, 3u, 10u, 30u, 100u, 500u, 1000u}) {
      ExpectAsBuilt(sweep[vnodes - 1], options, nodes);
    }
  }
}

TEST(SweepVnodesTest, OneNodeHasItsDue) {
  for (const VnodesBalance& each : Sweep({}, NumberedNodes("n", 0, 1), 5)) {
    EXPECT_EQ(each.peak, 1);
    EXPECT_EQ(each.low, 1);
    EXPECT_EQ(each.deviation, 0);
  }
}

TEST(SweepVnodesTest, RefusesByName) {
  const auto nodes = NumberedNodes("n", 0, 3);
  const auto refusal = [](const RingOptions& options, const auto& list,
                          uint32_t most) {
    return SweepVnodes(options, list, most).status();
  };
  EXPECT_EQ(refusal({}, nodes, 0).code(), Code::kInvalidOptions);
  EXPECT_EQ(refusal({}, nodes, 65537).code(), Code::kInvalidOptions);
  RingOptions other;
  other.scheme = "libketama";
  EXPECT_EQ(refusal(other, nodes, 9).code(), Code::kInvalidOptions);
  EXPECT_EQ(refusal({}, std::vector<Node>(), 9).code(), Code::kInvalidArgument);
  const std::vector<Node> idle = {MakeNode("a", Weight::Whole(0))};
  EXPECT_EQ(refusal({}, idle, 9).code(), Code::kInvalidArgument);
  const std::vector<Node> twice = {MakeNode("a"),
                                   MakeNode("a", Weight::Whole(2))};
  EXPECT_EQ(refusal({}, twice, 9).code(), Code::kDuplicateNode);
  RingOptions small;
  small.max_points = 29;
  EXPECT_EQ(refusal(small, nodes, 10).code(), Code::kTooManyPoints);
  EXPECT_TRUE(SweepVnodes(small, nodes, 9).ok());
}

TEST(LeastVnodesTest, TellsLuckFromWhatHolds) {
  std::vector<VnodesBalance> sweep(6);
  const double peaks[] = {2, 1.2, 1.3, 1.1, 1.2, 1.15};
  for (uint32_t i = 0; i < 6; ++i) {
    sweep[i].vnodes = i + 1;
    sweep[i].peak = peaks[i];
  }
  EXPECT_EQ(LeastVnodes(sweep, 1.2), 2u);
  EXPECT_EQ(LeastSteadyVnodes(sweep, 1.2), 4u);
  EXPECT_EQ(LeastVnodes(sweep, 1.1), 4u);
  EXPECT_EQ(LeastSteadyVnodes(sweep, 1.1), 0u);
  EXPECT_EQ(LeastVnodes(sweep, 1.05), 0u);
  EXPECT_EQ(LeastSteadyVnodes(sweep, 3), 1u);
  EXPECT_EQ(LeastVnodes({}, 2), 0u);
  EXPECT_EQ(LeastSteadyVnodes({}, 2), 0u);
}

TEST(LeastVnodesTest, ByChanceIsWhereThePeakCrosses) {
  auto nodes = NumberedNodes("n", 0, 8);
  for (const double peak : {1.05, 1.1, 1.2, 1.5}) {
    const uint32_t least = LeastVnodesByChance(nodes, peak);
    EXPECT_LE(PeakByChance(nodes, least), peak);
    EXPECT_GT(PeakByChance(nodes, least - 1), peak);
    // By hand: 1 + sqrt(7 / (8V + 1)) sqrt(2 ln 8) at the peak.
    const double excess = (peak - 1) * (peak - 1);
    EXPECT_NEAR(least, (14 * std::log(8) / excess - 1) / 8, 1 + 0.005 * least);
  }
  EXPECT_EQ(LeastVnodesByChance(nodes, 1.0001), 0u);
  EXPECT_EQ(LeastVnodesByChance(nodes, 100), 1u);
  EXPECT_EQ(PeakByChance(std::span(nodes).first(1), 3), 1);
}

// What the advice is for: rings of many seeds keep about to it.
TEST(LeastVnodesTest, ByChanceHoldsForMostSeeds) {
  const auto nodes = NumberedNodes("n", 0, 8);
  const uint32_t vnodes = LeastVnodesByChance(nodes, 1.2);
  int held = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RingOptions options;
    options.seed = seed;
    held += Sweep(options, nodes, vnodes).back().peak <= 1.2 ? 1 : 0;
  }
  EXPECT_GT(held, 70);
  EXPECT_LT(held, 100);
}

}  // namespace
}  // namespace clockwise
