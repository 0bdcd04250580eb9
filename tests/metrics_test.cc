// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Counts of threads: none is lost, none is doubled, each is its node's.
#include "clockwise/metrics.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "ring_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

using Thread = CountCollector::Thread;

CountCollector MakeCollector(uint32_t slots = 8) {
  return std::move(CountCollector::Create(slots)).value();
}
Thread Join(CountCollector& collector) {
  return std::move(collector.Join()).value();
}

Ring RingOf(const std::vector<Node>& nodes, uint64_t epoch = 1) {
  auto ring = MakeBuilder(WithVnodes(4), nodes).Build(epoch);
  return std::move(ring).value();
}

// Removes one node of a ring, and adds another in its slot unless it is "".
Ring Changed(const Ring& ring, std::string_view gone, std::string added) {
  auto change = RingBuilder::From(ring);
  EXPECT_TRUE(change.Remove(gone).ok());
  if (!added.empty()) {
    EXPECT_TRUE(change.Add(MakeNode(std::move(added))).ok());
  }
  return MakeRing(change);
}

using ById = std::map<std::string, uint64_t>;
ById CountsById(const Counts& counts) {
  ById by_id;
  for (const NodeCount& node : counts.nodes) by_id[node.id] = node.count;
  return by_id;
}
uint64_t TotalOf(const Counts& counts) {
  uint64_t total = counts.unowned + counts.departed + counts.untracked;
  for (const NodeCount& node : counts.nodes) total += node.count;
  return total;
}

TEST(CountsTest, AreOfNodesAndApartWhereThereIsNone) {
  auto collector = MakeCollector(3);
  ASSERT_TRUE(collector.Track(RingOf(NumberedNodes("n", 0, 3))).ok());
  auto thread = Join(collector);
  thread.Count(0);
  thread.Count(2);
  thread.CountTimes(2, 5);
  thread.Count(kNoNode);
  thread.Count(3);
  thread.CountTimes(kNoNode - 1, 2);
  const Counts counts = collector.Read();
  EXPECT_EQ(CountsById(counts), (ById{{"n0", 1}, {"n1", 0}, {"n2", 6}}));
  EXPECT_EQ(counts.unowned, 1u);
  EXPECT_EQ(counts.untracked, 3u);
  EXPECT_EQ(counts.departed, 0u);
}

// Few distinct nodes, so that every pattern of equal neighbours comes up.
TEST(CountsTest, BatchesCountAsSinglesDo) {
  constexpr NodeIndex kSome[] = {0, 1, 2, 3, kNoNode, 9, 10};
  std::mt19937_64 random(1);
  for (size_t size = 0; size < 300; ++size) {
    auto collector = MakeCollector(4);
    ASSERT_TRUE(collector.Track(RingOf(NumberedNodes("n", 0, 4))).ok());
    auto thread = Join(collector);
    std::map<NodeIndex, uint64_t> expected;
    std::vector<NodeIndex> nodes(size);
    const size_t distinct = 1 + size % std::size(kSome);
    for (NodeIndex& node : nodes) {
      ++expected[node = kSome[random() % distinct]];
    }
    thread.Count(nodes.data(), size);
    const Counts counts = collector.Read();
    for (NodeIndex i = 0; i < 4; ++i) {
      ASSERT_EQ(counts.nodes[i].count, expected[i]) << "size " << size;
    }
    ASSERT_EQ(counts.unowned, expected[kNoNode]);
    ASSERT_EQ(counts.untracked, expected[9] + expected[10]);
  }
}

TEST(CountsTest, OutliveTheirThread) {
  auto collector = MakeCollector();
  ASSERT_TRUE(collector.Track(RingOf(NumberedNodes("n", 0, 2))).ok());
  for (int i = 0; i < 3; ++i) {
    auto thread = Join(collector);
    thread.Count(1);
    auto moved = std::move(thread);
    moved.Count(1);
    moved = Join(collector);
    moved.Count(0);
  }
  EXPECT_EQ(CountsById(collector.Read()), (ById{{"n0", 3}, {"n1", 6}}));
  auto orphan = [] {
    auto gone = MakeCollector();
    return Join(gone);
  }();
  orphan.Count(0);
}

TEST(CountsTest, FollowTheIdAndNotTheSlot) {
  auto collector = MakeCollector();
  const Ring first = RingOf(NumberedNodes("n", 0, 3));
  ASSERT_TRUE(collector.Track(first).ok());
  auto thread = Join(collector);
  thread.CountTimes(1, 10);
  // A node takes the slot of one that leaves.
  const Ring second = Changed(first, "n1", "x");
  ASSERT_EQ(second.Find("x"), 1u);
  ASSERT_TRUE(collector.Track(second).ok());
  EXPECT_EQ(collector.Read().departed, 10u);
  thread.CountTimes(1, 3);
  thread.CountTimes(2, 4);
  EXPECT_EQ(CountsById(collector.Read()),
            (ById{{"n0", 0}, {"n2", 4}, {"x", 3}}));
  // A ring built anew numbers nodes by id: m, n0, n2, x.
  auto nodes = NumberedNodes("n", 0, 1);
  for (const char* id : {"x", "m", "n2"}) nodes.push_back(MakeNode(id));
  ASSERT_TRUE(collector.Track(RingOf(nodes)).ok());
  thread.CountTimes(3, 100);
  EXPECT_EQ(CountsById(collector.Read()),
            (ById{{"m", 0}, {"n0", 0}, {"n2", 4}, {"x", 103}}));
  EXPECT_EQ(TotalOf(collector.Read()), 117u);
}

TEST(CountsTest, LateAnswersOfAHoleAreDeparted) {
  auto collector = MakeCollector();
  const Ring first = RingOf(NumberedNodes("n", 0, 2));
  auto thread = Join(collector);
  thread.Count(0);  // before anything is tracked
  ASSERT_TRUE(collector.Track(first).ok());
  thread.Count(1);
  const Ring second = Changed(first, "n1", "");
  ASSERT_TRUE(collector.Track(second).ok());
  thread.CountTimes(1, 5);
  EXPECT_EQ(collector.Read().departed, 7u);
  EXPECT_EQ(CountsById(collector.Read()), (ById{{"n0", 0}}));
  auto change = RingBuilder::From(second);
  ASSERT_TRUE(change.Add(MakeNode("n1")).ok());
  ASSERT_TRUE(collector.Track(MakeRing(change)).ok());
  EXPECT_EQ(CountsById(collector.Read()), (ById{{"n0", 0}, {"n1", 0}}));
  EXPECT_EQ(collector.Read().departed, 7u);
}

TEST(CountsTest, RecentOnesBeginWithEachChange) {
  auto collector = MakeCollector();
  const Ring first = RingOf(NumberedNodes("n", 0, 2));
  ASSERT_TRUE(collector.Track(first).ok());
  auto thread = Join(collector);
  thread.CountTimes(0, 5);
  ASSERT_TRUE(collector.Track(first).ok());
  ASSERT_TRUE(collector.Track(std::move(first.Copy(9)).value()).ok());
  EXPECT_EQ(collector.Read().nodes[0].recent, 5u);
  const Ring second = Changed(first, "n1", "");
  ASSERT_TRUE(collector.Track(second).ok());
  thread.CountTimes(0, 2);
  EXPECT_EQ(collector.Read().nodes[0].recent, 2u);
  EXPECT_EQ(collector.Read().nodes[0].count, 7u);
  EXPECT_EQ(collector.Read().digest, second.digest());
}

TEST(CountsTest, StayAtTheMostThereIs) {
  auto collector = MakeCollector();
  const Ring first = RingOf(NumberedNodes("n", 0, 1));
  ASSERT_TRUE(collector.Track(first).ok());
  auto one = Join(collector), other = Join(collector);
  one.CountTimes(0, UINT64_MAX - 1);
  other.CountTimes(0, 1);
  EXPECT_EQ(collector.Read().nodes[0].count, UINT64_MAX);
  const NodeIndex nodes[] = {0, 0, 0, 0, 0};
  one.Count(nodes, 5);
  one.Count(NodeIndex{0});
  one.CountTimes(0, UINT64_MAX);
  EXPECT_EQ(collector.Read().nodes[0].count, UINT64_MAX);
  { auto ends = std::move(one); }
  EXPECT_EQ(collector.Read().nodes[0].count, UINT64_MAX);
  ASSERT_TRUE(collector.Track(Changed(first, "n0", "x")).ok());
  EXPECT_EQ(collector.Read().departed, UINT64_MAX);
}

TEST(CountsTest, TicketsAndStampsAreCountedByKind) {
  auto collector = MakeCollector();
  const Ring ring = RingOf(NumberedNodes("n", 0, 2));
  ASSERT_TRUE(collector.Track(ring).ok());
  auto thread = Join(collector);
  LoadTable loads = std::move(LoadTable::Create(2)).value();
  const auto bounded =
      std::move(BoundedLoad::Build(ring, loads, {.factor = 100})).value();
  const uint64_t hash = ring.HashOf("k");
  const Ticket first = bounded.Acquire(ring, hash);
  const Ticket second = bounded.Acquire(ring, hash);  // the owner is full
  thread.Count(first);
  thread.Count(second);
  thread.Count(Ticket());
  for (Drift drift : {Drift::kStale, Drift::kStale, Drift::kConflicting}) {
    thread.Count(drift);
  }
  const Counts counts = collector.Read();
  EXPECT_EQ(CountsById(counts), (ById{{"n0", 1}, {"n1", 1}}));
  EXPECT_EQ(counts.unowned, 1u);
  EXPECT_EQ(counts.spilled, 1u);
  EXPECT_EQ(counts.spills, 1u);
  EXPECT_EQ(counts.outcomes, (decltype(counts.outcomes){2, 0, 1, 0, 0}));
  EXPECT_EQ(counts.drifts, (decltype(counts.drifts){0, 2, 0, 1}));
}

TEST(CountsTest, RefuseWhatTheyHaveNoRoomFor) {
  EXPECT_EQ(CountCollector::Create(0).status().message(),
            "counts: 0 slots; 1 to 1048576");
  EXPECT_EQ(CountCollector::Create(kMaxNodes + 1).status().code(),
            Code::kInvalidOptions);
  auto collector = MakeCollector(2);
  ASSERT_TRUE(collector.Track(RingOf(NumberedNodes("n", 0, 2))).ok());
  const Status refused = collector.Track(RingOf(NumberedNodes("x", 0, 3)));
  EXPECT_EQ(refused.code(), Code::kTooManyNodes);
  EXPECT_EQ(refused.message(), "counts: a ring of 3 slots; at most 2");
  EXPECT_EQ(CountsById(collector.Read()), (ById{{"n0", 0}, {"n1", 0}}));
}

// Threads that come, count and go while others change rings and read.
TEST(CountsTest, AreAllThereWhenThreadsHaveEnded) {
  const uint64_t kRounds = IsSanitized() ? 10 : 60;
  constexpr size_t kBatch = 1000;
  auto collector = MakeCollector(4);
  const Ring first = RingOf(NumberedNodes("n", 0, 4));
  const Ring second = Changed(first, "n1", "x");
  ASSERT_TRUE(collector.Track(first).ok());
  std::atomic<int> running = 3;
  const auto count = [&](uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<NodeIndex> nodes(kBatch);
    for (uint64_t round = 0; round < kRounds; ++round) {
      auto thread = Join(collector);
      for (NodeIndex& node : nodes) node = static_cast<NodeIndex>(random() % 5);
      thread.Count(nodes.data(), nodes.size());
      for (NodeIndex node : nodes) thread.Count(node);
    }
    --running;
  };
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 3; ++i) threads.emplace_back(count, i);
  uint64_t before = 0;
  for (uint64_t i = 0; running > 0; ++i) {
    const uint64_t total = TotalOf(collector.Read());
    EXPECT_GE(total, before);
    before = total;
    ASSERT_TRUE(collector.Track(i % 2 == 0 ? second : first).ok());
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(TotalOf(collector.Read()), 3 * kRounds * kBatch * 2);
}

// One thread counts all the time; no reading of it is ever behind one before.
TEST(CountsTest, RiseOnly) {
  auto collector = MakeCollector(1);
  ASSERT_TRUE(collector.Track(RingOf(NumberedNodes("n", 0, 1))).ok());
  const uint64_t kBatches = IsSanitized() ? 1000 : 20'000;
  std::atomic<bool> is_over = false;
  std::thread counting([&] {
    auto thread = Join(collector);
    const NodeIndex nodes[] = {0, kNoNode, 0, 0, kNoNode, 0};
    for (uint64_t i = 0; i < kBatches; ++i) thread.Count(nodes, 6);
    is_over = true;
  });
  Counts before = collector.Read();
  while (!is_over) {
    const Counts now = collector.Read();
    ASSERT_GE(now.nodes[0].count, before.nodes[0].count);
    ASSERT_GE(now.unowned, before.unowned);
    before = now;
    std::this_thread::yield();
  }
  counting.join();
  EXPECT_EQ(collector.Read().nodes[0].count, kBatches * 4);
  EXPECT_EQ(collector.Read().unowned, kBatches * 2);
}

}  // namespace
}  // namespace clockwise
