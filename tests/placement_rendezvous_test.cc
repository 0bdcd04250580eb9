// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "clockwise/rendezvous.h"
#include "placement/weighted_score.h"
#include "placement_maker.h"
#include "search/best_score.h"

namespace clockwise {
namespace {

PlacementOptions WithSeed(uint64_t seed) {
  PlacementOptions options;
  options.seed = seed;
  return options;
}

// fmix64 as MurmurHash3 has it.
uint64_t Mix(uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  h ^= h >> 33;
  return h;
}

// -ln u with a rational u, in a wider type.
long double WideMinusLog(uint64_t x) {
  const auto v = static_cast<long double>((x >> 11) * 2 + 1);
  const long double u = v / 18014398509481984.0L;
  // log1p keeps the digits of a u near 1; 1 - u is exact.
  return -log1pl(u - 1.0L);
}

// The ids by descending score, ties by ascending id.
std::vector<std::string> SlowOrder(const std::vector<Node>& nodes,
                                   uint64_t seed, uint64_t hash) {
  std::set<uint64_t> weights;
  for (const Node& node : nodes) weights.insert(node.weight.thousandths());
  weights.erase(0);
  struct Scored {
    uint64_t whole;
    long double real;
    std::string id;
  };
  std::vector<Scored> all;
  for (const Node& node : nodes) {
    const uint64_t thousandths = node.weight.thousandths();
    if (thousandths == 0) continue;
    const uint64_t x = Mix(hash ^ Xxh3_64(node.id, seed));
    all.push_back({weights.size() == 1 ? x : 0,
                   static_cast<long double>(thousandths) / WideMinusLog(x),
                   node.id});
  }
  std::sort(all.begin(), all.end(), [&](const Scored& a, const Scored& b) {
    if (weights.size() == 1 && a.whole != b.whole) return a.whole > b.whole;
    if (weights.size() != 1 && a.real != b.real) return a.real > b.real;
    return a.id < b.id;
  });
  std::vector<std::string> ids;
  for (const Scored& scored : all) ids.push_back(scored.id);
  return ids;
}

std::vector<Node> RandomlyWeighted(std::mt19937_64& random, size_t count) {
  std::vector<Node> nodes = RandomNodes(random, count);
  for (Node& node : nodes) {
    const uint64_t most = random() % 8 == 0 ? 1000000000 : 3000;
    node.weight = Weight::Thousandths(random() % most);
  }
  return nodes;
}

TEST(RendezvousTest, EqualWeightsPlaceAsTheDefinitionSays) {
  std::mt19937_64 random(21);
  for (size_t count : {1u, 2u, 3u, 8u, 9u, 31u, 32u, 33u, 100u}) {
    for (KeyHash key_hash : kWideKeyHashes) {
      PlacementOptions options = WithSeed(random());
      options.key_hash = key_hash;
      auto nodes = SomeDrained(random, count, 6);
      for (Node& node : nodes) {  // equal, but not 1
        if (node.weight.thousandths() != 0) {
          node.weight = Weight::Thousandths(2500);
        }
      }
      const auto rendezvous = Built(Rendezvous::Build(nodes, options));
      EXPECT_TRUE(rendezvous.has_equal_weights());
      if (rendezvous.node_count() == 0) continue;
      for (const std::string& key : Keys("key-", 0, 200)) {
        const uint64_t hash = Hash(HashKindOf(key_hash, 64), key, options.seed);
        const auto order = SlowOrder(nodes, options.seed, hash);
        ASSERT_EQ(IdOfOwner(rendezvous, std::string_view(key)), order[0]);
        ASSERT_EQ(IdOfOwner(rendezvous, hash), order[0]);
      }
      ExpectBatchesAgree(rendezvous, random());
    }
  }
}

TEST(RendezvousTest, WeightsPlaceAsTheDefinitionSays) {
  std::mt19937_64 random(22);
  for (size_t count : {2u, 3u, 10u, 64u, 300u}) {
    for (int round = 0; round < 4; ++round) {
      const uint64_t seed = random();
      const auto nodes = RandomlyWeighted(random, count);
      const auto rendezvous = Built(Rendezvous::Build(nodes, WithSeed(seed)));
      for (uint64_t hash : RandomHashes(random(), 200)) {
        ASSERT_EQ(IdOfOwner(rendezvous, hash), SlowOrder(nodes, seed, hash)[0]);
      }
      ExpectBatchesAgree(rendezvous, random());
    }
  }
}

TEST(RendezvousTest, ReplicasAreTheNextBest) {
  std::mt19937_64 random(23);
  for (bool is_weighted : {false, true}) {
    for (size_t count : {1u, 2u, 5u, 16u, 17u, 40u}) {
      const uint64_t seed = random();
      const auto nodes = is_weighted ? RandomlyWeighted(random, count)
                                     : RandomNodes(random, count);
      const auto rendezvous = Built(Rendezvous::Build(nodes, WithSeed(seed)));
      for (uint64_t hash : RandomHashes(random(), 20)) {
        auto order = SlowOrder(nodes, seed, hash);
        for (size_t wanted : {0u, 1u, 2u, 15u, 16u, 17u, 33u, 1000000u}) {
          std::vector<NodeIndex> found(rendezvous.node_count() + 1, 7777);
          const size_t n = rendezvous.Replicas(hash, wanted, found.data());
          ASSERT_EQ(n, std::min<size_t>(wanted, order.size()));
          for (size_t i = 0; i < n; ++i) {
            ASSERT_EQ(rendezvous.node(found[i]).id, order[i]) << i;
          }
          ASSERT_EQ(found[n], 7777u);
        }
      }
    }
  }
}

TEST(RendezvousTest, ARemovedNodesKeysGoToTheirNextReplica) {
  std::mt19937_64 random(24);
  for (bool is_weighted : {false, true}) {
    auto nodes = RandomNodes(random, 30);
    for (size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].weight = Weight::Whole(is_weighted && i % 3 == 0 ? 4 : 1);
    }
    const auto before = Built(Rendezvous::Build(nodes));
    const std::string gone = nodes[6].id;
    nodes.erase(nodes.begin() + 6);
    const auto after = Built(Rendezvous::Build(nodes));
    for (uint64_t hash : RandomHashes(random(), 3000)) {
      NodeIndex replicas[2];
      ASSERT_EQ(before.Replicas(hash, 2, replicas), 2u);
      const bool was_there = before.node(replicas[0]).id == gone;
      ASSERT_EQ(IdOfOwner(after, hash),
                before.node(replicas[was_there ? 1 : 0]).id);
    }
  }
}

TEST(RendezvousTest, ARaisedWeightOnlyTakesKeys) {
  std::mt19937_64 random(25);
  auto nodes = RandomlyWeighted(random, 20);
  nodes[4].weight = Weight::Thousandths(1000);
  const auto before = Built(Rendezvous::Build(nodes));
  nodes[4].weight = Weight::Thousandths(1700);
  const auto after = Built(Rendezvous::Build(nodes));
  for (uint64_t hash : RandomHashes(random(), 5000)) {
    const std::string owner = IdOfOwner(after, hash);
    if (owner == nodes[4].id) continue;
    ASSERT_EQ(owner, IdOfOwner(before, hash));
  }
}

TEST(RendezvousTest, SharesFollowWeights) {
  constexpr int kKeys = 400000;
  for (bool is_weighted : {false, true}) {
    std::vector<Node> nodes = NumberedNodes("n", 0, 10);
    double sum = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (is_weighted) nodes[i].weight = Weight::Thousandths(100 + 700 * i);
      sum += static_cast<double>(nodes[i].weight.thousandths());
    }
    auto counts = KeyCounts(Built(Rendezvous::Build(nodes)), kKeys);
    for (const Node& node : nodes) {
      const double share = static_cast<double>(node.weight.thousandths()) / sum;
      const double sd = std::sqrt(kKeys * share * (1 - share));
      EXPECT_NEAR(counts[node.id], kKeys * share, 4.5 * sd) << node.id;
    }
  }
}

// Of numbers that fall on either side of every step, as another program
// computed them from the description in weighted_score.h.
TEST(RendezvousTest, LogarithmHasTheSameBitsEverywhere) {
  constexpr std::pair<uint64_t, uint64_t> kPins[] = {
      {0x0000000000000000u, 0x4042B708872320E2u},
      {0x0000000000000800u, 0x40422A69334DB8CAu},
      {0x8000000000000000u, 0x3FE62E42FEFA39EEu},
      {0xFFFFFFFFFFFFFFFFu, 0x3C90000000000000u},
      {0xFFFFFFFFFFFFF000u, 0x3CA8000000000001u},
      {0xB504F333F9DE6000u, 0x3FD62E42FEFA39F0u},
      {0xB504F333F9DE7000u, 0x3FD62E42FEFA39EAu},
      {0xB504F333F9DE6484u, 0x3FD62E42FEFA39F0u},
      {0x9E3779B97F4A7C15u, 0x3FDECC2CAEC5160Au},
      {0x0123456789ABCDEFu, 0x4015AA16394D4826u},
      {0xFEDCBA9876543210u, 0x3F723EB991354E8Cu},
      {0xFFFFFFFF00000000u, 0x3DEFFFFF80100000u},
      {0x5555555555555555u, 0x3FF193EA7AAD030Bu},
      {0xC0FFEE0000000001u, 0x3FD2144B65199C99u},
      {0x8000000000000800u, 0x3FE62E42FEFA39ECu},
      {0x7FFFFFFFFFFFFFFFu, 0x3FE62E42FEFA39F0u},
  };
  for (const auto& [x, bits] : kPins) {
    EXPECT_EQ(std::bit_cast<uint64_t>(MinusLog(x)), bits) << x;
  }
}

TEST(RendezvousTest, LogarithmIsWithinOneUnitInTheLastPlace) {
  auto numbers = RandomHashes(26, 200000);
  for (int shift = 0; shift < 64; ++shift) {
    for (int i = 0; i < 100; ++i) {
      numbers.push_back(numbers[static_cast<size_t>(i)] >> shift);
      numbers.push_back(~(numbers[static_cast<size_t>(i)] >> shift));
    }
  }
  for (uint64_t x : numbers) {
    const double log = MinusLog(x);
    ASSERT_GT(log, 0) << x;
    const double unit = std::nextafter(log, 1e9) - log;
    ASSERT_LE(std::abs(static_cast<double>(log - WideMinusLog(x))), unit) << x;
  }
}

NodeIndex SlowBest(const std::vector<uint64_t>& hashes, uint64_t hash) {
  size_t best = 0;
  for (size_t i = 1; i < hashes.size(); ++i) {
    if (Mix(hash ^ hashes[i]) > Mix(hash ^ hashes[best])) best = i;
  }
  return static_cast<NodeIndex>(best);
}

// Each target, at every size around its vectors, and with nodes of equal
// hashes, which no ids known have.
TEST(BestScoreTest, EveryTargetFindsTheFirstOfTheBest) {
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    for (size_t count = 1; count < 140; count += 1 + count / 70 * 11) {
      auto hashes = RandomHashes(count, count);
      for (size_t twin = 0; twin < count; twin += 3) {
        hashes[count - 1 - twin] = hashes[twin];
      }
      std::vector<uint64_t> pre_mixed;
      for (uint64_t hash : hashes) pre_mixed.push_back(PreMix(hash));
      pre_mixed.resize((count + 31) / 32 * 32, PreMix(hashes[0]));
      const ScoreNodes nodes = {pre_mixed.data(), count};
      const auto keys = RandomHashes(count + 1, 100);
      std::vector<NodeIndex> owners(keys.size());
      BestScores(nodes, keys.data(), keys.size(), owners.data());
      for (size_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(BestScore(nodes, keys[i]), SlowBest(hashes, keys[i]));
        ASSERT_EQ(owners[i], SlowBest(hashes, keys[i])) << count;
      }
      // A key that scores 0 with a node.
      ASSERT_EQ(BestScore(nodes, hashes[0]), SlowBest(hashes, hashes[0]));
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(BestScoreTest, WeightedTakesTheFirstOfEquals) {
  const std::vector<uint64_t> pre_mixed(5, 1234567);
  const double weights[] = {1, 2, 3, 3, 2};
  const WeightedNodes nodes = {pre_mixed.data(), weights, 5};
  for (uint64_t hash : RandomHashes(27, 50)) {
    EXPECT_EQ(BestWeighted(nodes, hash), 2u);
  }
}

}  // namespace
}  // namespace clockwise
