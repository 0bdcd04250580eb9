// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "clockwise/bounded_load.h"
#include "failing_new.h"
#include "ring_maker.h"

namespace clockwise {
namespace {

using Loads = std::vector<LoadUnits>;

Simulation MakeSimulation(const Ring& ring, const ArcLoads& loads,
                          const SimulationOptions& options = {}) {
  auto simulation = Simulation::Create(ring, loads, options);
  EXPECT_TRUE(simulation.ok()) << simulation.status().message();
  return std::move(simulation).value();
}

ArcLoads CountOf(const Ring& ring, const std::vector<uint64_t>& hashes) {
  ArcLoads loads = ArcLoads::Create(ring).value();
  const std::span<const uint64_t> all = hashes;
  loads.Count(all.first(all.size() / 2));
  loads.Count(all.subspan(all.size() / 2));
  return loads;
}

Simulation OfCircle(const Ring& ring, const SimulationOptions& options = {}) {
  return MakeSimulation(ring, ArcLoads::OfCircle(ring).value(), options);
}

// Three points: light-1 at 100, light-2 at 200, and heavy, of weight 4, at 300.
Ring LightAndHeavy() {
  RingOptions options;
  options.scheme = "points";
  RingBuilder builder = MakeBuilder(options);
  const auto add = [&](const char* id, uint32_t weight, uint64_t position) {
    const Node node = MakeNode(id, Weight::Whole(weight));
    EXPECT_TRUE(builder.Add(node, {&position, 1}).ok());
  };
  add("light-1", 1, 100);
  add("light-2", 1, 200);
  add("heavy", 4, 300);
  return MakeRing(builder);
}

Loads Copy(std::span<const LoadUnits> loads) {
  return {loads.begin(), loads.end()};
}

LoadUnits Sum(std::span<const LoadUnits> loads) {
  LoadUnits sum = 0;
  for (const LoadUnits load : loads) sum += load;
  return sum;
}

// What a cluster does key by key: the ring as weights make it, and who is down.
struct Cluster {
  explicit Cluster(Ring of)
      : ring(std::move(of)),
        last(ring.PositionAt(ring.point_count() - 1)),
        down(ring.slot_count()) {}

  void Halve(NodeIndex node) {
    const uint64_t weight = ring.node(node).weight.thousandths();
    auto change = RingBuilder::From(ring);
    EXPECT_TRUE(change
                    .SetWeight(ring.node(node).id,
                               Weight::Thousandths((weight + 1) / 2))
                    .ok());
    ring = MakeRing(change);
  }
  [[nodiscard]] auto Walk(uint64_t hash) const {
    return ring.Clockwise(hash,
                          [this](NodeIndex n) -> bool { return down[n]; });
  }

  Ring ring;
  uint64_t last;  // position, while all points were there
  std::vector<bool> down;
};

Loads WalkEach(const Cluster& cluster, const std::vector<uint64_t>& hashes) {
  Loads loads(cluster.down.size());
  for (const uint64_t hash : hashes) {
    for (const NodeIndex node : cluster.Walk(hash)) {
      ++loads[node];
      break;
    }
  }
  return loads;
}

// In the order of the hashes, those past the last point first, by the test of
// BoundedLoad. Counts keys that the
// first node had no room for.
Loads WalkEachBounded(const Cluster& cluster, std::vector<uint64_t> hashes,
                      uint32_t factor, LoadUnits& spilled) {
  std::sort(hashes.begin(), hashes.end());
  std::stable_partition(hashes.begin(), hashes.end(), [&](uint64_t hash) {
    const int unused = cluster.ring.width() == 32 ? 32 : 0;
    return hash >> unused > cluster.last >> unused;
  });
  uint64_t whole = 0;
  for (NodeIndex node = 0; node < cluster.down.size(); ++node) {
    if (cluster.down[node]) continue;
    whole += 100 * cluster.ring.node(node).weight.thousandths();
  }
  Loads loads(cluster.down.size());
  spilled = 0;
  for (const uint64_t hash : hashes) {
    bool is_first = true;
    for (const NodeIndex node : cluster.Walk(hash)) {
      const uint64_t share =
          cluster.ring.node(node).weight.thousandths() * factor;
      if (detail::HasRoom(static_cast<uint64_t>(loads[node]), hashes.size(),
                          share, whole)) {
        ++loads[node];
        spilled += is_first ? 0 : 1;
        break;
      }
      is_first = false;
    }
  }
  return loads;
}

class RandomClusters : public testing::TestWithParam<uint32_t> {
 protected:
  uint32_t Below(uint32_t limit) {
    return static_cast<uint32_t>(random_() % limit);
  }
  Ring RandomRing() {
    RingOptions options = WithVnodes(1 + Below(12));
    options.width = Below(2) == 0 ? 32 : 64;
    std::vector<Node> nodes = NumberedNodes("node-", 0, 2 + int(Below(9)));
    for (Node& node : nodes) {
      node.weight = Weight::Thousandths(Below(4) == 0 ? 0 : 1 + Below(3000));
    }
    nodes[0].weight = Weight();
    return MakeRing(options, nodes);
  }
  std::vector<uint64_t> RandomHashes(const Ring& ring, size_t count) {
    std::vector<uint64_t> hashes(count);
    for (uint64_t& hash : hashes) hash = random_();
    hashes[0] = ring.PositionAt(0);
    hashes[1] = ~uint64_t{0};
    return hashes;
  }
  // Changes a node of the model and of the cluster, of those not down.
  void Step(Simulation& simulation, Cluster& cluster) {
    NodeIndex node = 0;
    do {
      node = Below(cluster.ring.slot_count());
    } while (cluster.down[node]);
    if (Below(2) == 0 && simulation.HalfDrain(node).ok()) {
      cluster.Halve(node);
    } else {
      ASSERT_TRUE(simulation.Kill(node).ok());
      cluster.down[node] = true;
    }
  }

  std::mt19937_64 random_{GetParam()};
};

TEST_P(RandomClusters, MoveAsEachKeyWalks) {
  const Ring ring = RandomRing();
  const auto hashes = RandomHashes(ring, 500);
  Simulation simulation = MakeSimulation(ring, CountOf(ring, hashes));
  Cluster cluster(ring.Copy(0).value());
  Loads before = Copy(simulation.loads());
  EXPECT_EQ(before, WalkEach(cluster, hashes));
  while (std::ranges::count(cluster.down, false) > 0) {
    Step(simulation, cluster);
    EXPECT_EQ(Copy(simulation.loads()), WalkEach(cluster, hashes));
    EXPECT_EQ(Copy(simulation.previous_loads()), before);
    before = Copy(simulation.loads());
  }
  EXPECT_EQ(simulation.up_count(), 0u);
  EXPECT_EQ(Sum(simulation.loads()), 0u);
}

TEST_P(RandomClusters, SpillAsBoundedLoadsDo) {
  const Ring ring = RandomRing();
  const auto hashes = RandomHashes(ring, 300);
  const uint32_t factor = 100 + Below(60);
  Simulation simulation =
      MakeSimulation(ring, CountOf(ring, hashes), {.balance_factor = factor});
  Cluster cluster(ring.Copy(0).value());
  LoadUnits spilled = 0;
  EXPECT_EQ(Copy(simulation.loads()),
            WalkEachBounded(cluster, hashes, factor, spilled));
  while (std::ranges::count(cluster.down, false) > 0) {
    Step(simulation, cluster);
    EXPECT_EQ(Copy(simulation.loads()),
              WalkEachBounded(cluster, hashes, factor, spilled));
    EXPECT_EQ(simulation.spilled(), spilled);
  }
}

TEST_P(RandomClusters, StayWithinTheCapsOfBoundedLoad) {
  const Ring ring = RandomRing();
  const auto hashes = RandomHashes(ring, 400);
  Simulation simulation =
      MakeSimulation(ring, CountOf(ring, hashes), {.balance_factor = 110});
  LoadTable table = LoadTable::Create(ring.slot_count()).value();
  for (NodeIndex node = 0; node < ring.slot_count(); ++node) {
    const auto is_down = [&](NodeIndex n) {
      return ring.node(n).points != 0 && !simulation.IsUp(n);
    };
    const BoundedLoad bounded =
        BoundedLoad::Build(ring, table, {.factor = 110, .is_ejected = is_down})
            .value();
    for (NodeIndex n = 0; n < ring.slot_count(); ++n) {
      EXPECT_LE(simulation.loads()[n], bounded.Cap(n, hashes.size()));
    }
    EXPECT_EQ(Sum(simulation.loads()),
              simulation.up_count() > 0 ? hashes.size() : 0);
    ASSERT_TRUE(simulation.Kill(node).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomClusters, testing::Range(1u, 41u));

TEST(SimulateTest, EightNodesAtEightyPercent) {
  const Ring ring = MakeRing({}, NumberedNodes("cache-", 1, 8));
  Simulation simulation = OfCircle(ring);
  EXPECT_DOUBLE_EQ(simulation.MeanPercent(), 80);
  ASSERT_TRUE(simulation.Kill(0).ok());
  EXPECT_NEAR(simulation.MeanPercent(), 91.43, 0.005);
  ASSERT_TRUE(simulation.Kill(1).ok());
  EXPECT_NEAR(simulation.MeanPercent(), 106.67, 0.005);
  const NodeIndex peak = simulation.Peak();
  EXPECT_GT(simulation.Percent(peak, simulation.loads()[peak]), 106.67);
}

TEST(SimulateTest, MeanIsThatOfTheLoads) {
  std::vector<Node> nodes = NumberedNodes("cache-", 1, 6);
  nodes[2].weight = Weight::Whole(3);
  const Ring ring = MakeRing({}, nodes);
  Simulation simulation = OfCircle(ring, {.utilisation = 55});
  ASSERT_TRUE(simulation.Kill(4).ok());
  double weighted = 0;
  double weights = 0;
  for (NodeIndex node = 0; node < 6; ++node) {
    if (!simulation.IsUp(node)) continue;
    const auto weight = double(ring.node(node).weight.thousandths());
    weighted += weight * simulation.Percent(node, simulation.loads()[node]);
    weights += weight;
  }
  EXPECT_NEAR(weighted / weights, simulation.MeanPercent(), 1e-9);
}

TEST(SimulateTest, CascadeTakesTheMostLoadedFirstUntilNoneIsLeft) {
  const Ring ring = MakeRing({}, NumberedNodes("cache-", 1, 8));
  Simulation simulation = OfCircle(ring);
  EXPECT_EQ(simulation.NextToFail(), kNoNode);
  ASSERT_TRUE(simulation.Kill(0).ok());
  ASSERT_TRUE(simulation.Kill(1).ok());
  for (uint32_t left = 6; left > 0; --left) {
    const NodeIndex next = simulation.NextToFail();
    ASSERT_NE(next, kNoNode);
    for (const LoadUnits load : simulation.loads()) {
      EXPECT_LE(load, simulation.loads()[next]);
    }
    ASSERT_TRUE(simulation.Kill(next).ok());
    EXPECT_EQ(simulation.up_count(), left - 1);
  }
  EXPECT_EQ(simulation.NextToFail(), kNoNode);
  EXPECT_EQ(simulation.Peak(), kNoNode);
  EXPECT_EQ(simulation.MeanPercent(), 0);
  EXPECT_EQ(simulation.CountAbove(100), 0u);
}

TEST(SimulateTest, CascadeEndsWhereASurvivorHasRoom) {
  const Ring ring = LightAndHeavy();
  ArcLoads loads = ArcLoads::Create(ring).value();
  const std::vector<uint64_t> hashes = {50, 60, 150, 160, 250, 310};
  loads.Count(hashes);
  // A whole weight has room for two keys at 100 %.
  Simulation simulation = MakeSimulation(ring, loads, {.utilisation = 50});
  const NodeIndex next = ring.Find("light-2");
  ASSERT_TRUE(simulation.Kill(ring.Find("light-1")).ok());
  EXPECT_DOUBLE_EQ(simulation.Percent(next, simulation.loads()[next]), 250);
  EXPECT_EQ(simulation.NextToFail(), next);
  ASSERT_TRUE(simulation.Kill(next).ok());
  EXPECT_EQ(simulation.loads()[ring.Find("heavy")], 6u);
  EXPECT_DOUBLE_EQ(simulation.MeanPercent(), 75);
  EXPECT_EQ(simulation.NextToFail(), kNoNode);
}

TEST(SimulateTest, ALoadAtTheLimitIsNotAboveIt) {
  const Ring ring =
      MakePointRing(64, Layout::kSorted, {{100, "a"}, {200, "b"}});
  ArcLoads loads = ArcLoads::Create(ring).value();
  const std::vector<uint64_t> hashes = {50, 60, 70, 150, 160, 170};
  loads.Count(hashes);
  const Simulation full = MakeSimulation(ring, loads, {.utilisation = 100});
  EXPECT_EQ(full.NextToFail(), kNoNode);
  EXPECT_EQ(full.CountAbove(100), 0u);
  const Simulation above = MakeSimulation(ring, loads, {.utilisation = 101});
  EXPECT_EQ(above.NextToFail(), ring.Find("a"));  // the smaller id of equals
  EXPECT_EQ(above.CountAbove(100), 2u);
  const Simulation later =
      MakeSimulation(ring, loads, {.utilisation = 101, .fail_at = 101});
  EXPECT_EQ(later.NextToFail(), kNoNode);
}

TEST(SimulateTest, TheCircleIsSharedExactly) {
  const Ring ring = MakePointRing(64, Layout::kSorted,
                                  {{10, "a"}, {10, "b"}, {30, "b"}, {60, "c"}});
  Simulation simulation = OfCircle(ring);
  const LoadUnits circle = LoadUnits{1} << 64;
  EXPECT_EQ(simulation.total(), circle);
  EXPECT_EQ(Copy(simulation.loads()), (Loads{circle - 50, 20, 30}));
  ASSERT_TRUE(simulation.Kill(ring.Find("a")).ok());  // b's point shows up
  EXPECT_EQ(Copy(simulation.loads()), (Loads{0, circle - 30, 30}));
  ASSERT_TRUE(simulation.Kill(ring.Find("c")).ok());
  EXPECT_EQ(Copy(simulation.loads()), (Loads{0, circle, 0}));
}

TEST(SimulateTest, BoundedLoadsShareTheCircleToo) {
  const Ring ring = MakeRing(WithVnodes(4), NumberedNodes("n", 0, 4));
  Simulation simulation = OfCircle(ring, {.balance_factor = 100});
  const LoadUnits circle = LoadUnits{1} << 64;
  EXPECT_EQ(Copy(simulation.loads()), Loads(4, circle / 4));
  EXPECT_GT(simulation.spilled(), 0u);
  ASSERT_TRUE(simulation.Kill(3).ok());
  for (NodeIndex node = 0; node < 3; ++node) {
    EXPECT_LE(simulation.loads()[node], circle / 3 + 1);
  }
  EXPECT_EQ(Sum(simulation.loads()), circle);
}

TEST(SimulateTest, DrainThenKillEndsAsKillAlone) {
  const Ring ring = MakeRing({}, NumberedNodes("cache-", 1, 5));
  Simulation drained = OfCircle(ring);
  Simulation killed = OfCircle(ring);
  const LoadUnits whole = drained.loads()[2];
  ASSERT_TRUE(drained.HalfDrain(2).ok());
  EXPECT_NEAR(double(drained.loads()[2]) / double(whole), 0.5, 0.1);
  EXPECT_TRUE(drained.IsUp(2));
  EXPECT_DOUBLE_EQ(drained.MeanPercent(), 80);  // its capacity is there
  ASSERT_TRUE(drained.Kill(2).ok());
  ASSERT_TRUE(killed.Kill(2).ok());
  EXPECT_EQ(Copy(drained.loads()), Copy(killed.loads()));
}

TEST(SimulateTest, TheLastPointIsNotDrained) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 3);
  nodes[1].weight = Weight::Thousandths(1);
  const Ring ring = MakeRing({}, nodes);
  Simulation simulation = OfCircle(ring, {.balance_factor = 200});
  const Loads before = Copy(simulation.loads());
  ASSERT_TRUE(simulation.HalfDrain(1).ok());
  EXPECT_TRUE(simulation.IsUp(1));
  EXPECT_EQ(Copy(simulation.loads()), before);
}

TEST(SimulateTest, ThePeakIsByCapacity) {
  const Ring ring = LightAndHeavy();
  ArcLoads loads = ArcLoads::Create(ring).value();
  const std::vector<uint64_t> hashes = {50, 150, 160, 250, 260, 270};
  loads.Count(hashes);
  const Simulation simulation = MakeSimulation(ring, loads);
  EXPECT_EQ(simulation.loads()[ring.Find("heavy")], 3u);
  EXPECT_EQ(simulation.Peak(), ring.Find("light-2"));
}

TEST(SimulateTest, MembersWithoutPointsLeaveWithNothing) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 3);
  nodes[1].weight = Weight::Whole(0);
  const Ring ring = MakeRing({}, nodes);
  Simulation simulation = OfCircle(ring);
  const Loads before = Copy(simulation.loads());
  EXPECT_EQ(simulation.up_count(), 2u);
  EXPECT_FALSE(simulation.IsUp(1));
  ASSERT_TRUE(simulation.HalfDrain(1).ok());
  ASSERT_TRUE(simulation.Kill(1).ok());
  EXPECT_EQ(Copy(simulation.loads()), before);
  EXPECT_EQ(simulation.up_count(), 2u);
  EXPECT_DOUBLE_EQ(simulation.MeanPercent(), 80);
  EXPECT_EQ(simulation.Percent(1, 1000), 0);
}

TEST(SimulateTest, WrongStepsAreRefusedAndChangeNothing) {
  const Ring ring = MakeRing({}, NumberedNodes("n", 0, 3));
  Simulation simulation = OfCircle(ring);
  ASSERT_TRUE(simulation.HalfDrain(0).ok());
  ASSERT_TRUE(simulation.Kill(1).ok());
  const Loads before = Copy(simulation.loads());
  EXPECT_EQ(simulation.HalfDrain(0).message(), "node 'n0' has half already");
  EXPECT_EQ(simulation.Kill(1).message(), "node 'n1' is down already");
  EXPECT_EQ(simulation.HalfDrain(1).code(), Code::kInvalidOptions);
  EXPECT_EQ(simulation.Kill(3).code(), Code::kUnknownNode);
  EXPECT_EQ(simulation.HalfDrain(kNoNode).code(), Code::kUnknownNode);
  EXPECT_EQ(Copy(simulation.loads()), before);
  EXPECT_EQ(simulation.up_count(), 2u);
}

TEST(SimulateTest, OtherSchemesAreNotHalfDrained) {
  const Ring ring = MakePointRing(64, Layout::kSorted, {{10, "a"}, {20, "b"}});
  Simulation simulation = OfCircle(ring);
  const Status status = simulation.HalfDrain(0);
  EXPECT_EQ(status.code(), Code::kInvalidOptions);
  EXPECT_NE(status.message().find("'points'"), std::string::npos);
  EXPECT_TRUE(simulation.Kill(0).ok());
}

TEST(SimulateTest, HolesOfAChangedRingAreNobody) {
  const Ring base = MakeRing({}, NumberedNodes("n", 0, 4));
  auto change = RingBuilder::From(base);
  ASSERT_TRUE(change.Remove("n1").ok());
  const Ring ring = MakeRing(change);
  Simulation simulation = OfCircle(ring);
  EXPECT_EQ(simulation.Kill(1).code(), Code::kUnknownNode);
  ASSERT_TRUE(simulation.HalfDrain(2).ok());
  ASSERT_TRUE(simulation.Kill(3).ok());
  EXPECT_EQ(Sum(simulation.loads()), simulation.total());
}

// Calls `attempt` with ever more memory until its status is ok.
template <typename Attempt>
void UntilMemorySuffices(Attempt attempt) {
  for (long allocations = 0; allocations < 1000; ++allocations) {
    fail_allocations_after(allocations);
    const Status status = attempt();
    if (stop_failing() == 0) {
      EXPECT_TRUE(status.ok()) << status.message();
      return;
    }
    ASSERT_EQ(status.code(), Code::kOutOfMemory);
  }
  FAIL() << "never enough";
}

TEST(SimulateTest, AHeapThatRunsOutIsAStatus) {
  const Ring ring = MakeRing(WithVnodes(8), NumberedNodes("n", 0, 3));
  UntilMemorySuffices([&] { return ArcLoads::OfCircle(ring).status(); });
  const ArcLoads circle = ArcLoads::OfCircle(ring).value();
  UntilMemorySuffices([&] {
    return Simulation::Create(ring, circle, {.balance_factor = 110}).status();
  });
  Simulation simulation = OfCircle(ring);
  const Loads before = Copy(simulation.loads());
  UntilMemorySuffices([&] {
    if (!std::ranges::equal(simulation.loads(), before)) std::abort();
    return simulation.HalfDrain(1);
  });
  EXPECT_NE(Copy(simulation.loads()), before);
  fail_allocations_after(0);
  const bool is_killed = simulation.Kill(1).ok();
  EXPECT_EQ(stop_failing(), 0);
  EXPECT_TRUE(is_killed);
}

TEST(SimulateTest, OptionsHaveLimits) {
  const Ring ring = MakeRing({}, NumberedNodes("n", 0, 3));
  const ArcLoads circle = ArcLoads::OfCircle(ring).value();
  const auto refusal = [&](SimulationOptions options) {
    const auto result = Simulation::Create(ring, circle, options);
    EXPECT_EQ(result.status().code(), Code::kInvalidOptions);
    return result.status().message();
  };
  EXPECT_EQ(refusal({.utilisation = 0}), "utilisation 0 %; 1 to 1000");
  EXPECT_EQ(refusal({.utilisation = 1001}), "utilisation 1001 %; 1 to 1000");
  EXPECT_EQ(refusal({.fail_at = 0}), "fail_at 0 %; 1 to 10000");
  EXPECT_EQ(refusal({.fail_at = 10001}), "fail_at 10001 %; 1 to 10000");
  EXPECT_EQ(refusal({.balance_factor = 99}),
            "balance factor 99 %; 100 to 65536");
  EXPECT_EQ(refusal({.balance_factor = 65537}),
            "balance factor 65537 %; 100 to 65536");
}

TEST(SimulateTest, LoadsAreOfThisRingAndNotNothing) {
  const Ring ring = MakeRing({}, NumberedNodes("n", 0, 3));
  const Ring other = MakeRing({}, NumberedNodes("m", 0, 3));
  const Ring empty = MakeRing({}, {});
  const auto refusal = [](const Ring& of, const ArcLoads& loads) {
    return Simulation::Create(of, loads).status().message();
  };
  EXPECT_EQ(refusal(ring, ArcLoads::OfCircle(other).value()),
            "the loads are those of another ring");
  EXPECT_EQ(refusal(ring, ArcLoads::Create(ring).value()), "there are no keys");
  ArcLoads none = ArcLoads::OfCircle(empty).value();
  const std::vector<uint64_t> hashes = {1, 2};
  none.Count(hashes);
  EXPECT_EQ(none.total(), 0u);
  EXPECT_EQ(refusal(empty, none), "no node has points");
}

}  // namespace
}  // namespace clockwise
