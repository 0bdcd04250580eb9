// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Faults that users of placements reported in public, as small inputs with the
// right value, where a peer's scheme is what it is about. Each test names the
// projects it happened to; tests/golden/public_cases.json has the numbers.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "clockwise/jump.h"
#include "clockwise/slots.h"
#include "scheme_cases.h"

namespace clockwise {
namespace {

AnyPlacement BuildOf(std::string_view scheme, const std::vector<Node>& nodes,
                     Params params = {}) {
  EXPECT_TRUE(RegisterPeerSchemes().ok());
  Members members;
  members.options.scheme = scheme;
  members.options.params = std::move(params);
  members.nodes = nodes;
  auto built = BuildPlacement(members);
  EXPECT_TRUE(built.ok()) << built.status().message();
  return std::move(built).value();
}

std::vector<Node> NodesFrom(const std::string& before, int first, int end,
                            const std::string& behind) {
  std::vector<Node> nodes;
  for (int i = first; i < end; ++i) {
    nodes.emplace_back().id = before + std::to_string(i) + behind;
  }
  return nodes;
}

std::string_view OwnerId(const AnyPlacement& placement, std::string_view key) {
  return placement.node(placement.Owner(key)).id;
}

// Keys key-0 to key-99999.
template <typename F>
void ForKeys(F&& f) {
  for (int i = 0; i < 100'000; ++i) f("key-" + std::to_string(i));
}

// Slots of a table that each node owns, by id.
std::map<std::string, int> SlotCounts(const AnyPlacement& table,
                                      uint64_t slots) {
  std::map<std::string, int> counts;
  for (uint64_t slot = 0; slot < slots; ++slot) {
    ++counts[std::string(table.node(table.Owner(slot)).id)];
  }
  return counts;
}

// envoyproxy/envoy#20703, cilium/cilium: the order of the list changed a Maglev
// table.
TEST(CompatCaseTest, OrderDoesNotMatterToEnvoysMaglev) {
  auto nodes = NodesFrom("redis-", 0, 6, ":6379");
  const AnyPlacement forward = BuildOf("envoy-maglev", nodes);
  std::reverse(nodes.begin(), nodes.end());
  const AnyPlacement reversed = BuildOf("envoy-maglev", nodes);
  for (uint64_t slot = 0; slot < 65537; ++slot) {
    ASSERT_EQ(forward.node(forward.Owner(slot)).id,
              reversed.node(reversed.Owner(slot)).id);
  }
  std::vector<int> counts;
  for (const auto& [id, count] : SlotCounts(forward, 65537)) {
    counts.push_back(count);
  }
  std::sort(counts.begin(), counts.end());
  EXPECT_EQ(counts,
            (std::vector<int>{10922, 10923, 10923, 10923, 10923, 10923}));
}

// Keys of survivors that move when the last of `hosts` hosts leaves.
int MovedOfSurvivors(std::string_view scheme, int hosts) {
  const auto nodes = NodesFrom("10.0.0.", 1, hosts + 1, ":80");
  const AnyPlacement before = BuildOf(scheme, nodes);
  const AnyPlacement after =
      BuildOf(scheme, std::vector<Node>(nodes.begin(), nodes.end() - 1));
  int moved = 0;
  ForKeys([&](const std::string& key) {
    const std::string_view was = OwnerId(before, key);
    if (was != nodes.back().id && was != OwnerId(after, key)) ++moved;
  });
  return moved;
}

// envoyproxy/envoy#22558: points per host hang on the number of hosts, so that
// a host that leaves moves keys of others. That is how Envoy is.
TEST(CompatCaseTest, EnvoysRingsMoveKeysOfSurvivors) {
  EXPECT_EQ(MovedOfSurvivors("envoy-ring-hash", 3), 9125);
  EXPECT_EQ(MovedOfSurvivors("envoy-ring-hash", 10), 6379);
  for (int hosts : {3, 10}) {
    for (const char* scheme : {"nginx-consistent", "libmemcached-ketama",
                               "groupcache", "rendezvous"}) {
      EXPECT_EQ(MovedOfSurvivors(scheme, hosts), 0) << scheme;
    }
  }
}

// The same fault in schemes that share all points out by weight: here a weight
// grows from 1 to 3.
TEST(CompatCaseTest, SharesOfAllWeightsMoveKeysOfOthers) {
  auto nodes = NodesFrom("10.0.0.", 1, 6, ":11211");
  for (const auto& [scheme, least] :
       {std::pair("libmemcached-ketama-weighted", 1000),
        std::pair("nginx-consistent", 0)}) {
    const AnyPlacement before = BuildOf(scheme, nodes);
    nodes[0].weight = Weight::Whole(3);
    const AnyPlacement after = BuildOf(scheme, nodes);
    nodes[0].weight = Weight();
    int moved = 0;
    ForKeys([&](const std::string& key) {
      const std::string_view now = OwnerId(after, key);
      if (now != nodes[0].id && now != OwnerId(before, key)) ++moved;
    });
    EXPECT_GE(moved, least) << scheme;
    EXPECT_EQ(moved == 0, least == 0) << scheme;
  }
}

// php-memcached#344, dalli#413, memcached (npm), pylibmc, graphite: ketama that
// is not libmemcached's.
TEST(CompatCaseTest, LibmemcachedKetamaBitForBit) {
  const Vectors cases("public_cases");
  const auto check = [](const json& expected, const AnyPlacement& ring,
                        const std::vector<Node>& nodes) {
    std::vector<int> counts(nodes.size());
    std::vector<size_t> first;
    for (int i = 0; i < 20'000; ++i) {
      const std::string_view id = OwnerId(ring, "key-" + std::to_string(i));
      size_t at = 0;
      while (nodes[at].id != id) ++at;
      ++counts[at];
      if (first.size() < 100) first.push_back(at);
    }
    EXPECT_EQ(json(counts), expected.at("counts20000"));
    EXPECT_EQ(json(first), expected.at("first100"));
  };
  for (const auto& [name, pool] : cases["ketama_weighted"].items()) {
    std::vector<Node> nodes;
    for (const json& server : pool.at("servers")) {
      Node& node = nodes.emplace_back();
      node.id = server[0].get<std::string>() + ":" + server[1].dump();
      node.weight = Weight::Whole(server[2].get<uint32_t>());
    }
    check(pool, BuildOf("libmemcached-ketama-weighted", nodes), nodes);
  }
  const auto three = NodesFrom("10.0.1.", 1, 4, ":11211");
  check(cases["ketama_unweighted_eq3"], BuildOf("libmemcached-ketama", three),
        three);
}

// katran#35, envoy PR6035, cilium: weights 1:10 were as 1:1, or the smallest
// had no slot.
TEST(CompatCaseTest, MaglevWeights) {
  for (const char* scheme : {"envoy-maglev", "katran-maglev-2", "maglev"}) {
    for (const std::vector<int>& weights :
         {std::vector{1, 1}, std::vector{1, 2}, std::vector{1, 10},
          std::vector{1, 2, 3}}) {
      auto nodes =
          NodesFrom("10.0.0.", 1, static_cast<int>(weights.size()) + 1, ":80");
      int sum = 0;
      for (size_t i = 0; i < weights.size(); ++i) {
        nodes[i].weight = Weight::Whole(static_cast<uint32_t>(weights[i]));
        sum += weights[i];
        if (FindScheme(scheme)->node_params.empty()) continue;
        if (FindScheme(scheme)->node_params[0] != "hash") continue;
        nodes[i].params["hash"] = std::to_string(1000 + i);
      }
      const auto counts = SlotCounts(BuildOf(scheme, nodes), 65537);
      for (size_t i = 0; i < weights.size(); ++i) {
        EXPECT_NEAR(counts.at(nodes[i].id), 65537.0 * weights[i] / sum, 1)
            << scheme;
      }
    }
  }
}

// envoyproxy/envoy#31724, PR5846, PR12870, istio/api, kong#9437: sizes of
// tables and rings that end in an endless loop, or in a ring that answers
// nobody.
TEST(CompatCaseTest, LimitsOfTablesAndRings) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  Members members;
  members.nodes = NodesFrom("10.0.0.", 1, 6, ":80");
  const auto refusal = [&](const char* scheme, const char* param,
                           const char* value) {
    members.options.scheme = scheme;
    members.options.params = {{param, value}};
    return std::string(BuildPlacement(members).status().message());
  };
  for (const char* size : {"8", "65536", "1000"}) {
    EXPECT_EQ(refusal("envoy-maglev", "table_size", size),
              "parameter 'table_size': '" + std::string(size) +
                  "'; a prime is wanted");
  }
  for (const char* size : {"65537", "16381", "5000011"}) {
    EXPECT_EQ(refusal("envoy-maglev", "table_size", size), "");
  }
  EXPECT_EQ(refusal("envoy-ring-hash", "minimum_ring_size", "0"),
            "parameter 'minimum_ring_size': '0'; 1 to 8388608 is wanted");
  const AnyPlacement ring =
      BuildOf("envoy-ring-hash", members.nodes,
              {{"minimum_ring_size", "1024"}, {"maximum_ring_size", "1024"}});
  std::vector<uint32_t> points;
  for (NodeIndex node = 0; node < 5; ++node) {
    points.push_back(ring.node(node).points);
  }
  std::sort(points.begin(), points.end());
  EXPECT_EQ(points, (std::vector<uint32_t>{204, 205, 205, 205, 205}));
  auto heavy = NodesFrom("10.0.0.", 1, 21, ":80");
  for (Node& node : heavy) node.weight = Weight::Whole(100);
  const AnyPlacement slots = BuildOf("slots", heavy, {{"slots", "400"}});
  for (const auto& [id, count] : SlotCounts(slots, 400)) EXPECT_EQ(count, 20);
}

// redis#6027, ioredis, resty-redis-cluster, opensips, nebulex, redis-py: hash
// tags.
TEST(CompatCaseTest, RedisSlotsAndHashTags) {
  const Vectors cases("public_cases");
  const auto nodes = NodesFrom("m", 0, 3, "");
  const AnyPlacement slots = BuildOf("redis-slots", nodes);
  for (const auto& [key, slot] : cases["redis_slots"].items()) {
    EXPECT_EQ(slots.HashOf(key) >> 32, slot.get<uint64_t>()) << key;
  }
  EXPECT_EQ(OwnerId(slots, "{user1000}.following"), OwnerId(slots, "user1000"));
}

// whitfin/jumper#1, google/guava#3539, python and Go jump hashes,
// carbon-c-relay: buckets that nothing reached, and nodes in order of their
// text.
TEST(CompatCaseTest, JumpHash) {
  const Vectors cases("public_cases");
  for (const json& row : cases["jump"]) {
    EXPECT_EQ(JumpHash(row[0], row[1]), row[2].get<int>());
  }
  for (const auto& [buckets, counts] :
       cases["jump_counts_keys_1_to_100000"].items()) {
    std::vector<int> counted(counts.size());
    for (uint64_t key = 1; key <= 100'000; ++key) {
      ++counted[static_cast<size_t>(JumpHash(key, std::stoi(buckets)))];
    }
    EXPECT_EQ(json(counted), counts);
  }
  // Node 10 of twelve comes after node 9, not after node 1.
  const auto nodes = NodesFrom("node-", 0, 12, "");
  const AnyPlacement jump = BuildOf("jump", nodes);
  for (uint64_t hash = 0; hash < 1000; ++hash) {
    EXPECT_EQ(jump.node(jump.Owner(hash)).id,
              nodes[static_cast<size_t>(JumpHash(hash, 12))].id);
  }
}

}  // namespace
}  // namespace clockwise
