// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Alarms: of what is unfair, and of nothing that chance explains.
#include "clockwise/balance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "ring_maker.h"

namespace clockwise {
namespace {

Ring FairRing(uint64_t seed, int nodes, uint32_t vnodes = 512) {
  RingOptions options = WithVnodes(vnodes);
  options.seed = seed;
  return MakeRing(options, NumberedNodes("n", 0, nodes));
}

// The highest level, and the highest one that ratios alone have.
struct Levels {
  BalanceLevel judged = BalanceLevel::kOk;
  BalanceLevel of_ratio = BalanceLevel::kOk;
};

Levels LevelsOf(const Balance& balance) {
  Levels levels;
  for (size_t i = 0; i < balance.ratios.size(); ++i) {
    const auto verdict =
        Judge(balance.ratios[i], balance.deviations[i], balance.ratios.size());
    const BalanceLevel of_ratio = LevelOfRatio(balance.ratios[i]);
    EXPECT_EQ(verdict.is_by_chance, verdict.level != of_ratio);
    levels.judged = std::max(levels.judged, verdict.level);
    levels.of_ratio = std::max(levels.of_ratio, of_ratio);
  }
  return levels;
}

Levels LevelsOfFairKeys(uint64_t seed, int nodes, size_t keys) {
  const Ring ring = FairRing(seed, nodes);
  std::mt19937_64 random(seed);
  std::vector<uint64_t> counts(ring.slot_count(), 0);
  for (size_t i = 0; i < keys; ++i) ++counts[ring.Owner(random())];
  return LevelsOf(BalanceOf(DuesOf(ring), counts));
}

TEST(BalanceTest, FairKeysAreNeverAlarmedAt) {
  int of_ratio = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    const int nodes = 2 + static_cast<int>(seed % 15);
    const Levels levels = LevelsOfFairKeys(seed, nodes, 1 + seed % 97);
    ASSERT_EQ(levels.judged, BalanceLevel::kOk) << "seed " << seed;
    of_ratio += levels.of_ratio == BalanceLevel::kAlarm;
  }
  EXPECT_GT(of_ratio, 500);  // for so few keys ratios alone cry wolf
}

TEST(BalanceTest, FewVnodesExplainTheirCircle) {
  int of_ratio = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const Ring ring = FairRing(seed, 10, 8);
    std::vector<double> shares;
    for (HashCount share : ExactShares(ring)) {
      shares.push_back(ToFraction(share));
    }
    const Levels levels = LevelsOf(BalanceOf(DuesOf(ring), shares, 0));
    ASSERT_EQ(levels.judged, BalanceLevel::kOk) << "seed " << seed;
    of_ratio += levels.of_ratio == BalanceLevel::kAlarm;
  }
  EXPECT_GT(of_ratio, 100);
}

// 100 nodes of which one gets twice what it is due.
BalanceLevel LevelOfTwice(uint64_t keys_a_node) {
  const Ring ring = FairRing(1, 100);
  std::vector<uint64_t> counts(100, keys_a_node * 99);
  for (uint64_t& count : counts) count = keys_a_node * 98;
  counts[42] = keys_a_node * 2 * 99;
  const double keys = static_cast<double>(keys_a_node) * 100;
  std::vector<double> shares;
  for (uint64_t count : counts) {
    shares.push_back(static_cast<double>(count) / 99 / keys);
  }
  const Balance balance = BalanceOf(DuesOf(ring), shares, keys);
  EXPECT_NEAR(balance.ratios[42], 2, 1e-9);
  return Judge(balance.ratios[42], balance.deviations[42], 100).level;
}

TEST(BalanceTest, TwiceTheDueIsAnAlarmFromSeventyKeysANodeOn) {
  EXPECT_EQ(LevelOfTwice(60), BalanceLevel::kOk);
  EXPECT_EQ(LevelOfTwice(70), BalanceLevel::kAlarm);
  EXPECT_EQ(LevelOfTwice(1'000'000), BalanceLevel::kAlarm);
}

TEST(BalanceTest, LevelsBeginAtTheirRatios) {
  EXPECT_EQ(Judge(1.299, 0.001, 10).level, BalanceLevel::kOk);
  EXPECT_FALSE(Judge(1.299, 0.001, 10).is_by_chance);
  EXPECT_EQ(Judge(1.3, 0.001, 10).level, BalanceLevel::kWarn);
  EXPECT_EQ(Judge(1.499, 0.001, 10).level, BalanceLevel::kWarn);
  EXPECT_EQ(Judge(1.5, 0.001, 10).level, BalanceLevel::kAlarm);
  EXPECT_EQ(Judge(1.5, 0, 10).level, BalanceLevel::kAlarm);
  EXPECT_EQ(Judge(1.5, 0, 10).chance, 0);
  EXPECT_EQ(Judge(0.2, 0.001, 10).level, BalanceLevel::kOk);
  EXPECT_EQ(Judge(0.2, 0.001, 10).chance, 1);
  EXPECT_TRUE(Judge(1.5, 1, 10).is_by_chance);
  EXPECT_EQ(BalanceLevelName(BalanceLevel::kWarn), "warn");
  EXPECT_EQ(BalanceLevelName(static_cast<BalanceLevel>(3)), "unknown");
}

double BinomialMass(double n, double p, double k) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) -
                  std::lgamma(n - k + 1) + k * std::log(p) +
                  (n - k) * std::log1p(-p));
}

// Exact tails of shares of `n` keys, each a node's with probability p.
TEST(BalanceTest, ChanceBoundsSharesOfKeys) {
  for (const double n : {1.0, 10.0, 100.0, 1000.0}) {
    for (const double p : {0.001, 0.02, 0.2, 0.5, 0.9}) {
      double tail = 0;
      for (double k = n; k > n * p; --k) {
        tail += BinomialMass(n, p, k);
        const double bound =
            ChanceOf(k / (n * p), std::sqrt((1 - p) / (p * n)));
        ASSERT_LE(tail, bound * (1 + 1e-9)) << n << " " << p << " " << k;
      }
    }
  }
}

// The share of `v` points of `all` is above y as often as fewer than v of
// all - 1 points fall below y.
TEST(BalanceTest, ChanceBoundsSharesOfCircles) {
  for (const double v : {1.0, 5.0, 50.0}) {
    for (const double nodes : {2.0, 10.0, 100.0}) {
      const double all = v * nodes;
      for (double x = 1.01; x < std::min(nodes, 8.0); x += 0.1) {
        double tail = 0;
        for (double k = 0; k < v; ++k) {
          tail += BinomialMass(all - 1, x / nodes, k);
        }
        ASSERT_LE(tail, ChanceOf(x, ShareDeviation(v, all)) * (1 + 1e-9))
            << v << " of " << all << ", " << x;
      }
    }
  }
}

TEST(BalanceTest, DrainedNodesAndHolesAreDueNothing) {
  auto builder = MakeBuilder(WithVnodes(16), NumberedNodes("n", 0, 3));
  ASSERT_TRUE(builder.SetWeight("n1", Weight::Whole(0)).ok());
  ASSERT_TRUE(builder.SetWeight("n2", Weight::Whole(3)).ok());
  const Ring ring = MakeRing(builder);
  auto change = RingBuilder::From(ring);
  ASSERT_TRUE(change.Remove("n0").ok());
  const std::vector<Due> dues = DuesOf(MakeRing(change));
  ASSERT_EQ(dues.size(), 3u);
  EXPECT_FALSE(dues[0].is_placed);
  EXPECT_FALSE(dues[1].is_placed);
  EXPECT_EQ(dues[2].share, 1);
  EXPECT_EQ(dues[2].deviation, 0);
  EXPECT_EQ(DuesOf(ring)[0].share, 0.25);
  const Balance none = BalanceOf(DuesOf(ring), std::vector<uint64_t>(3, 0));
  EXPECT_EQ(none.ratios, std::vector<double>(3, 0));
  EXPECT_EQ(DuesOf(MakeRing({}, {})).size(), 0u);
}

TEST(BalanceTest, AnyPlacementIsDueByWeight) {
  const std::vector<Node> nodes = {MakeNode("a"),
                                   MakeNode("b", Weight::Whole(3)),
                                   MakeNode("c", Weight::Whole(0))};
  const AnyPlacement other(Rendezvous::Build(nodes).value());
  for (NodeIndex i = 0; i < other.slot_count(); ++i) {
    const Due due = DuesOf(other)[i];
    EXPECT_EQ(due.deviation, 0);
    EXPECT_EQ(due.is_placed, other.node(i).id != "c");
    EXPECT_EQ(due.share,
              static_cast<double>(other.node(i).weight.thousandths()) / 4000);
  }
  const AnyPlacement ring(MakeRing(WithVnodes(64), nodes));
  EXPECT_EQ(DuesOf(ring)[0].deviation, ShareDeviation(64, 256));
}

}  // namespace
}  // namespace clockwise
