// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "failing_new.h"
#include "plan_reference.h"
#include "ring_maker.h"

namespace clockwise {
namespace {

using Points = std::vector<std::pair<uint64_t, std::string>>;

MigrationPlan MakePlan(const Ring& before, const Ring& after,
                       uint32_t replicas = 1) {
  auto plan = MigrationPlan::Create(before, after, {replicas});
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return std::move(plan).value();
}

Ring PointRing(const Points& points, uint32_t width = 64) {
  return MakePointRing(width, std::nullopt, points);
}

// "(begin, end] from/replica > to/replica", one a line.
std::string ToText(const MigrationPlan& plan) {
  std::string text;
  for (const Move& move : plan.moves()) {
    text += '(' + std::to_string(move.begin) + ", " + std::to_string(move.end) +
            "] " + std::string(plan.IdOf(move.from)) + '/' +
            std::to_string(move.from_replica) + " > " +
            std::string(plan.IdOf(move.to)) + '/' +
            std::to_string(move.to_replica) + '\n';
  }
  return text;
}

TEST(MigrationPlanTest, AnAddedNodeTakesItsArc) {
  const Ring before = PointRing({{100, "a"}, {200, "b"}, {300, "c"}});
  const Ring after =
      PointRing({{100, "a"}, {150, "x"}, {200, "b"}, {300, "c"}});
  const MigrationPlan plan = MakePlan(before, after);
  EXPECT_EQ(ToText(plan), "(100, 150] b/1 > x/1\n");
  EXPECT_EQ(plan.moved(), 50u);
  EXPECT_EQ(plan.MoveOf(100), kNoMove);
  EXPECT_EQ(plan.MoveOf(101), 0u);
  EXPECT_EQ(plan.MoveOf(150), 0u);
  EXPECT_EQ(plan.MoveOf(151), kNoMove);
  EXPECT_EQ(plan.MoveOf(~uint64_t{0}), kNoMove);
}

TEST(MigrationPlanTest, RangesThatTouchAreOne) {
  const Ring before =
      PointRing({{100, "a"}, {200, "b"}, {250, "b"}, {300, "b"}, {400, "a"}});
  const Ring after =
      PointRing({{100, "a"}, {210, "c"}, {300, "c"}, {400, "a"}});
  EXPECT_EQ(ToText(MakePlan(before, after)), "(100, 300] b/1 > c/1\n");
}

TEST(MigrationPlanTest, RangesThatTouchOverTheEndAreOne) {
  const Ring before = PointRing({{100, "a"}, {200, "b"}, {300, "a"}});
  const Ring after = PointRing({{100, "c"}, {200, "b"}, {300, "c"}});
  const MigrationPlan plan = MakePlan(before, after);
  EXPECT_EQ(ToText(plan), "(200, 100] a/1 > c/1\n");
  EXPECT_EQ(plan.moved(), kWholeCircle - 100);
  for (const uint64_t hash : {uint64_t{0}, uint64_t{100}, uint64_t{201},
                              uint64_t{300}, ~uint64_t{0}}) {
    EXPECT_EQ(plan.MoveOf(hash), 0u) << hash;
  }
  for (const uint64_t hash : {101u, 150u, 200u}) {
    EXPECT_EQ(plan.MoveOf(hash), kNoMove) << hash;
  }
}

TEST(MigrationPlanTest, ANodeMayTakeTheWholeCircle) {
  const Ring before = PointRing({{100, "a"}});
  const Ring after = PointRing({{100, "b"}});
  const MigrationPlan plan = MakePlan(before, after);
  EXPECT_EQ(ToText(plan), "(100, 100] a/1 > b/1\n");
  EXPECT_EQ(plan.moved(), kWholeCircle);
  EXPECT_EQ(ToDecimal(plan.moved()), "18446744073709551616");
  EXPECT_EQ(FractionOf(plan.moved()), 1.0);
  for (const uint64_t hash : {uint64_t{0}, uint64_t{100}, ~uint64_t{0}}) {
    EXPECT_EQ(plan.MoveOf(hash), 0u);
  }
  // Two points each, so that two arcs have to become one.
  const Ring two = PointRing({{100, "a"}, {7, "a"}});
  EXPECT_EQ(ToText(MakePlan(two, PointRing({{7, "b"}}))),
            "(100, 100] a/1 > b/1\n");
}

TEST(MigrationPlanTest, APointThatMovesMovesWhatLiesBetween) {
  const Ring before = PointRing({{100, "a"}, {200, "b"}});
  const Ring after = PointRing({{120, "a"}, {200, "b"}});
  EXPECT_EQ(ToText(MakePlan(before, after)), "(100, 120] b/1 > a/1\n");
}

TEST(MigrationPlanTest, OfEqualPositionsTheOwnerDecides) {
  const Ring before = PointRing({{100, "b"}, {200, "z"}});
  const Ring after = PointRing({{100, "a"}, {100, "b"}, {200, "z"}});
  EXPECT_EQ(ToText(MakePlan(before, after)), "(200, 100] b/1 > a/1\n");
  // A shadowed point holds no hash, but is met by the walk.
  EXPECT_EQ(ToText(MakePlan(before, after, 2)),
            "(200, 100] z/2 > a/1\n(100, 200] b/2 > a/2\n");
}

TEST(MigrationPlanTest, RingsWithoutPoints) {
  const Ring empty = PointRing({});
  const Ring one = PointRing({{100, "a"}, {200, "b"}});
  const MigrationPlan fill = MakePlan(empty, one);
  EXPECT_EQ(ToText(fill), "(200, 100] /0 > a/1\n(100, 200] /0 > b/1\n");
  EXPECT_EQ(fill.moved(), kWholeCircle);
  const MigrationPlan drain = MakePlan(one, empty);
  EXPECT_EQ(ToText(drain), "(200, 100] a/1 > /0\n(100, 200] b/1 > /0\n");
  EXPECT_EQ(drain.nodes()[1].lost, 100u);
  EXPECT_EQ(drain.MoveOf(150), kNoMove);  // nobody gets it
  EXPECT_TRUE(MakePlan(empty, empty).moves().empty());
  EXPECT_EQ(MakePlan(empty, empty).MoveOf(1), kNoMove);
}

TEST(MigrationPlanTest, RangesOf32BitRingsAreLeftAligned) {
  const auto at = [](uint64_t position) { return position << 32; };
  const Ring before = PointRing({{at(100), "a"}, {at(200), "b"}}, 32);
  const Ring after =
      PointRing({{at(100), "a"}, {at(150), "x"}, {at(200), "b"}}, 32);
  const MigrationPlan plan = MakePlan(before, after);
  EXPECT_EQ(plan.moves()[0].begin, at(100));
  EXPECT_EQ(plan.moves()[0].end, at(150));
  EXPECT_EQ(plan.moved(), at(50));
  // What is below the 32 bits is not looked at.
  EXPECT_EQ(plan.MoveOf(at(100) + 0xFFFFFFFF), kNoMove);
  EXPECT_EQ(plan.MoveOf(at(101)), 0u);
  EXPECT_EQ(plan.MoveOf(at(150) + 0xFFFFFFFF), 0u);
  EXPECT_EQ(plan.MoveOf(at(151)), kNoMove);
  const MigrationPlan whole =
      MakePlan(PointRing({{at(9), "a"}}, 32), PointRing({{at(9), "b"}}, 32));
  EXPECT_EQ(whole.moved(), kWholeCircle);
  EXPECT_EQ(whole.MoveOf(0x0000000912345678), 0u);
}

TEST(MigrationPlanTest, AnotherOrderOfReplicasMovesNothing) {
  const Ring before = PointRing({{100, "a"}, {200, "b"}});
  const Ring after = PointRing({{100, "b"}, {200, "a"}});
  const MigrationPlan plan = MakePlan(before, after, 2);
  EXPECT_TRUE(plan.moves().empty());
  EXPECT_EQ(plan.reordered(), kWholeCircle);
  EXPECT_EQ(plan.moved(), 0u);
  EXPECT_EQ(MakePlan(before, after).reordered(), 0u);
}

TEST(MigrationPlanTest, ReplicasSayWhoGetsWhatAsWhich) {
  const Ring before = PointRing({{100, "a"}, {200, "b"}, {300, "c"}});
  const Ring after =
      PointRing({{100, "a"}, {150, "x"}, {200, "b"}, {300, "c"}});
  const MigrationPlan plan = MakePlan(before, after, 2);
  // (100, 150] was b, c; (300, 100] was a, b.
  EXPECT_EQ(ToText(plan), "(100, 150] c/2 > x/1\n(300, 100] b/2 > x/2\n");
  EXPECT_EQ(plan.MoveOf(120, 1), 0u);
  EXPECT_EQ(plan.MoveOf(120, 2), kNoMove);  // b was there
  EXPECT_EQ(plan.MoveOf(50, 1), kNoMove);
  EXPECT_EQ(plan.MoveOf(50, 2), 1u);
  EXPECT_EQ(plan.MoveOf(50, 0), kNoMove);
  EXPECT_EQ(plan.MoveOf(50, 3), kNoMove);
  // The last node but one goes: nobody takes the place of the second.
  const Ring one = PointRing({{100, "a"}});
  EXPECT_EQ(ToText(MakePlan(PointRing({{100, "a"}, {200, "b"}}), one, 3)),
            "(100, 200] b/1 > /0\n(200, 100] b/2 > /0\n");
}

TEST(MigrationPlanTest, NodesAreTheSameIfTheirIdsAre) {
  // Other slots, weights and labels.
  auto nodes = NumberedNodes("n-", 0, 5);
  const Ring before = MakeRing(WithVnodes(16), nodes);
  for (Node& node : nodes) node.zone = "elsewhere";
  nodes.erase(nodes.begin());
  nodes.push_back(MakeNode("a"));
  const MigrationPlan plan = MakePlan(before, MakeRing(WithVnodes(16), nodes));
  ASSERT_EQ(plan.nodes().size(), 6u);
  EXPECT_EQ(plan.nodes()[0].id, "a");
  EXPECT_FALSE(plan.nodes()[0].is_in_before);
  EXPECT_FALSE(plan.nodes()[1].is_in_after);
  for (const Move& move : plan.moves()) {
    EXPECT_TRUE(plan.IdOf(move.to) == "a" || plan.IdOf(move.from) == "n-0");
  }
  EXPECT_EQ(plan.nodes()[1].lost, plan.nodes()[1].before);
}

TEST(MigrationPlanTest, PairsAddUp) {
  const MigrationPlan plan =
      MakePlan(MakeRing(WithVnodes(64), NumberedNodes("n-", 0, 8)),
               MakeRing(WithVnodes(64), NumberedNodes("n-", 1, 8)), 2);
  HashCount sum = 0;
  uint32_t moves = 0;
  std::pair<uint32_t, uint32_t> last{0, 0};
  for (const PairChange& pair : plan.ByPair()) {
    EXPECT_LE(last, std::pair(pair.from, pair.to));
    last = {pair.from, pair.to};
    sum += pair.hashes;
    moves += pair.moves;
  }
  EXPECT_EQ(sum, plan.moved());
  EXPECT_EQ(moves, plan.moves().size());
}

TEST(MigrationPlanTest, RefusesRingsWhoseArcsAreOfOtherKeys) {
  const auto refusal = [](RingOptions a, RingOptions b) {
    const std::vector<Node> nodes = {MakeNode("a"), MakeNode("b")};
    const Ring before = MakeRing(std::move(a), nodes);
    const Ring after = MakeRing(std::move(b), nodes);
    const auto plan = MigrationPlan::Create(before, after);
    EXPECT_EQ(plan.status().code(), Code::kInvalidOptions);
    EXPECT_EQ(CheckComparable(before, after).message(),
              plan.status().message());
    return plan.status().message();
  };
  const char* tail = "): an arc of one is of other keys in the other";
  RingOptions other;
  other.seed = 7;
  EXPECT_EQ(refusal({}, other),
            std::string("the rings differ in seed (0 and 7") + tail);
  other = {};
  other.width = 32;
  EXPECT_EQ(refusal(other, {}),
            std::string("the rings differ in width (32 and 64") + tail);
  other = {};
  other.key_hash = KeyHash::kFnv1aFmix;
  EXPECT_EQ(refusal({}, other),
            std::string("the rings differ in key hash (xxh3-64 and "
                        "fnv1a-64-fmix") +
                tail);
}

TEST(MigrationPlanTest, RefusesReplicasOutOfRange) {
  const Ring ring = PointRing({{100, "a"}});
  for (const uint32_t replicas : {0u, 17u}) {
    const auto plan = MigrationPlan::Create(ring, ring, {replicas});
    EXPECT_EQ(plan.status().message(),
              "replicas " + std::to_string(replicas) + "; 1 to 16");
  }
  EXPECT_TRUE(MigrationPlan::Create(ring, ring, {16}).ok());
}

TEST(MigrationPlanTest, MemoryThatRunsOutIsAStatus) {
  const Ring before = MakeRing(WithVnodes(8), NumberedNodes("n-", 0, 3));
  const Ring after = MakeRing(WithVnodes(8), NumberedNodes("n-", 0, 4));
  for (long allowed = 0;; ++allowed) {
    fail_allocations_after(allowed);
    const auto plan = MigrationPlan::Create(before, after, {2});
    stop_failing();
    if (plan.ok()) break;
    ASSERT_EQ(plan.status().code(), Code::kOutOfMemory);
    ASSERT_LT(allowed, 200);
  }
}

}  // namespace
}  // namespace clockwise
