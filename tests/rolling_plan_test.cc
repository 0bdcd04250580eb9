// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/rolling_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "failing_new.h"
#include "ring_maker.h"

namespace clockwise {
namespace {

using Ids = std::vector<std::string>;

Members MembersOf(std::vector<Node> nodes, uint32_t vnodes = 32) {
  Members members;
  members.source = "test";
  members.options.vnodes = vnodes;
  members.nodes = std::move(nodes);
  return members;
}

std::vector<RollingStep> MakeSteps(const Members& before, const Members& after,
                                   const RollingOptions& options = {}) {
  auto steps = PlanRolling(before, after, options);
  EXPECT_TRUE(steps.ok()) << steps.status().message();
  return std::move(steps).value();
}

TEST(RollingPlanTest, EightBecomeTwelveOneByOne) {
  const Members before = MembersOf(NumberedNodes("n-", 10, 8));
  Members after = MembersOf(NumberedNodes("n-", 10, 12));
  after.epoch = 7;
  const auto steps = MakeSteps(before, after);
  ASSERT_EQ(steps.size(), 4u);
  Ring last = BuildRing(before).value();
  HashCount moved = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const RollingStep& step = steps[i];
    EXPECT_EQ(step.added, Ids{"n-" + std::to_string(18 + i)});
    EXPECT_TRUE(step.changed.empty() && step.removed.empty());
    EXPECT_EQ(step.members.epoch, i == 3 ? 7u : 0u);
    Ring next = BuildRing(step.members).value();
    const auto plan = MigrationPlan::Create(last, next).value();
    EXPECT_TRUE(step.moved == plan.moved());
    // A new node takes all that moves; no node gives all of it.
    EXPECT_EQ(step.most_in.id, step.added[0]);
    EXPECT_TRUE(step.most_in.hashes == step.moved);
    EXPECT_TRUE(step.most_out.hashes < step.moved);
    moved += step.moved;
    last = std::move(next);
  }
  EXPECT_EQ(last.digest(), BuildRing(after).value().digest());
  EXPECT_GT(FractionOf(moved), 0.3);
}

TEST(RollingPlanTest, NodesComeThenChangeThenGo) {
  const Members before = MembersOf(NumberedNodes("n-", 0, 4));
  Members after = MembersOf(NumberedNodes("n-", 1, 5));
  after.nodes[0].weight = Weight::Whole(2);
  const auto steps = MakeSteps(before, after);
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].added, Ids{"n-4"});
  EXPECT_EQ(steps[1].added, Ids{"n-5"});
  EXPECT_EQ(steps[2].changed, Ids{"n-1"});
  EXPECT_EQ(steps[2].most_in.id, "n-1");
  EXPECT_EQ(steps[3].removed, Ids{"n-0"});
  EXPECT_EQ(steps[3].most_out.id, "n-0");
  EXPECT_EQ(steps[3].members.nodes, after.nodes);
}

TEST(RollingPlanTest, SeveralAtATime) {
  const Members before = MembersOf(NumberedNodes("n-", 0, 4));
  const Members after = MembersOf(NumberedNodes("n-", 2, 5));
  const auto steps = MakeSteps(before, after, {.at_a_time = 2});
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].added, (Ids{"n-4", "n-5"}));
  EXPECT_EQ(steps[1].added, Ids{"n-6"});
  EXPECT_EQ(steps[1].removed, Ids{"n-0"});
  EXPECT_EQ(steps[2].removed, Ids{"n-1"});
  EXPECT_EQ(MakeSteps(before, after, {.at_a_time = 100}).size(), 1u);
  // Two copies: each node holds more, and gets more.
  EXPECT_TRUE(MakeSteps(before, after, {.replicas = 2})[0].moved >
              MakeSteps(before, after)[0].moved);
}

TEST(RollingPlanTest, OfEqualsTheSmallestIdIsNamed) {
  // Everything is on all nodes: each that comes gets the whole circle.
  const Members before = MembersOf(NumberedNodes("n-", 0, 2));
  const Members after = MembersOf(NumberedNodes("n-", 0, 5));
  const auto steps = MakeSteps(before, after, {.at_a_time = 3, .replicas = 5});
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].most_in.id, "n-2");
  EXPECT_TRUE(steps[0].most_in.hashes == kWholeCircle);
  EXPECT_EQ(steps[0].most_out.id, "");
  EXPECT_TRUE(steps[0].moved == 3 * kWholeCircle);
}

TEST(RollingPlanTest, NothingToDoIsNoStep) {
  const Members members = MembersOf(NumberedNodes("n-", 0, 4));
  EXPECT_TRUE(MakeSteps(members, members).empty());
}

TEST(RollingPlanTest, RefusesWhatIsNotAChangeOfNodes) {
  const Members before = MembersOf(NumberedNodes("n-", 0, 4));
  Members after = before;
  after.options.vnodes = 64;
  const auto steps = PlanRolling(before, after);
  EXPECT_EQ(steps.status().code(), Code::kInvalidOptions);
  EXPECT_EQ(steps.status().message(),
            "the members differ in vnodes: steps change nodes alone");
  after = before;
  after.options.layout = Layout::kSorted;  // answers nothing else
  EXPECT_TRUE(PlanRolling(before, after).ok());
  EXPECT_EQ(PlanRolling(before, before, {.at_a_time = 0}).status().message(),
            "at_a_time 0; 1 or more");
  EXPECT_EQ(PlanRolling(before, before, {.replicas = 17}).status().message(),
            "replicas 17; 1 to 16");
  after.options.scheme = "jump";
  EXPECT_FALSE(PlanRolling(after, after).ok());
}

TEST(RollingPlanTest, MemoryThatRunsOutIsAStatus) {
  const Members before = MembersOf(NumberedNodes("n-", 0, 2), 4);
  const Members after = MembersOf(NumberedNodes("n-", 0, 3), 4);
  for (long allowed = 0;; ++allowed) {
    fail_allocations_after(allowed);
    const auto steps = PlanRolling(before, after);
    stop_failing();
    if (steps.ok()) break;
    ASSERT_EQ(steps.status().code(), Code::kOutOfMemory);
    ASSERT_LT(allowed, 500);
  }
}

}  // namespace
}  // namespace clockwise
