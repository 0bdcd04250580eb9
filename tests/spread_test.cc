// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Replicas by topology against the rule as it is written, on random rings.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sanitized.h"
#include "spread_reference.h"

namespace clockwise {
namespace {

// A random membership, and what is asked of it.
class Random {
 public:
  explicit Random(uint64_t seed) : random_(seed) {}

  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  uint64_t Hash() { return random_(); }

  Node NodeOf(int number) {
    Node node = MakeNode("n" + std::to_string(number));
    const uint32_t kind = Below(8);
    node.weight = Weight::Thousandths(kind == 0   ? 0
                                      : kind == 1 ? 30'000
                                                  : 250 + Below(2000));
    node.region = Label(regions_, "r");
    node.zone = Label(zones_, "z");
    node.rack = Label(racks_, "k");
    return node;
  }

  Ring RingOf() {
    regions_ = 1 + Below(3);
    zones_ = 1 + Below(5);
    racks_ = 1 + Below(4);
    const uint32_t nodes = Below(10) == 0 ? Below(60) : Below(14);
    RingOptions options = WithVnodes(1 + Below(8));
    options.width = Below(2) == 0 ? 32 : 64;
    RingBuilder builder = MakeBuilder(options);
    for (uint32_t i = 0; i < nodes; ++i) {
      EXPECT_TRUE(builder.Add(NodeOf(static_cast<int>(i))).ok());
    }
    return MakeRing(builder);
  }

 private:
  // Label 0 is the empty one.
  std::string Label(uint32_t count, const char* prefix) {
    const uint32_t n = Below(count);
    return n == 0 ? "" : prefix + std::to_string(n);
  }

  std::mt19937_64 random_;
  uint32_t regions_ = 1, zones_ = 1, racks_ = 1;
};

std::vector<bool> RandomOut(Random& random, const Ring& ring) {
  std::vector<bool> is_out(ring.slot_count());
  const uint32_t kind = random.Below(4);
  const uint32_t zone_of =
      ring.slot_count() > 0 ? random.Below(ring.slot_count()) : 0;
  for (NodeIndex slot = 0; slot < ring.slot_count(); ++slot) {
    is_out[slot] = kind == 3 ? ring.node(slot).zone == ring.node(zone_of).zone
                             : kind != 0 && random.Below(3) == 0;
  }
  return is_out;
}

void ExpectSame(const Ring& ring, const Spread& got,
                const ReferenceAnswer& expected, uint32_t wanted,
                bool has_quotas) {
  ASSERT_EQ(got.nodes, expected.nodes);
  EXPECT_EQ(got.answer.short_by, wanted - expected.nodes.size());
  EXPECT_EQ(got.answer.shares_region, ReferenceShares(ring, got.nodes, 1));
  EXPECT_EQ(got.answer.shares_zone, ReferenceShares(ring, got.nodes, 2));
  EXPECT_EQ(got.answer.shares_rack, ReferenceShares(ring, got.nodes, 3));
  EXPECT_EQ(got.answer.is_relaxed,
            has_quotas ? expected.is_filled || got.answer.short_by > 0
                       : got.answer.shares_zone);
}

// Random zone counts, some of zones that have no node.
SpreadPolicy RandomPolicy(Random& random, const Ring& ring,
                          ReferenceQuery& query) {
  SpreadPolicy policy;
  if (random.Below(3) != 0 || ring.node_count() == 0) {
    policy.count = random.Below(20) == 0 ? 1'000'000 : random.Below(9);
    if (random.Below(6) == 0) policy.count = kMaxSpread - random.Below(3);
    query.count = policy.count;
    return policy;
  }
  for (uint32_t i = 0; i < 3; ++i) {
    const NodeView node =
        ring.node(ring.slots_by_id()[random.Below(ring.node_count())]);
    Labels zone{std::string(node.region), std::string(node.zone)};
    if (random.Below(5) == 0) zone = {"nowhere", "z"};
    if (!query.quotas.emplace(zone, 1 + random.Below(3)).second) continue;
    const auto count = static_cast<uint32_t>(query.quotas[zone]);
    policy.zone_counts.push_back({zone[0], zone[1], count});
    query.count += count;
  }
  return policy;
}

TEST(SpreadTest, FollowsTheRuleOnRandomRings) {
  const uint64_t kRings = IsSanitized() ? 1'000 : 24'000;
  for (uint64_t seed = 0; seed < kRings; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Ring ring = random.RingOf();
    const SpreadIndex index = MakeIndex(ring);
    auto scratch = SpreadScratch::Create(ring.slot_count()).value();
    const std::vector<bool> out = RandomOut(random, ring);
    size_t asked = 0;
    const auto is_out = [&](NodeIndex n) {
      ++asked;
      return bool{out[n]};
    };
    ReferenceQuery query;
    const SpreadPolicy policy = RandomPolicy(random, ring, query);
    const SpreadPlan plan = MakePlan(index, ring, policy);
    const bool has_quotas = !policy.zone_counts.empty();
    const uint64_t hash = random.Hash();

    const ReferenceAnswer all = ReferenceSpread(ring, hash, query);
    query.is_out = is_out;
    const ReferenceAnswer some = ReferenceSpread(ring, hash, query);
    if (plan.count() <= kMaxSpread) {
      ExpectSame(ring, SpreadOf(index, ring, hash, plan), all, plan.count(),
                 has_quotas);
      asked = 0;
      ExpectSame(ring, SpreadOf(index, ring, hash, plan, is_out), some,
                 plan.count(), has_quotas);
      // Every walk ends: no node is asked for more than a few times a replica.
      EXPECT_LE(asked, ring.slot_count() * 7 * (some.nodes.size() + 2) + 48);
    }
    ExpectSame(ring, SpreadOf(index, ring, hash, plan, NoExclusion(), &scratch),
               all, plan.count(), has_quotas);
    ExpectSame(ring, SpreadOf(index, ring, hash, plan, is_out, &scratch), some,
               plan.count(), has_quotas);
    if (HasFailure()) break;
  }
}

TEST(SpreadTest, FollowsTheRulePastTheNodesThatAreKept) {
  // One node of few points stands in a zone of its own.
  std::vector<Node> nodes = NumberedNodes("n", 0, 700);
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].zone = i < 650 ? "a" : "b";
    nodes[i].rack = i < 100 ? "r" + std::to_string(i % 7) : "";
  }
  nodes[3].zone = "c";
  const Ring ring = MakeRing(WithVnodes(3), nodes);
  const SpreadIndex index = MakeIndex(ring);
  auto scratch = SpreadScratch::Create(ring.slot_count()).value();
  SpreadPolicy policy;
  for (uint32_t count : {3u, 5u, 40u, 700u}) {
    policy.count = count;
    const SpreadPlan plan = MakePlan(index, ring, policy);
    for (uint64_t i = 0; i < 20; ++i) {
      const uint64_t hash = Fmix64(i + count);
      const auto expected = ReferenceSpread(ring, hash, {count}).nodes;
      if (count <= kMaxSpread) {
        ASSERT_EQ(SpreadOf(index, ring, hash, plan).nodes, expected);
      }
      ASSERT_EQ(
          SpreadOf(index, ring, hash, plan, NoExclusion(), &scratch).nodes,
          expected);
      if (count == 700) break;
    }
  }
}

// A list may lose `gone`; it keeps the nodes before it where they are, and the
// others somewhere, and gains one at most.
void ExpectOthersStay(const std::vector<NodeIndex>& before, NodeIndex gone,
                      const std::vector<NodeIndex>& after) {
  const auto at = std::find(before.begin(), before.end(), gone);
  if (at == before.end()) {
    ASSERT_EQ(after, before);
    return;
  }
  ASSERT_LE(after.size(), before.size());
  ASSERT_GE(after.size(), before.size() - 1);
  ASSERT_TRUE(std::equal(before.begin(), at, after.begin()));
  for (auto other = at + 1; other != before.end(); ++other) {
    ASSERT_NE(std::find(after.begin(), after.end(), *other), after.end());
  }
}

TEST(SpreadTest, BothWaysAgreeOnRingsOfWideOwners) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 70'000);
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].zone = "z" + std::to_string(i % 5);
    nodes[i].rack = "r" + std::to_string(i % 3);
  }
  const Ring ring = MakeRing(WithVnodes(1), nodes);
  const SpreadIndex index = MakeIndex(ring);
  auto scratch = SpreadScratch::Create(ring.slot_count()).value();
  SpreadPolicy policy;
  for (uint32_t count : {3u, 7u, 64u}) {
    policy.count = count;
    const SpreadPlan plan = MakePlan(index, ring, policy);
    for (uint64_t i = 0; i < 10; ++i) {
      const auto chosen = SpreadOf(index, ring, Fmix64(i), plan);
      const auto sorted =
          SpreadOf(index, ring, Fmix64(i), plan, NoExclusion(), &scratch);
      ASSERT_EQ(chosen.nodes, sorted.nodes);
      ASSERT_EQ(chosen.nodes.size(), count);
    }
  }
}

TEST(SpreadTest, ANodeThatGoesTakesNoOtherWithIt) {
  int changed = 0, kept = 0;
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Ring ring = random.RingOf();
    if (ring.node_count() < 2) continue;
    const NodeIndex gone = ring.slots_by_id()[random.Below(ring.node_count())];
    RingBuilder builder = RingBuilder::From(ring);
    ASSERT_TRUE(builder.Remove(ring.node(gone).id).ok());
    const Ring less = MakeRing(builder);
    const SpreadIndex index = MakeIndex(ring), less_index = MakeIndex(less);
    ReferenceQuery query;
    const SpreadPolicy policy = RandomPolicy(random, ring, query);
    const SpreadPlan plan = MakePlan(index, ring, policy);
    const SpreadPlan less_plan = MakePlan(less_index, less, policy);
    for (int i = 0; i < 5 && plan.count() <= kMaxSpread; ++i) {
      const uint64_t hash = random.Hash();
      const auto before = SpreadOf(index, ring, hash, plan).nodes;
      const auto without = SpreadOf(index, ring, hash, plan, [&](NodeIndex n) {
                             return n == gone;
                           }).nodes;
      // Removed or excluded is one; slots of survivors stay.
      ASSERT_EQ(SpreadOf(less_index, less, hash, less_plan).nodes, without);
      ExpectOthersStay(before, gone, without);
      const bool was_in =
          std::find(before.begin(), before.end(), gone) != before.end();
      ++(was_in ? changed : kept);
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(kept, 3000);
  EXPECT_GT(changed, 3000);
}

TEST(SpreadTest, ShorterListsBeginLongerOnes) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const Ring ring = random.RingOf();
    const SpreadIndex index = MakeIndex(ring);
    const uint64_t hash = random.Hash();
    std::vector<NodeIndex> shorter;
    for (uint32_t count = 0; count < 12; ++count) {
      SpreadPolicy policy;
      policy.count = count;
      const auto nodes =
          SpreadOf(index, ring, hash, MakePlan(index, ring, policy)).nodes;
      ASSERT_LE(shorter.size(), nodes.size());
      ASSERT_TRUE(std::equal(shorter.begin(), shorter.end(), nodes.begin()));
      shorter = nodes;
    }
  }
}

TEST(SpreadTest, NearestFirstKeepsTheSetAndTheOrderAmongEqualsOfDistance) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const Ring ring = random.RingOf();
    const SpreadIndex index = MakeIndex(ring);
    SpreadPolicy policy;
    policy.count = random.Below(8);
    const uint64_t hash = random.Hash();
    auto expected =
        SpreadOf(index, ring, hash, MakePlan(index, ring, policy)).nodes;
    const Node reader = random.NodeOf(0);
    policy.near = {reader.region, reader.zone, reader.rack};
    std::stable_sort(expected.begin(), expected.end(),
                     [&](NodeIndex x, NodeIndex y) {
                       const auto shared = [&](NodeIndex n) {
                         const NodeView node = ring.node(n);
                         if (node.region != reader.region) return 0;
                         if (node.zone != reader.zone) return 1;
                         return node.rack != reader.rack ? 2 : 3;
                       };
                       return shared(x) > shared(y);
                     });
    ASSERT_EQ(SpreadOf(index, ring, hash, MakePlan(index, ring, policy)).nodes,
              expected)
        << "seed " << seed;
  }
}

TEST(SpreadTest, WalksMeetEachNodeOnceInOrder) {
  std::mt19937_64 random(2);
  for (int slots : {0, 1, 2, 15, 16, 17, 1024, 1025, 3000, 70'000}) {
    const Ring ring = MakeRing(WithVnodes(slots > 5000 ? 1 : 3),
                               NumberedNodes("n", 0, slots));
    const SpreadIndex index = MakeIndex(ring);
    for (int i = 0; i < (slots > 5000 ? 1 : 20); ++i) {
      const uint64_t hash = random();
      std::vector<NodeIndex> expected, walked;
      std::set<NodeIndex> met;
      for (size_t k = 0; k < ring.point_count(); ++k) {
        const NodeIndex node =
            ring.OwnerAt((ring.PointAt(hash) + k) % ring.point_count());
        if (met.insert(node).second) expected.push_back(node);
      }
      for (NodeIndex node : index.Clockwise(ring, hash)) walked.push_back(node);
      ASSERT_EQ(walked, expected) << slots << " slots";
      std::erase_if(expected, [](NodeIndex n) { return n % 3 == 0; });
      walked.clear();
      for (NodeIndex node : index.Clockwise(
               ring, hash, [](NodeIndex n) { return n % 3 == 0; })) {
        walked.push_back(node);
      }
      ASSERT_EQ(walked, expected);
    }
  }
}

}  // namespace
}  // namespace clockwise
