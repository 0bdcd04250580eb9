// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Replicas by topology: the case of three zones, zone counts, strictness,
// edges.
#include <gtest/gtest.h>

#include "failing_source.h"
#include "spread_reference.h"

namespace clockwise {
namespace {

Node NodeIn(const std::string& id, const std::string& zone,
            const std::string& region = "", const std::string& rack = "") {
  Node node = MakeNode(id);
  node.zone = zone;
  node.region = region;
  node.rack = rack;
  return node;
}

// A ring and its index.
struct Zoned {
  explicit Zoned(const std::vector<Node>& nodes, uint32_t vnodes = 512)
      : ring(MakeRing(WithVnodes(vnodes), nodes)), index(MakeIndex(ring)) {}

  [[nodiscard]] SpreadPlan Plan(uint32_t count) const {
    SpreadPolicy policy;
    policy.count = count;
    return MakePlan(index, ring, policy);
  }
  // Replicas in each zone, most first: "2,1,1".
  [[nodiscard]] std::string ZoneCountsOf(
      const std::vector<NodeIndex>& nodes) const {
    std::map<std::string_view, int> zones;
    for (NodeIndex node : nodes) ++zones[ring.node(node).zone];
    std::vector<int> counts;
    for (const auto& [zone, count] : zones) counts.push_back(count);
    std::sort(counts.rbegin(), counts.rend());
    std::string text;
    for (int count : counts) {
      text += (text.empty() ? "" : ",") + std::to_string(count);
    }
    return text;
  }

  Ring ring;
  SpreadIndex index;
};

std::vector<Node> SixInThreeZones() {
  return {NodeIn("a1", "A"), NodeIn("a2", "A"), NodeIn("b1", "B"),
          NodeIn("b2", "B"), NodeIn("c1", "C"), NodeIn("c2", "C")};
}

// Holds the zone counts of every key's list against `expected`.
void ExpectZones(const Zoned& zoned, uint32_t count,
                 const std::string& expected, bool is_relaxed,
                 uint32_t short_by = 0) {
  const SpreadPlan plan = zoned.Plan(count);
  for (const std::string& key : Keys("key-", 0, 100'000)) {
    const uint64_t hash = zoned.ring.HashOf(key);
    const Spread spread = SpreadOf(zoned.index, zoned.ring, hash, plan);
    ASSERT_EQ(zoned.ZoneCountsOf(spread.nodes), expected) << key;
    ASSERT_EQ(spread.nodes[0], zoned.ring.Owner(hash)) << key;
    ASSERT_EQ(spread.answer.is_relaxed, is_relaxed) << key;
    ASSERT_EQ(spread.answer.short_by, short_by) << key;
    ASSERT_FALSE(spread.answer.is_refused);
  }
}

TEST(SpreadCaseTest, ReplicasStandInThreeZones) {
  const Zoned zoned(SixInThreeZones());
  ExpectZones(zoned, 3, "1,1,1", false);
  ExpectZones(zoned, 4, "2,1,1", true);
  ExpectZones(zoned, 6, "2,2,2", true);
}

TEST(SpreadCaseTest, AZoneThatIsGoneRelaxesTheRule) {
  std::vector<Node> nodes = SixInThreeZones();
  nodes.resize(4);
  ExpectZones(Zoned(nodes), 3, "2,1", true);
  nodes.resize(2);
  ExpectZones(Zoned(nodes), 3, "2", true, 1);
}

TEST(SpreadCaseTest, ANodeThatGoesChangesNoListWithoutIt) {
  std::vector<Node> nodes = SixInThreeZones();
  const Zoned before(nodes);
  nodes.pop_back();
  const Zoned after(nodes);
  const NodeIndex gone = before.ring.Find("c2");
  size_t kept = 0;
  for (const std::string& key : Keys("key-", 0, 100'000)) {
    const uint64_t hash = before.ring.HashOf(key);
    const auto old =
        SpreadOf(before.index, before.ring, hash, before.Plan(3)).nodes;
    if (std::find(old.begin(), old.end(), gone) != old.end()) continue;
    // Both number nodes by id, and it had the greatest.
    ASSERT_EQ(SpreadOf(after.index, after.ring, hash, after.Plan(3)).nodes, old)
        << key;
    ++kept;
  }
  EXPECT_GT(kept, 40'000u);
}

TEST(SpreadCaseTest, NodesAfterALostOneMayTradePlaces) {
  // 1 and 2 are regions. Without a, c stands in a region that is used before
  // it, and d does not.
  const Zoned zoned({NodeIn("a", "x", "2"), NodeIn("b", "y", "1"),
                     NodeIn("c", "x", "1"), NodeIn("d", "y", "2")},
                    64);
  const SpreadPlan plan = zoned.Plan(4);
  const NodeIndex a = zoned.ring.Find("a");
  const auto is_a = [=](NodeIndex n) { return n == a; };
  size_t traded = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    auto old = SpreadOf(zoned.index, zoned.ring, Fmix64(i), plan).nodes;
    const auto now =
        SpreadOf(zoned.index, zoned.ring, Fmix64(i), plan, is_a).nodes;
    std::erase(old, a);
    ASSERT_TRUE(std::is_permutation(old.begin(), old.end(), now.begin()));
    traded += old != now;
  }
  EXPECT_GT(traded, 0u);
}

TEST(SpreadCaseTest, AllExcludedIsNothingAtOnce) {
  const Zoned zoned(SixInThreeZones());
  size_t asked = 0;
  const auto all = [&](NodeIndex) { return ++asked > 0; };
  const Spread spread =
      SpreadOf(zoned.index, zoned.ring, 1, zoned.Plan(3), all);
  EXPECT_EQ(spread.answer.count, 0u);
  EXPECT_EQ(spread.answer.short_by, 3u);
  EXPECT_FALSE(spread.answer.is_relaxed);
  EXPECT_LT(asked, 100u);
}

TEST(SpreadCaseTest, EmptyAndDrainedRingsHaveNoReplicas) {
  for (const auto& nodes : {std::vector<Node>{}, std::vector<Node>{MakeNode(
                                                     "a", Weight::Whole(0))}}) {
    const Zoned zoned(nodes);
    const Spread spread = SpreadOf(zoned.index, zoned.ring, 7, zoned.Plan(2));
    EXPECT_EQ(spread.answer.count, 0u);
    EXPECT_EQ(spread.answer.short_by, 2u);
    EXPECT_EQ(zoned.index.regions() + zoned.index.racks(), 0u);
  }
}

TEST(SpreadCaseTest, CountsAbove64NeedScratch) {
  const Zoned zoned(SixInThreeZones());
  const SpreadPlan plan = zoned.Plan(1'000'000);
  const Spread refused = SpreadOf(zoned.index, zoned.ring, 1, plan);
  EXPECT_TRUE(refused.answer.is_refused);
  EXPECT_EQ(refused.answer.count, 0u);
  auto scratch = SpreadScratch::Create(zoned.ring.slot_count()).value();
  const Spread all =
      SpreadOf(zoned.index, zoned.ring, 1, plan, NoExclusion(), &scratch);
  EXPECT_EQ(all.nodes.size(), 6u);
  EXPECT_EQ(all.answer.short_by, 999'994u);
  auto small = SpreadScratch::Create(5).value();
  EXPECT_TRUE(SpreadOf(zoned.index, zoned.ring, 1, plan, NoExclusion(), &small)
                  .answer.is_refused);
}

TEST(SpreadCaseTest, StrictRefusesWhatIsRelaxedOrShort) {
  const Zoned zoned(SixInThreeZones());
  SpreadPolicy policy;
  policy.is_strict = true;
  const auto answer_of = [&](uint32_t count, Apart apart) {
    policy.count = count;
    policy.apart = apart;
    return SpreadOf(zoned.index, zoned.ring, 5,
                    MakePlan(zoned.index, zoned.ring, policy))
        .answer;
  };
  EXPECT_EQ(answer_of(3, Apart::kZone).count, 3u);
  const SpreadAnswer four = answer_of(4, Apart::kZone);
  EXPECT_TRUE(four.is_refused && four.is_relaxed);
  EXPECT_EQ(four.count, 0u);
  EXPECT_EQ(answer_of(6, Apart::kNode).count, 6u);
  const SpreadAnswer seven = answer_of(7, Apart::kNode);
  EXPECT_TRUE(seven.is_refused);
  EXPECT_FALSE(seven.is_relaxed);
  EXPECT_EQ(seven.short_by, 1u);
  EXPECT_TRUE(answer_of(3, Apart::kRegion).is_refused);
  EXPECT_FALSE(answer_of(3, Apart::kRack).is_refused);
}

std::vector<ZoneCount> Counts(std::string_view text) {
  auto zones = ParseZoneCounts(text);
  EXPECT_TRUE(zones.ok()) << zones.status().message();
  return std::move(zones).value();
}

TEST(SpreadCaseTest, ZonesGetTheirCounts) {
  const Zoned zoned(SixInThreeZones());
  SpreadPolicy policy;
  policy.zone_counts = Counts("A=2,B=1");
  const SpreadPlan plan = MakePlan(zoned.index, zoned.ring, policy);
  EXPECT_EQ(plan.count(), 3u);
  for (uint64_t i = 0; i < 1000; ++i) {
    const Spread spread = SpreadOf(zoned.index, zoned.ring, Fmix64(i), plan);
    ASSERT_EQ(zoned.ZoneCountsOf(spread.nodes), "2,1");
    ASSERT_FALSE(spread.answer.is_relaxed);
    for (NodeIndex n : spread.nodes) ASSERT_NE(zoned.ring.node(n).zone, "C");
  }
}

TEST(SpreadCaseTest, PlacesThatAZoneCannotFillGoToOthers) {
  const Zoned zoned(SixInThreeZones());
  SpreadPolicy policy;
  policy.zone_counts = Counts("A=2,nowhere=2");
  const NodeIndex a1 = zoned.ring.Find("a1");
  const auto is_down = [=](NodeIndex n) { return n == a1; };
  const Spread spread =
      SpreadOf(zoned.index, zoned.ring, 9,
               MakePlan(zoned.index, zoned.ring, policy), is_down);
  EXPECT_EQ(zoned.ZoneCountsOf(spread.nodes), "2,1,1");
  EXPECT_EQ(spread.nodes[0], zoned.ring.Find("a2"));
  EXPECT_TRUE(spread.answer.is_relaxed);
  policy.is_strict = true;
  EXPECT_TRUE(SpreadOf(zoned.index, zoned.ring, 9,
                       MakePlan(zoned.index, zoned.ring, policy))
                  .answer.is_refused);
}

TEST(SpreadCaseTest, ZoneCountsAreRead) {
  const auto zones = Counts("a=2,eu/b=1,=3,/=4");
  ASSERT_EQ(zones.size(), 4u);
  EXPECT_EQ(zones[0].zone, "a");
  EXPECT_FALSE(zones[0].region);
  EXPECT_EQ(zones[1].region, "eu");
  EXPECT_EQ(zones[2].zone, "");
  EXPECT_EQ(zones[3].region, "");
  EXPECT_EQ(zones[3].count, 4u);
  for (const char* bad :
       {"", "a", "a=", "a=0", "a=-1", "a=1.5", "a=2,", ",a=2", "a=1,a=2",
        "a=1=2", "a/b/c=1", "a=1048577", "a=99999999999999999999", "a= 1"}) {
    EXPECT_EQ(ParseZoneCounts(bad).status().code(), Code::kInvalidOptions)
        << bad;
  }
}

TEST(SpreadCaseTest, PlansSayWhatIsWrong) {
  const Zoned zoned({NodeIn("a", "z", "eu"), NodeIn("b", "z", "us")});
  const auto message_of = [&](const SpreadPolicy& policy) {
    const auto plan = zoned.index.Plan(zoned.ring, policy);
    EXPECT_EQ(plan.status().code(), Code::kInvalidOptions);
    return plan.status().message();
  };
  SpreadPolicy policy;
  policy.zone_counts = Counts("z=1");
  EXPECT_NE(message_of(policy).find("'eu' and 'us'"), std::string::npos);
  policy.zone_counts = Counts("eu/z=1,us/z=1");
  policy.count = 3;
  EXPECT_NE(message_of(policy).find("3 replicas"), std::string::npos);
  policy.count = 2;
  EXPECT_TRUE(zoned.index.Plan(zoned.ring, policy).ok());
  policy.zone_counts = {{"eu", "z", 1}, {"eu", "z", 1}};
  EXPECT_NE(message_of(policy).find("twice"), std::string::npos);
  policy.zone_counts = {{"eu", "z", 0}};
  EXPECT_NE(message_of(policy).find("count of 0"), std::string::npos);
  const Zoned other(SixInThreeZones());
  EXPECT_FALSE(zoned.index.Plan(other.ring, {}).ok());
}

TEST(SpreadCaseTest, AnotherRingGetsNothing) {
  const Zoned zoned(SixInThreeZones()), other({NodeIn("a", "z")});
  const Spread spread = SpreadOf(zoned.index, other.ring, 1, zoned.Plan(3));
  EXPECT_EQ(spread.answer.count, 0u);
  EXPECT_EQ(spread.answer.short_by, 3u);
  for (NodeIndex node : zoned.index.Clockwise(other.ring, 1)) {
    FAIL() << node;
  }
}

TEST(SpreadCaseTest, MemoryThatRunsOutIsAStatus) {
  FailingSource source(0);
  const Zoned zoned(SixInThreeZones());
  EXPECT_EQ(SpreadIndex::Build(zoned.ring, &source).status().code(),
            Code::kOutOfMemory);
}

TEST(QuorumTest, ReadsMeetWritesWhereTheyExceedTheReplicas) {
  static_assert(Majority(3) == 2 && Majority(4) == 3 && Majority(1) == 1);
  static_assert(ReadsMeetWrites(3, 2, 2) && !ReadsMeetWrites(3, 2, 1));
  static_assert(ReadsMeetWrites(3, 3, 1) && !ReadsMeetWrites(3, 3, 0));
  static_assert(!ReadsMeetWrites(3, 4, 1) && !ReadsMeetWrites(0, 0, 0));
  static_assert(WritesMeetWrites(3, 2) && !WritesMeetWrites(4, 2));
  static_assert(LeastReads(5, 3) == 3 && LeastReads(5, 6) == 0);
  static_assert(LossesBorne(3, 2) == 1 && LossesBorne(2, 3) == 0);
  for (uint32_t n = 1; n < 20; ++n) {
    EXPECT_TRUE(ReadsMeetWrites(n, Majority(n), Majority(n)));
    for (uint32_t w = 1; w <= n; ++w) {
      EXPECT_TRUE(ReadsMeetWrites(n, w, LeastReads(n, w)));
      if (LeastReads(n, w) > 1) {
        EXPECT_FALSE(ReadsMeetWrites(n, w, LeastReads(n, w) - 1));
      }
    }
  }
}

}  // namespace
}  // namespace clockwise
