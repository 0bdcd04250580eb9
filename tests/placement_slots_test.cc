// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "clockwise/slots.h"
#include "placement_maker.h"

namespace clockwise {
namespace {

SlotsOptions WithSlots(uint32_t slots,
                       std::span<const std::string_view> previous = {},
                       uint64_t seed = 0) {
  SlotsOptions options;
  options.slots = slots;
  options.previous = previous;
  options.seed = seed;
  return options;
}

std::map<std::string, uint32_t> SlotCounts(const Slots& slots) {
  std::map<std::string, uint32_t> counts;
  for (NodeIndex i = 0; i < slots.node_count(); ++i) {
    counts[std::string(slots.node(i).id)] = 0;
  }
  for (std::string_view id : slots.OwnerIds()) ++counts[std::string(id)];
  return counts;
}

// Counts, the largest first.
std::vector<uint32_t> Sorted(const std::map<std::string, uint32_t>& counts) {
  std::vector<uint32_t> sorted;
  for (const auto& [id, count] : counts) sorted.push_back(count);
  std::sort(sorted.rbegin(), sorted.rend());
  return sorted;
}

int Moved(const std::vector<std::string_view>& a,
          const std::vector<std::string_view>& b) {
  int moved = 0;
  for (size_t i = 0; i < a.size(); ++i) moved += a[i] != b[i];
  return moved;
}

void ExpectFair(const Slots& slots) {
  double sum = 0;
  for (NodeIndex i = 0; i < slots.node_count(); ++i) {
    sum += static_cast<double>(slots.node(i).weight.thousandths());
  }
  for (const auto& [id, count] : SlotCounts(slots)) {
    const double weight =
        static_cast<double>(slots.node(slots.Find(id)).weight.thousandths());
    ASSERT_LT(std::abs(slots.slots() * weight / sum - count), 1) << id;
  }
}

// The fewest moves over all counts that are fair: by trying them all.
int FewestMoves(const std::vector<Node>& nodes,
                const std::vector<std::string_view>& previous) {
  std::vector<Node> placed;
  uint64_t sum = 0;
  for (const Node& node : nodes) {
    if (node.weight.thousandths() == 0) continue;
    placed.push_back(node);
    sum += node.weight.thousandths();
  }
  const uint64_t slots = previous.size();
  int best = std::numeric_limits<int>::max();
  std::function<void(size_t, uint64_t, int)> choose =
      [&](size_t i, uint64_t left, int kept) {
        if (i == placed.size()) {
          if (left == 0) best = std::min(best, static_cast<int>(slots) - kept);
          return;
        }
        const uint64_t share = slots * placed[i].weight.thousandths();
        const auto held = static_cast<uint64_t>(
            std::count(previous.begin(), previous.end(), placed[i].id));
        for (uint64_t count = share / sum;
             count <= (share + sum - 1) / sum && count <= left; ++count) {
          choose(i + 1, left - count,
                 kept + static_cast<int>(std::min(count, held)));
        }
      };
  choose(0, slots, 0);
  return best;
}

std::vector<Node> RandomlyWeighted(std::mt19937_64& random, size_t count) {
  auto nodes = NumberedNodes("n", 0, static_cast<int>(count));
  std::shuffle(nodes.begin(), nodes.end(), random);
  const bool is_equal = random() % 3 == 0;
  for (Node& node : nodes) {
    node.weight = Weight::Thousandths(is_equal ? 1000 : random() % 4000);
  }
  nodes[0].weight = Weight::Whole(1);
  return nodes;
}

TEST(SlotsTest, EveryTableIsFairAndMovesTheFewest) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 60; ++round) {
    const auto count = static_cast<uint32_t>(1 + random() % 60);
    const auto first = Built(Slots::Build(
        RandomlyWeighted(random, 1 + random() % 9), WithSlots(count)));
    ExpectFair(first);
    auto previous = first.OwnerIds();
    // A table that somebody else left: unfair, with slots of nobody.
    if (round % 3 == 0) {
      for (auto& id : previous) {
        if (random() % 4 == 0) id = random() % 2 == 0 ? "" : previous[0];
      }
    }
    const auto nodes = RandomlyWeighted(random, 1 + random() % 9);
    const auto next = Built(Slots::Build(nodes, WithSlots(count, previous)));
    ExpectFair(next);
    ASSERT_EQ(Moved(previous, next.OwnerIds()), FewestMoves(nodes, previous))
        << "round " << round;
  }
}

TEST(SlotsTest, TheSameNodesAndTableMoveNothing) {
  std::mt19937_64 random(32);
  const auto nodes = RandomlyWeighted(random, 50);
  const auto first = Built(Slots::Build(nodes));
  const auto ids = first.OwnerIds();
  const auto second = Built(Slots::Build(nodes, WithSlots(16384, ids)));
  EXPECT_EQ(second.OwnerIds(), ids);
  EXPECT_EQ(second.digest(), first.digest());
}

TEST(SlotsTest, CountsOfKnownTables) {
  const auto counts = [](int nodes, uint32_t slots) {
    return Sorted(SlotCounts(
        Built(Slots::Build(NumberedNodes("n", 0, nodes), WithSlots(slots)))));
  };
  EXPECT_EQ(counts(5, 64), (std::vector<uint32_t>{13, 13, 13, 13, 12}));
  EXPECT_EQ(counts(5, 32), (std::vector<uint32_t>{7, 7, 6, 6, 6}));
  const auto of201 = counts(201, 16384);
  EXPECT_EQ(std::count(of201.begin(), of201.end(), 82u), 103);
  EXPECT_EQ(std::count(of201.begin(), of201.end(), 81u), 98);
  const auto of200 = counts(200, 16384);
  EXPECT_EQ(std::count(of200.begin(), of200.end(), 82u), 184);
  EXPECT_EQ(std::count(of200.begin(), of200.end(), 81u), 16);
}

TEST(SlotsTest, AFifthNodeTakesItsShareAndNothingElseMoves) {
  const auto four =
      Built(Slots::Build(NumberedNodes("n", 0, 4), WithSlots(64)));
  const auto ids = four.OwnerIds();
  const auto five =
      Built(Slots::Build(NumberedNodes("n", 0, 5), WithSlots(64, ids)));
  const int moved = Moved(ids, five.OwnerIds());
  EXPECT_EQ(moved, static_cast<int>(SlotCounts(five)["n4"]));
  EXPECT_EQ(moved, 12);  // 4 * 16 to 4 * 13
}

TEST(SlotsTest, DrainingMovesOnlyTheDrainedNodesSlots) {
  auto nodes = NumberedNodes("n", 0, 201);
  const auto before = Built(Slots::Build(nodes));
  const auto ids = before.OwnerIds();
  nodes[17].weight = Weight::Thousandths(0);
  const auto after = Built(Slots::Build(nodes, WithSlots(16384, ids)));
  const auto now = after.OwnerIds();
  for (size_t slot = 0; slot < ids.size(); ++slot) {
    ASSERT_NE(now[slot], "n17");
    if (ids[slot] == "n17") continue;
    ASSERT_EQ(now[slot], ids[slot]) << slot;
  }
  const auto counts = Sorted(SlotCounts(after));
  EXPECT_LE(counts.front() - counts.back(), 1u);
}

TEST(SlotsTest, OwnerIsThatOfTheSlot) {
  std::mt19937_64 random(33);
  for (uint32_t count : {1u, 2u, 16u, 1000u, 16384u}) {
    for (KeyHash key_hash : kWideKeyHashes) {
      SlotsOptions options = WithSlots(count, {}, random());
      options.key_hash = key_hash;
      const auto slots =
          Built(Slots::Build(RandomlyWeighted(random, 20), options));
      const auto ids = slots.OwnerIds();
      ASSERT_EQ(ids.size(), count);
      for (uint64_t hash : RandomHashes(random(), 200)) {
        ASSERT_EQ(slots.SlotOf(hash), hash % count);
        ASSERT_EQ(IdOfOwner(slots, hash), ids[hash % count]);
      }
      for (const std::string& key : Keys("k", 0, 100)) {
        const uint64_t hash = Hash(HashKindOf(key_hash, 64), key, options.seed);
        ASSERT_EQ(IdOfOwner(slots, std::string_view(key)), ids[hash % count]);
      }
      ExpectBatchesAgree(slots, count);
    }
  }
}

// A table from the definition, one slot after the other.
TEST(SlotsTest, ANewTableIsDealtAsTheDefinitionSays) {
  std::mt19937_64 random(34);
  for (int round = 0; round < 10; ++round) {
    const auto nodes = RandomlyWeighted(random, 1 + random() % 20);
    const uint64_t seed = random();
    const auto slots = Built(Slots::Build(nodes, WithSlots(200, {}, seed)));
    std::vector<std::pair<uint64_t, std::string>> cards;
    for (const auto& [id, count] : SlotCounts(slots)) {
      for (uint32_t j = 0; j < count; ++j) {
        cards.emplace_back(Fmix64(Xxh3_64(id, seed) + j), id);
      }
    }
    std::sort(cards.begin(), cards.end());
    const auto ids = slots.OwnerIds();
    for (size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(ids[i], cards[i].second);
  }
}

// What a node with too many slots keeps.
TEST(SlotsTest, TheSlotsThatScoreBestStay) {
  const auto one =
      Built(Slots::Build(NumberedNodes("n", 0, 1), WithSlots(100)));
  const auto ids = one.OwnerIds();
  const auto two =
      Built(Slots::Build(NumberedNodes("n", 0, 2), WithSlots(100, ids)));
  std::vector<std::pair<uint64_t, uint32_t>> scores;
  for (uint32_t slot = 0; slot < 100; ++slot) {
    scores.emplace_back(~Fmix64(Xxh3_64("n0") ^ slot), slot);
  }
  std::sort(scores.begin(), scores.end());
  for (size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(two.OwnerAt(scores[i].second), i < 50 ? 0u : 1u);
  }
}

TEST(SlotsTest, ReplicasAreDistinctAcrossTheEndOfTheTable) {
  const auto slots =
      Built(Slots::Build(NumberedNodes("n", 0, 5), WithSlots(16)));
  const auto ids = slots.OwnerIds();
  for (uint64_t slot = 0; slot < 16; ++slot) {
    for (size_t wanted : {0u, 1u, 3u, 5u, 6u, 1000000u}) {
      NodeIndex found[6] = {};
      const size_t n = slots.Replicas(slot, wanted, found);
      ASSERT_EQ(n, std::min<size_t>(wanted, 5));
      std::vector<std::string> expected;
      for (uint64_t i = slot; expected.size() < n; ++i) {
        const std::string id(ids[i % 16]);
        if (std::find(expected.begin(), expected.end(), id) == expected.end()) {
          expected.push_back(id);
        }
      }
      for (size_t i = 0; i < n; ++i) {
        ASSERT_EQ(slots.node(found[i]).id, expected[i]);
      }
    }
  }
}

TEST(SlotsTest, ReplicasAreDistinctAmongManyNodes) {
  const auto slots =
      Built(Slots::Build(NumberedNodes("n", 0, 3000), WithSlots(9000)));
  for (uint64_t hash : RandomHashes(35, 20)) {
    std::vector<NodeIndex> found(3000);
    ASSERT_EQ(slots.Replicas(hash, 3000, found.data()), 3000u);
    EXPECT_EQ(found[0], slots.Owner(hash));
    std::sort(found.begin(), found.end());
    for (NodeIndex i = 0; i < 3000; ++i) ASSERT_EQ(found[i], i);
  }
}

TEST(SlotsTest, NodesWithoutASlotAreNoReplicas) {
  const auto slots =
      Built(Slots::Build(NumberedNodes("n", 0, 9), WithSlots(4)));
  std::vector<NodeIndex> found(9);
  EXPECT_EQ(slots.Replicas(1, 9, found.data()), 4u);
  const auto none = Built(Slots::Build(std::vector<Node>{}, WithSlots(4)));
  EXPECT_EQ(none.Replicas(1, 9, found.data()), 0u);
}

TEST(SlotsTest, RefusesBadTables) {
  const auto nodes = NumberedNodes("n", 0, 3);
  for (uint32_t slots : {0u, kMaxSlots + 1}) {
    const Status status = Slots::Build(nodes, WithSlots(slots)).status();
    EXPECT_EQ(status.code(), Code::kInvalidOptions);
    EXPECT_NE(status.message().find(std::to_string(slots)), std::string::npos);
  }
  const std::vector<std::string_view> ids(15, "n0");
  const Status status = Slots::Build(nodes, WithSlots(16, ids)).status();
  EXPECT_EQ(status.code(), Code::kInvalidOptions);
  EXPECT_NE(status.message().find("15"), std::string::npos);
}

TEST(SlotsTest, TheDigestIsOfTheTableNotOfItsPast) {
  const auto nodes = NumberedNodes("n", 0, 5);
  const auto fresh = Built(Slots::Build(nodes, WithSlots(64)));
  const auto four =
      Built(Slots::Build(NumberedNodes("n", 0, 4), WithSlots(64)));
  const auto ids = four.OwnerIds();
  const auto grown = Built(Slots::Build(nodes, WithSlots(64, ids)));
  EXPECT_FALSE(grown.digest() == fresh.digest());
  const auto now = grown.OwnerIds();
  const auto again = Built(Slots::Build(nodes, WithSlots(64, now)));
  EXPECT_EQ(again.digest(), grown.digest());
}

// Successors of a node's slots: who takes over when it is passed over.
TEST(SlotsTest, ANodesLoadSpreadsOverManyOthers) {
  const auto slots = Built(Slots::Build(NumberedNodes("n", 0, 10)));
  std::map<NodeIndex, int> next;
  for (uint32_t slot = 0; slot < slots.slots(); ++slot) {
    NodeIndex pair[2];
    ASSERT_EQ(slots.Replicas(slot, 2, pair), 2u);
    if (pair[0] == 3) ++next[pair[1]];
  }
  for (const auto& [node, count] : next) EXPECT_NEAR(count, 182, 60);
  EXPECT_EQ(next.size(), 9u);
}

}  // namespace
}  // namespace clockwise
