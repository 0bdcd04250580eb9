// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Plans of random pairs of rings, each held against what single hashes say.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "clockwise/transition.h"
#include "plan_reference.h"
#include "ring_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

const int kPairs =
    IsSanitized() ? 1000 : 10'000;  // each of both kinds of rings

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint64_t Below(uint64_t n) { return engine_() % n; }
  uint64_t Any() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

// A ring of clockwise-1 of up to 5 of 6 nodes, some of other weights.
Ring NativeRing(Random& random, uint32_t width) {
  RingOptions options = WithVnodes(static_cast<uint32_t>(1 + random.Below(4)));
  options.width = width;
  std::vector<Node> nodes;
  for (int i = 0; i < 6; ++i) {
    if (random.Below(3) == 0) continue;
    nodes.push_back(MakeNode("n-" + std::to_string(i),
                             Weight::Thousandths(random.Below(4) * 700)));
  }
  return MakeRing(options, nodes);
}

// Few positions for many points, some at the ends of the circle.
uint64_t SomePosition(Random& random, uint32_t width) {
  const uint64_t unit = width == 32 ? uint64_t{1} << 32 : 1;
  switch (random.Below(6)) {
    case 0:
      return 0;
    case 1:
      return (~uint64_t{0} / unit) * unit;
    case 2:
      return random.Any() / unit * unit;
    default:
      return random.Below(12) * unit;
  }
}

// A ring of explicit points with ties of any kind.
Ring TiedRing(Random& random, uint32_t width, Ties ties) {
  RingOptions options;
  options.scheme = "points";
  options.width = width;
  options.ties = ties;
  RingBuilder builder = MakeBuilder(options);
  const uint64_t first = random.Below(5);
  for (uint64_t i = 0; i < 5; ++i) {
    std::vector<uint64_t> positions;
    for (uint64_t p = random.Below(4); p > 0; --p) {
      positions.push_back(SomePosition(random, width));
    }
    const Node node = MakeNode("n-" + std::to_string((first + i) % 5));
    EXPECT_TRUE(builder.Add(node, positions).ok());
  }
  return MakeRing(builder);
}

MigrationPlan MakePlan(const Ring& before, const Ring& after,
                       uint32_t replicas) {
  auto plan = MigrationPlan::Create(before, after, {replicas});
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return std::move(plan).value();
}

// A transition knows both owners, and just what has to be copied.
void ExpectTransition(const MigrationPlan& plan, const Ring& before,
                      const Ring& after, uint64_t hash) {
  const Transition transition = Transition::Create(before, after, plan).value();
  const KeyTransition found = transition.Of(hash);
  ASSERT_EQ(found.before, before.Owner(hash));
  ASSERT_EQ(found.after, after.Owner(hash));
  const Ids had = HoldersByScan(before, hash, plan.replicas());
  const auto id = after.node(found.after).id;
  const bool is_settled = had.empty() || id.empty() ||
                          std::find(had.begin(), had.end(), id) != had.end();
  ASSERT_EQ(found.state,
            is_settled ? RangeState::kSettled : RangeState::kPending);
}

TEST(MigrationPlanRandomTest, NativeRings) {
  for (int seed = 0; seed < kPairs && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<uint64_t>(seed));
    const uint32_t width = random.Below(2) == 0 ? 64 : 32;
    const Ring before = NativeRing(random, width);
    const Ring after = NativeRing(random, width);
    const auto plan =
        MakePlan(before, after, static_cast<uint32_t>(1 + seed % 3));
    ExpectPlanIsExact(plan, before, after);
    ExpectTransition(plan, before, after, random.Any());
  }
}

TEST(MigrationPlanRandomTest, RingsOfExplicitPointsWithTies) {
  for (int seed = 0; seed < kPairs && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<uint64_t>(seed));
    const uint32_t width = random.Below(2) == 0 ? 64 : 32;
    const auto ties = static_cast<Ties>(random.Below(3));
    const Ring before = TiedRing(random, width, ties);
    const Ring after = TiedRing(random, width, ties);
    const auto plan =
        MakePlan(before, after, static_cast<uint32_t>(1 + seed % 3));
    ExpectPlanIsExact(plan, before, after);
    ExpectTransition(plan, before, after, random.Below(14));
  }
}

// Nodes that stay as they are give nothing to one another.
TEST(MigrationPlanRandomTest, OnlyNodesThatChangeTakePart) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<Node> nodes = NumberedNodes("n-", 0, 8);
    const Ring before = MakeRing(WithVnodes(32), nodes);
    const uint64_t at = random.Below(8);
    const std::string changed = nodes[at].id;
    const bool is_less = seed % 3 != 1;
    if (seed % 3 == 0) {
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      nodes[at].weight = Weight::Thousandths(is_less ? 400 : 1700);
    }
    const Ring after = MakeRing(WithVnodes(32), nodes);
    const MigrationPlan plan = MakePlan(before, after, 1);
    ASSERT_FALSE(plan.moves().empty());
    for (const Move& move : plan.moves()) {
      ASSERT_EQ(plan.IdOf(is_less ? move.from : move.to), changed) << seed;
    }
  }
}

}  // namespace
}  // namespace clockwise
