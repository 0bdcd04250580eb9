// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "clockwise/maglev.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <numeric>

#include "base/endian.h"
#include "placement/maglev_fill.h"
#include "placement_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

MaglevOptions WithSize(uint32_t size, uint64_t seed = 0) {
  MaglevOptions options;
  options.table_size = size;
  options.seed = seed;
  return options;
}

std::vector<Node> Weighted(const std::vector<uint32_t>& weights,
                           const std::string& prefix = "node-") {
  std::vector<Node> nodes;
  for (size_t i = 0; i < weights.size(); ++i) {
    nodes.push_back(
        MakeNode(prefix + std::to_string(i), Weight::Whole(weights[i])));
  }
  return nodes;
}

std::vector<uint32_t> SlotCounts(const Maglev& maglev) {
  std::vector<uint32_t> counts(maglev.node_count());
  for (uint32_t slot = 0; slot < maglev.table_size(); ++slot) {
    ++counts[maglev.OwnerAt(slot)];
  }
  return counts;
}

// Of the paper: its pseudocode takes turns without weights.
TEST(MaglevFillTest, GivesTheTablesOfThePaper) {
  const auto file = GoldenFile("maglev_paper.json");
  const uint32_t size = file["params"]["table_size"];
  for (const auto& c : file["cases"]) {
    std::vector<MaglevNode> nodes;
    for (const auto& b : c["backends"]) nodes.push_back({b[1], b[2], 1.0});
    std::vector<NodeIndex> owners(size, kNoNode);
    FillByWeight(nodes, owners);
    for (uint32_t slot = 0; slot < size; ++slot) {
      EXPECT_EQ(c["backends"][owners[slot]][0], c["table"][slot]) << c["name"];
    }
  }
}

uint64_t Xxh64(const std::string& text, uint64_t seed = 0) {
  return XXH64(text.data(), text.size(), seed);
}

// A case of Envoy's file: owners as numbers in the file.
std::vector<uint32_t> EnvoyTable(const nlohmann::json& c) {
  const uint32_t size = c["params"]["table_size"];
  struct Host {
    std::string id;
    double weight;
    uint32_t number;
  };
  std::vector<Host> hosts;
  double sum = 0;
  for (const auto& node : c["nodes"]) {
    hosts.push_back({node["id"], node["weight"].get<double>(),
                     static_cast<uint32_t>(hosts.size())});
    sum += hosts.back().weight;
  }
  std::sort(hosts.begin(), hosts.end(),
            [](const Host& a, const Host& b) { return a.id < b.id; });
  std::vector<MaglevNode> nodes;
  for (const Host& host : hosts) {
    nodes.push_back({static_cast<uint32_t>(Xxh64(host.id) % size),
                     static_cast<uint32_t>(Xxh64(host.id, 1) % (size - 1) + 1),
                     host.weight / sum});
  }
  std::vector<uint32_t> owners(size);
  FillByWeight(nodes, owners);
  for (uint32_t& owner : owners) owner = hosts[owner].number;
  return owners;
}

TEST(MaglevFillTest, GivesEnvoysTables) {
  const auto file = GoldenFile("envoy_maglev.json");
  ASSERT_GE(file["cases"].size(), 6u);
  for (const auto& c : file["cases"]) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const std::vector<uint32_t> table = EnvoyTable(c);
    std::string bytes(table.size() * 4, '\0');
    for (size_t i = 0; i < table.size(); ++i) {
      StoreLe32(bytes.data() + 4 * i, table[i]);
    }
    std::vector<uint32_t> counts(c["nodes"].size());
    for (uint32_t owner : table) ++counts[owner];
    EXPECT_EQ(nlohmann::json(counts), c["slots_per_node"]);
    char hex[17];
    std::snprintf(hex, sizeof hex, "%016llx",
                  static_cast<unsigned long long>(Fnv1a64(bytes)));
    EXPECT_EQ(std::string(hex), c["table_fnv1a64"].get<std::string>());
    for (size_t k = 0; k < file["keys"].size(); ++k) {
      const uint64_t hash = Xxh64(file["keys"][k]);
      ASSERT_EQ(table[hash % table.size()], c["owner"][k]) << k;
    }
  }
}

// The definition, slowly: for nodes by id, with permutations written out.
std::vector<std::string> SlowTable(const std::vector<Node>& nodes,
                                   uint32_t size, uint64_t seed) {
  std::map<std::string, double> weights;
  double sum = 0;
  for (const Node& node : nodes) {
    if (node.weight.thousandths() == 0) continue;
    weights[node.id] = static_cast<double>(node.weight.thousandths());
    sum += weights[node.id];
  }
  double largest = 0;
  for (auto& [id, weight] : weights) largest = std::max(largest, weight /= sum);
  std::vector<std::string> table(size);
  std::map<std::string, uint64_t> next;
  std::map<std::string, double> target;
  uint32_t filled = 0;
  for (int k = 1; filled < size; ++k) {
    for (const auto& [id, weight] : weights) {
      if (filled == size || k * weight < target[id]) continue;
      target[id] += largest;
      const uint64_t offset = Xxh3_64(id, seed) % size;
      const uint64_t skip = Xxh3_64(id, seed + 1) % (size - 1) + 1;
      uint64_t slot = (offset + skip * next[id]) % size;
      while (!table[slot].empty()) {
        slot = (offset + skip * ++next[id]) % size;
      }
      table[slot] = id;
      ++filled;
      ++next[id];
    }
  }
  return table;
}

TEST(MaglevTest, FillsAsTheDefinitionSays) {
  std::mt19937_64 random(11);
  for (uint32_t size : {2u, 3u, 53u, 1009u, 4093u}) {
    for (int round = 0; round < 8; ++round) {
      auto nodes = RandomNodes(random, 1 + random() % std::min(size, 60u));
      for (Node& node : nodes) {
        // Alike, somewhat unlike, and by far the heaviest few.
        const uint64_t wide = random() % 12 == 0 ? 1000000000 : 1000;
        node.weight = Weight::Thousandths(round < 2   ? 1000
                                          : round < 5 ? random() % 5000
                                                      : random() % wide);
      }
      // Multiples: rounds in which a node has exactly what it is due.
      if (round == 4) {
        for (Node& node : nodes)
          node.weight = Weight::Whole(1u << random() % 4);
      }
      const uint64_t seed = random();
      const auto maglev = Built(Maglev::Build(nodes, WithSize(size, seed)));
      if (maglev.node_count() == 0) continue;
      const auto table = SlowTable(nodes, size, seed);
      for (uint32_t slot = 0; slot < size; ++slot) {
        ASSERT_EQ(maglev.node(maglev.OwnerAt(slot)).id, table[slot]);
      }
      for (uint64_t hash : RandomHashes(random(), 100)) {
        ASSERT_EQ(IdOfOwner(maglev, hash), table[hash % size]);
      }
    }
  }
}

TEST(MaglevTest, HashesKeysEitherWay) {
  for (KeyHash key_hash : kWideKeyHashes) {
    MaglevOptions options = WithSize(1009, 5);
    options.key_hash = key_hash;
    const auto nodes = NumberedNodes("n", 0, 20);
    const auto maglev = Built(Maglev::Build(nodes, options));
    const auto table = SlowTable(nodes, 1009, 5);
    for (const std::string& key : Keys("k", 0, 300)) {
      const uint64_t hash = Hash(HashKindOf(key_hash, 64), key, options.seed);
      ASSERT_EQ(IdOfOwner(maglev, std::string_view(key)), table[hash % 1009]);
    }
  }
}

TEST(MaglevTest, ListOrderDoesNotMatter) {
  auto nodes = Keys("redis-", 0, 6);
  std::vector<Node> forward, reversed;
  for (const auto& id : nodes) forward.push_back(MakeNode(id + ":6379"));
  reversed.assign(forward.rbegin(), forward.rend());
  const auto one = Built(Maglev::Build(forward));
  const auto other = Built(Maglev::Build(reversed));
  EXPECT_EQ(one.digest(), other.digest());
  for (uint32_t slot = 0; slot < one.table_size(); ++slot) {
    ASSERT_EQ(one.OwnerAt(slot), other.OwnerAt(slot));
  }
  auto counts = SlotCounts(one);
  std::sort(counts.begin(), counts.end());
  EXPECT_EQ(counts,
            (std::vector<uint32_t>{10922, 10923, 10923, 10923, 10923, 10923}));
}

TEST(MaglevTest, SlotsFollowWeights) {
  const std::pair<std::vector<uint32_t>, std::vector<uint32_t>> cases[] = {
      {{1, 1}, {32769, 32768}},
      {{1, 2}, {21846, 43691}},
      {{1, 10}, {5958, 59579}},
      {{1, 2, 3}, {10923, 21846, 32768}}};
  for (const auto& [weights, expected] : cases) {
    const auto counts = SlotCounts(Built(Maglev::Build(Weighted(weights))));
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(counts[i], expected[i], 1) << weights.size() << ", " << i;
    }
  }
}

TEST(MaglevTest, TheLightestHasASlotBesideTheHeaviest) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 500);
  for (Node& node : nodes) node.weight = Weight::Thousandths(1);
  nodes[77].weight = Weight::Whole(1'000'000);
  for (uint32_t count : SlotCounts(Built(Maglev::Build(nodes)))) {
    EXPECT_GE(count, 1u);
  }
}

TEST(MaglevTest, FillsLargeTablesOfUnlikeWeightsInTime) {
  if (IsSanitized()) GTEST_SKIP() << "takes too long under sanitizers";
  std::vector<Node> nodes = NumberedNodes("n", 0, 30000);
  for (Node& node : nodes) node.weight = Weight::Thousandths(1);
  nodes[7].weight = Weight::Whole(1'000'000);
  const auto maglev = Built(Maglev::Build(nodes, WithSize(5000011)));
  const NodeIndex heavy = maglev.Find("n7");
  EXPECT_EQ(SlotCounts(maglev)[heavy], 5000011u - 29999);
}

TEST(MaglevTest, RefusesSizesThatAreNoPrimes) {
  const auto nodes = NumberedNodes("n", 0, 3);
  for (uint32_t size : {0u, 1u, 8u, 1000u, 65536u, 65535u, 25u, 49u}) {
    const Status status = Maglev::Build(nodes, WithSize(size)).status();
    EXPECT_EQ(status.code(), Code::kInvalidOptions);
    EXPECT_NE(status.message().find(std::to_string(size)), std::string::npos);
  }
  EXPECT_EQ(Maglev::Build(nodes, WithSize(134217757)).status().code(),
            Code::kInvalidOptions);  // a prime above 2^27
  for (uint32_t size : {3u, 16381u, 65537u, 5000011u}) {
    EXPECT_TRUE(Maglev::Build(nodes, WithSize(size)).ok()) << size;
  }
}

TEST(MaglevTest, RefusesMoreNodesThanSlots) {
  const Status status =
      Maglev::Build(NumberedNodes("n", 0, 20), WithSize(19)).status();
  EXPECT_EQ(status.code(), Code::kTooManyNodes);
  EXPECT_NE(status.message().find("19"), std::string::npos);
  auto nodes = NumberedNodes("n", 0, 20);
  nodes[3].weight = Weight::Thousandths(0);
  EXPECT_TRUE(Maglev::Build(nodes, WithSize(19)).ok());
}

TEST(MaglevTest, HoldsMoreNodesThanSixteenBitsCount) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 70000);
  const auto maglev = Built(Maglev::Build(nodes, WithSize(140009)));
  const auto table = SlowTable(nodes, 140009, 0);
  for (uint32_t slot = 0; slot < 140009; slot += 7) {
    ASSERT_EQ(maglev.node(maglev.OwnerAt(slot)).id, table[slot]);
  }
  ExpectBatchesAgree(maglev, 4);
}

TEST(MaglevTest, LargeTablesAnswerBatchesAlike) {
  const auto maglev =
      Built(Maglev::Build(NumberedNodes("n", 0, 100), WithSize(655373)));
  ExpectBatchesAgree(maglev, 5);
}

TEST(MaglevTest, ItsSizeIsInTheDigest) {
  const auto nodes = NumberedNodes("n", 0, 3);
  EXPECT_FALSE(Built(Maglev::Build(nodes, WithSize(1009))).digest() ==
               Built(Maglev::Build(nodes, WithSize(1013))).digest());
}

TEST(MaglevTest, AChangeMovesFewKeysAmongSurvivors) {
  const auto nine = Built(Maglev::Build(NumberedNodes("n", 0, 9)));
  const auto ten = Built(Maglev::Build(NumberedNodes("n", 0, 10)));
  const NodeIndex added = ten.Find("n9");
  int moved = 0;
  for (uint32_t slot = 0; slot < ten.table_size(); ++slot) {
    if (ten.OwnerAt(slot) == added) continue;
    moved += nine.node(nine.OwnerAt(slot)).id != ten.node(ten.OwnerAt(slot)).id;
  }
  EXPECT_LT(moved, 65537 * 0.05);
}

TEST(MaglevTest, PrimesAreTold) {
  for (uint32_t n = 0; n < 3000; ++n) {
    bool is_prime = n > 1;
    for (uint32_t d = 2; d < n; ++d) is_prime = is_prime && n % d != 0;
    ASSERT_EQ(IsPrime(n), is_prime) << n;
  }
  EXPECT_TRUE(IsPrime(4294967291u));
  EXPECT_FALSE(IsPrime(4294967295u));
  EXPECT_FALSE(IsPrime(65521u * 65521u));
}

}  // namespace
}  // namespace clockwise
