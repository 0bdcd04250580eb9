// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// MultiProbe and Anchor.
#include <gtest/gtest.h>

#include <cmath>

#include "clockwise/anchor.h"
#include "clockwise/multi_probe.h"
#include "placement/anchor_buckets.h"
#include "placement_maker.h"

namespace clockwise {
namespace {

// The nearest point over all probes and nodes, without a ring.
std::string SlowNearest(const std::vector<std::string>& ids, uint64_t seed,
                        uint64_t hash) {
  std::string nearest;
  uint64_t least = 0;
  for (uint64_t j = 0; j < 21; ++j) {
    const uint64_t probe = Fmix64(hash + j * 0x9E3779B97F4A7C15ULL);
    for (const std::string& id : ids) {
      const uint64_t distance = Xxh3_64(id, seed) - probe;
      if (nearest.empty() || distance < least) {
        nearest = id;
        least = distance;
      }
    }
  }
  return nearest;
}

TEST(MultiProbeTest, PlacesAsTheDefinitionSays) {
  std::mt19937_64 random(41);
  for (size_t count : {1u, 2u, 3u, 10u, 64u, 200u}) {
    for (KeyHash key_hash : kWideKeyHashes) {
      PlacementOptions options;
      options.seed = random();
      options.key_hash = key_hash;
      const auto nodes = SomeDrained(random, count, 5);
      const auto ids = SortedIds(nodes);
      const auto placement = Built(MultiProbe::Build(nodes, options));
      if (ids.empty()) continue;
      for (const std::string& key : Keys("key-", 0, 100)) {
        const uint64_t hash = Hash(HashKindOf(key_hash, 64), key, options.seed);
        ASSERT_EQ(IdOfOwner(placement, std::string_view(key)),
                  SlowNearest(ids, options.seed, hash));
      }
      ExpectBatchesAgree(placement, random());
    }
  }
}

TEST(MultiProbeTest, ARemovedNodeMovesOnlyItsKeys) {
  auto nodes = NumberedNodes("n", 0, 30);
  const auto before = Built(MultiProbe::Build(nodes));
  nodes.erase(nodes.begin() + 7);
  const auto after = Built(MultiProbe::Build(nodes));
  for (uint64_t hash : RandomHashes(42, 20000)) {
    const std::string owner = IdOfOwner(before, hash);
    if (owner == "n7") continue;
    ASSERT_EQ(IdOfOwner(after, hash), owner);
  }
}

// The paper: 21 probes give a peak-to-mean of 1.1.
TEST(MultiProbeTest, SharesAreEvenWithOnePointANode) {
  for (const auto& [id, count] :
       KeyCounts(Built(MultiProbe::Build(NumberedNodes("n", 0, 50))), 200000)) {
    EXPECT_LT(count, 4000 * 1.2) << id;
  }
}

TEST(MultiProbeTest, HasNoWeights) {
  const Status status =
      MultiProbe::Build(std::vector<Node>{MakeNode("h", Weight::Whole(3))})
          .status();
  EXPECT_EQ(status.code(), Code::kBadWeight);
  EXPECT_NE(status.message().find("'h'"), std::string::npos);
}

// Anchor by the paper's sets: each removed bucket remembers the whole list of
// those that were left then.
class SlowAnchor {
 public:
  SlowAnchor(uint32_t capacity, uint32_t working) : capacity_(capacity) {
    for (uint32_t b = 0; b < working; ++b) working_.push_back(b);
    for (uint32_t b = working; b < capacity; ++b) {
      for (uint32_t i = 0; i < b; ++i) left_[b].push_back(i);
    }
  }
  // The last one takes its place.
  void Remove(uint32_t b) {
    *std::find(working_.begin(), working_.end(), b) = working_.back();
    working_.pop_back();
    left_[b] = working_;
  }
  [[nodiscard]] uint32_t Owner(uint64_t hash) const {
    auto b = static_cast<uint32_t>(hash % capacity_);
    while (left_.count(b) != 0) {
      const auto& left = left_.at(b);
      b = left[Fmix64(hash + (b + 1ull) * 0x9E3779B97F4A7C15ULL) % left.size()];
    }
    return b;
  }

 private:
  uint32_t capacity_;
  std::vector<uint32_t> working_;
  std::map<uint32_t, std::vector<uint32_t>> left_;
};

AnchorOptions WithRemoved(uint32_t capacity,
                          const std::vector<uint32_t>& removed) {
  AnchorOptions options;
  options.capacity = capacity;
  options.removed = removed;
  return options;
}

TEST(AnchorTest, PlacesAsThePapersSetsSay) {
  std::mt19937_64 random(43);
  for (uint32_t capacity : {1u, 2u, 5u, 30u, 200u}) {
    for (int round = 0; round < 20; ++round) {
      const auto count = static_cast<uint32_t>(1 + random() % capacity);
      auto nodes = RandomNodes(random, count);
      std::vector<uint32_t> removed(count);
      for (uint32_t i = 0; i < count; ++i) removed[i] = i;
      std::shuffle(removed.begin(), removed.end(), random);
      removed.resize(random() % count);
      SlowAnchor slow(capacity, count);
      for (uint32_t b : removed) slow.Remove(b);
      AnchorOptions options = WithRemoved(capacity, removed);
      options.key_hash = kWideKeyHashes[round % 2];
      const auto anchor = Built(Anchor::Build(nodes, options));
      ASSERT_EQ(anchor.working_count(), count - removed.size());
      for (uint64_t hash : RandomHashes(random(), 200)) {
        ASSERT_EQ(anchor.Owner(hash), slow.Owner(hash));
        ASSERT_EQ(IdOfOwner(anchor, hash), nodes[slow.Owner(hash)].id);
      }
      ExpectBatchesAgree(anchor, random());
    }
  }
}

TEST(AnchorTest, DrainedNodesAreRemovedAfterThoseNamed) {
  auto nodes = NumberedNodes("n", 0, 8);
  nodes[2].weight = nodes[5].weight = Weight::Thousandths(0);
  const auto drained = Built(Anchor::Build(nodes, WithRemoved(20, {6, 5})));
  const auto removed = Built(
      Anchor::Build(NumberedNodes("n", 0, 8), WithRemoved(20, {6, 5, 2})));
  EXPECT_EQ(drained.digest(), removed.digest());
  EXPECT_EQ(drained.working_count(), 5u);
  for (uint64_t hash : RandomHashes(44, 2000)) {
    ASSERT_EQ(drained.Owner(hash), removed.Owner(hash));
  }
}

TEST(AnchorTest, RemovalMovesOnlyTheKeysOfTheRemoved) {
  const auto nodes = NumberedNodes("n", 0, 50);
  const auto before = Built(Anchor::Build(nodes, WithRemoved(64, {3, 40})));
  const auto after = Built(Anchor::Build(nodes, WithRemoved(64, {3, 40, 11})));
  std::map<NodeIndex, int> taken;
  for (uint64_t hash : RandomHashes(45, 100000)) {
    if (before.Owner(hash) == 11) {
      ++taken[after.Owner(hash)];
    } else {
      ASSERT_EQ(after.Owner(hash), before.Owner(hash));
    }
  }
  EXPECT_GE(taken.size(), 45u);  // of 47: evenly over all that are left
}

TEST(AnchorTest, AnAddedNodeTakesKeysOnlyForItself) {
  const auto before =
      Built(Anchor::Build(NumberedNodes("n", 0, 50), WithRemoved(64, {3, 40})));
  auto nodes = NumberedNodes("n", 0, 50);
  nodes[40] = MakeNode("new");
  const auto back = Built(Anchor::Build(nodes, WithRemoved(64, {3})));
  const auto appended =
      Built(Anchor::Build(NumberedNodes("n", 0, 51), WithRemoved(64, {3, 40})));
  int taken = 0;
  for (uint64_t hash : RandomHashes(46, 20000)) {
    if (back.Owner(hash) == 40) {
      ++taken;
    } else {
      ASSERT_EQ(back.Owner(hash), before.Owner(hash));
    }
  }
  EXPECT_NEAR(taken, 20000 / 49.0, 90);
  EXPECT_FALSE(appended.digest() == before.digest());
}

TEST(AnchorTest, AddUndoesRemoveBitForBit) {
  std::mt19937_64 random(47);
  AnchorBuckets buckets(40, 25);
  std::vector<uint32_t> working(25);
  for (uint32_t b = 0; b < 25; ++b) working[b] = b;
  const auto bytes_of = [&] {
    std::vector<std::pair<uint32_t, uint32_t>> all;
    for (const auto& b : buckets.buckets())
      all.emplace_back(b.left, b.successor);
    return all;
  };
  std::vector<std::pair<uint32_t, decltype(bytes_of())>> past;
  for (int step = 0; step < 2000; ++step) {
    if (working.size() > 1 && random() % 2 == 0) {
      const size_t i = random() % working.size();
      past.emplace_back(working[i], bytes_of());
      buckets.Remove(working[i]);
      working.erase(working.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (!past.empty()) {
      ASSERT_EQ(buckets.Add(), past.back().first);
      working.push_back(past.back().first);
      // The successor of a bucket that works is not read.
      auto now = bytes_of();
      for (size_t b = 0; b < now.size(); ++b) {
        ASSERT_EQ(now[b].first, past.back().second[b].first);
        if (now[b].first == 0) continue;
        ASSERT_EQ(now[b], past.back().second[b]);
      }
      past.pop_back();
    }
  }
}

TEST(AnchorTest, SharesAreEven) {
  std::vector<uint32_t> removed;
  for (uint32_t b = 0; b < 100; b += 4) removed.push_back(99 - b);
  const auto anchor = Built(
      Anchor::Build(NumberedNodes("n", 0, 100), WithRemoved(150, removed)));
  const auto counts = KeyCounts(anchor, 300000);
  EXPECT_EQ(counts.size(), 75u);
  for (const auto& [id, count] : counts) {
    EXPECT_NEAR(count, 4000, 4.5 * std::sqrt(4000.0)) << id;
  }
}

TEST(AnchorTest, RemovingTheEndOfTheListFirstIsNotHavingIt) {
  const auto longer = Built(
      Anchor::Build(NumberedNodes("n", 0, 9), WithRemoved(20, {8, 7, 2})));
  const auto shorter =
      Built(Anchor::Build(NumberedNodes("n", 0, 7), WithRemoved(20, {2})));
  EXPECT_EQ(longer.digest(), shorter.digest());
  for (uint64_t hash : RandomHashes(48, 1000)) {
    ASSERT_EQ(longer.Owner(hash), shorter.Owner(hash));
  }
  const auto later = Built(
      Anchor::Build(NumberedNodes("n", 0, 9), WithRemoved(20, {2, 8, 7})));
  EXPECT_FALSE(later.digest() == shorter.digest());
}

TEST(AnchorTest, NobodyOwnsWhenAllAreRemoved) {
  const auto none =
      Built(Anchor::Build(NumberedNodes("n", 0, 3), WithRemoved(5, {1, 0, 2})));
  EXPECT_EQ(none.Owner(uint64_t{5}), kNoNode);
  EXPECT_EQ(none.working_count(), 0u);
}

TEST(AnchorTest, RefusesBadParameters) {
  const auto nodes = NumberedNodes("n", 0, 5);
  const auto refused = [&](uint32_t capacity, std::vector<uint32_t> removed,
                           Code code, const std::string& item) {
    const Status status =
        Anchor::Build(nodes, WithRemoved(capacity, removed)).status();
    EXPECT_EQ(status.code(), code);
    EXPECT_NE(status.message().find(item), std::string::npos)
        << status.message();
  };
  refused(0, {}, Code::kInvalidOptions, "capacity 0");
  refused(kMaxNodes + 1, {}, Code::kInvalidOptions, "1048577");
  refused(4, {}, Code::kTooManyNodes, "5 nodes");
  refused(10, {5}, Code::kInvalidOptions, "bucket 5");
  refused(10, {3, 1, 3}, Code::kInvalidOptions, "bucket 3 twice");
}

}  // namespace
}  // namespace clockwise
