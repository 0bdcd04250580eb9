// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/transition.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ring_maker.h"

namespace clockwise {
namespace {

// Ranges (100, 150] and (200, 250] go from b and a to x.
struct Change {
  Ring before =
      MakePointRing(64, std::nullopt, {{100, "a"}, {200, "b"}, {300, "a"}});
  Ring after = MakePointRing(
      64, std::nullopt,
      {{100, "a"}, {150, "x"}, {200, "b"}, {250, "x"}, {300, "a"}});
  MigrationPlan plan = MigrationPlan::Create(before, after).value();
  Transition transition = Transition::Create(before, after, plan).value();
};

TEST(TransitionTest, KnowsBothOwnersAndWhatIsCopied) {
  Change change;
  Transition& transition = change.transition;
  KeyTransition found = transition.Of(120);
  EXPECT_EQ(change.before.node(found.before).id, "b");
  EXPECT_EQ(change.after.node(found.after).id, "x");
  EXPECT_EQ(found.move, 0u);
  EXPECT_EQ(found.state, RangeState::kPending);
  EXPECT_EQ(transition.Of(160).state, RangeState::kSettled);
  EXPECT_EQ(transition.Of(160).move, kNoMove);

  EXPECT_TRUE(transition.MarkCopied(0));
  EXPECT_TRUE(transition.MarkCopied(0));
  EXPECT_EQ(transition.copied_count(), 1u);
  EXPECT_EQ(transition.Of(120).state, RangeState::kCopied);
  EXPECT_EQ(transition.Of(220).state, RangeState::kPending);
  EXPECT_FALSE(transition.is_complete());
  EXPECT_TRUE(transition.MarkCopied(1));
  EXPECT_TRUE(transition.is_complete());
}

TEST(TransitionTest, NumbersThatAreNoMovesChangeNothing) {
  Change change;
  EXPECT_FALSE(change.transition.MarkCopied(2));
  EXPECT_FALSE(change.transition.MarkCopied(kNoMove));
  EXPECT_EQ(change.transition.state(2), RangeState::kSettled);
  EXPECT_EQ(change.transition.copied_count(), 0u);
}

TEST(TransitionTest, WhatNobodyHadIsSettled) {
  const Ring empty = MakePointRing(64, std::nullopt, {});
  const Ring one = MakePointRing(64, std::nullopt, {{100, "a"}});
  const auto fill = MigrationPlan::Create(empty, one).value();
  const KeyTransition filled =
      Transition::Create(empty, one, fill).value().Of(7);
  EXPECT_EQ(filled.before, kNoNode);
  EXPECT_EQ(filled.state, RangeState::kSettled);
  const auto drain = MigrationPlan::Create(one, empty).value();
  const KeyTransition drained =
      Transition::Create(one, empty, drain).value().Of(7);
  EXPECT_EQ(drained.after, kNoNode);
  EXPECT_EQ(drained.state, RangeState::kSettled);
}

TEST(TransitionTest, ANewOwnerThatHeldTheDataIsSettled) {
  const Ring before = MakePointRing(64, std::nullopt, {{100, "a"}, {200, "b"}});
  const Ring after = MakePointRing(64, std::nullopt, {{100, "b"}, {200, "a"}});
  const auto plan = MigrationPlan::Create(before, after, {2}).value();
  const auto transition = Transition::Create(before, after, plan).value();
  EXPECT_EQ(transition.Of(50).state, RangeState::kSettled);
  EXPECT_NE(before.node(transition.Of(50).before).id,
            after.node(transition.Of(50).after).id);
}

TEST(TransitionTest, TheTableOfTheHeader) {
  using enum RangeState;
  constexpr auto kBefore = JoinOrder::kBeforeJoin;
  constexpr auto kAfter = JoinOrder::kAfterJoin;
  static_assert(AccessOf(kBefore, kSettled) == KeyAccess{false, false, false});
  static_assert(AccessOf(kAfter, kSettled) == KeyAccess{false, false, false});
  static_assert(AccessOf(kBefore, kPending) == KeyAccess{true, false, true});
  static_assert(AccessOf(kBefore, kCopied) == KeyAccess{false, true, true});
  static_assert(AccessOf(kAfter, kPending) == KeyAccess{false, true, false});
  static_assert(AccessOf(kAfter, kCopied) == KeyAccess{false, false, false});
}

TEST(TransitionTest, RefusesThePlanOfOtherRings) {
  const Change change;
  const auto other =
      Transition::Create(change.after, change.before, change.plan);
  EXPECT_EQ(other.status().code(), Code::kInvalidOptions);
  EXPECT_EQ(other.status().message(), "the plan is that of other rings");
}

// Whoever is told that a range is copied sees the copy. The copies are plain
// memory: ThreadSanitizer holds the order against the code.
TEST(TransitionTest, ReadersSeeWhatWasCopiedBeforeTheMark) {
  const Ring before = MakeRing(WithVnodes(64), NumberedNodes("n-", 0, 4));
  const Ring after = MakeRing(WithVnodes(64), NumberedNodes("n-", 0, 8));
  const auto plan = MigrationPlan::Create(before, after).value();
  Transition transition = Transition::Create(before, after, plan).value();
  const auto count = static_cast<uint32_t>(plan.moves().size());
  ASSERT_GT(count, 64u);
  std::vector<uint32_t> copies(count);
  std::atomic<uint64_t> wrong{0};
  const auto read = [&] {
    while (!transition.is_complete()) {
      for (const Move& move : plan.moves()) {
        const KeyTransition found = transition.Of(move.end);
        if (found.state != RangeState::kCopied) continue;
        if (copies[found.move] != found.move + 1) ++wrong;
      }
    }
  };
  const auto copy = [&](uint32_t first) {
    for (uint32_t i = first; i < count; i += 2) {
      copies[i] = i + 1;
      transition.MarkCopied(i);
    }
  };
  std::thread reader(read);
  std::thread even(copy, 0);
  std::thread odd(copy, 1);
  for (std::thread* thread : {&reader, &even, &odd}) thread->join();
  EXPECT_EQ(wrong.load(), 0u);
  EXPECT_EQ(transition.copied_count(), count);
}

}  // namespace
}  // namespace clockwise
