// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placements of peers that are no rings, against what the peers answered.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "clockwise/compat_hash.h"
#include "clockwise/jump.h"
#include "scheme_cases.h"

namespace clockwise {
namespace {

// A number of 64 bits, or a decimal string of one.
uint64_t Number(const json& number) {
  return number.is_string() ? std::stoull(number.get<std::string>())
                            : number.get<uint64_t>();
}

AnyPlacement Build(const CaseMembers& wanted) {
  EXPECT_TRUE(RegisterPeerSchemes().ok());
  auto built = BuildPlacement(wanted.members);
  EXPECT_TRUE(built.ok()) << built.status().message();
  return std::move(built).value();
}

// The owners of the hashes 0, 1, … as places in the list.
std::vector<int64_t> TableOf(const CaseMembers& wanted, uint64_t slots) {
  const AnyPlacement placement = Build(wanted);
  std::vector<int64_t> table;
  for (uint64_t slot = 0; slot < slots; ++slot) {
    const NodeIndex owner = placement.Owner(slot);
    table.push_back(
        owner == kNoNode
            ? -1
            : static_cast<int64_t>(
                  wanted.index.find(placement.node(owner).id)->second));
  }
  return table;
}

// FNV-1a-64 over a table as int32, little-endian.
std::string TableFnv(const std::vector<int64_t>& table) {
  std::string bytes;
  for (int64_t owner : table) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes += static_cast<char>(owner >> shift & 255);
    }
  }
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx",
                static_cast<unsigned long long>(Fnv1a64(bytes)));
  return hex;
}

TEST(CompatPlacementTest, LibmemcachedModula) {
  ExpectOwners(
      "libmemcached_modula",
      [](const json& c) {
        return NodesOf(c, "libmemcached-modula",
                       {{"hash", c.at("params").at("hash").get<std::string>()}},
                       {"host", "port"});
      },
      10);
}

TEST(CompatPlacementTest, TwemproxyModula) {
  const MembersOfCase members_of =
      [](const json& c) -> std::optional<CaseMembers> {
    const json& params = c.at("params");
    if (params.at("distribution") != "modula") return std::nullopt;
    Params own = {{"hash", params.at("hash").get<std::string>()}};
    if (params.contains("hash_tag")) own["hash_tag"] = params.at("hash_tag");
    return NodesOf(c, "twemproxy-modula", own, {"host", "port", "name"});
  };
  ExpectOwners("twemproxy", members_of, 12);
}

TEST(CompatPlacementTest, SpymemcachedMod) {
  ExpectOwners(
      "spymemcached",
      [](const json& c) -> std::optional<CaseMembers> {
        const json& params = c.at("params");
        if (params.at("format") != "MOD") return std::nullopt;
        return NodesOf(c, "spymemcached-mod",
                       {{"hash", params.at("hash").get<std::string>()}});
      },
      1);
}

TEST(CompatPlacementTest, NginxHash) {
  const MembersOfCase members_of =
      [](const json& c) -> std::optional<CaseMembers> {
    const json& params = c.at("params");
    // What it tries after servers that refuse or are down is not a placement.
    if (params.at("method") != "hash" || params.contains("refused")) {
      return std::nullopt;
    }
    if (c.at("name") == "plain_down") return std::nullopt;
    return NodesOf(c, "nginx-hash", {});
  };
  ExpectOwners("nginx_hash_plain", members_of, 3);
  ExpectOwners("nginx_hash_arg", members_of, 1);
}

TEST(CompatPlacementTest, HaproxyMap) {
  const MembersOfCase members_of =
      [](const json& c) -> std::optional<CaseMembers> {
    const std::string type = c.at("params").at("hash_type");
    if (!type.starts_with("map-based")) return std::nullopt;
    CaseMembers wanted = NodesOf(c, "haproxy-map", {{"hash_type", type}});
    for (size_t i = 0; i < c.at("nodes").size(); ++i) {
      if (c.at("nodes")[i].value("disabled", false)) {
        wanted.members.nodes[i].weight = Weight::Thousandths(0);
      }
    }
    return wanted;
  };
  ExpectOwners("haproxy_map", members_of, 12);
  ExpectOwners("haproxy_none", members_of, 1);
}

TEST(CompatPlacementTest, EnvoyMaglev) {
  const MembersOfCase members_of = [](const json& c) {
    return std::optional(
        NodesOf(c, "envoy-maglev",
                {{"table_size", TextOf(c.at("params").at("table_size"))}}));
  };
  ExpectOwners("envoy_maglev", members_of, 6);
  const Vectors vectors("envoy_maglev");
  for (const json& c : vectors["cases"]) {
    const auto size = c.at("params").at("table_size").get<uint64_t>();
    EXPECT_EQ(TableFnv(TableOf(*members_of(c), size)), c.at("table_fnv1a64"))
        << c.at("name");
  }
}

TEST(CompatPlacementTest, EnvoyKnownAnswers) {
  const Vectors vectors("envoy_known_answers");
  const auto members_of = [](const json& c, std::string_view scheme,
                             Params params) {
    CaseMembers wanted(scheme, std::move(params));
    for (size_t i = 0; i < c.at("hosts").size(); ++i) {
      wanted.Add(c.at("hosts")[i], c.at("weights")[i], i);
    }
    return wanted;
  };
  for (const json& c : vectors["known_answers"]["maglev"]) {
    const CaseMembers wanted =
        members_of(c, "envoy-maglev", {{"table_size", TextOf(c.at("size"))}});
    EXPECT_EQ(json(TableOf(wanted, c.at("size"))), c.at("table"))
        << c.at("name");
  }
  for (const json& c : vectors["known_answers"]["ring"]) {
    const CaseMembers wanted =
        members_of(c, "envoy-ring-hash",
                   {{"minimum_ring_size", TextOf(c.at("min"))},
                    {"maximum_ring_size", TextOf(c.at("max"))},
                    {"hash_function",
                     c.at("hash") == "xx_hash" ? "xx_hash" : "murmur_hash_2"}});
    const AnyPlacement placement = Build(wanted);
    const Ring& ring = *placement.ring();
    ASSERT_EQ(ring.point_count(), c.at("ring").size()) << c.at("name");
    for (size_t i = 0; i < ring.point_count(); ++i) {
      EXPECT_EQ(ring.PositionAt(i), Number(c.at("ring")[i][0]));
    }
    for (const json& lookup : c.at("lookups")) {
      const NodeIndex owner = ring.Owner(Number(lookup[0]));
      EXPECT_EQ(wanted.index.find(ring.node(owner).id)->second, lookup[1])
          << c.at("name");
    }
  }
}

TEST(CompatPlacementTest, KatranMaglev) {
  const Vectors vectors("katran_maglev");
  size_t cases = 0;
  for (const json& c : vectors["cases"]) {
    const json& params = c.at("params");
    const auto size = params.at("ring_size").get<uint64_t>();
    CaseMembers wanted(
        params.at("version") == 1 ? "katran-maglev-1" : "katran-maglev-2",
        {{"ring_size", std::to_string(size)}});
    for (const json& n : c.at("nodes")) {
      const auto number = n.at("id").get<size_t>();
      wanted.Add("real-" + std::to_string(number), n.at("weight"), number)
          .params["hash"] = TextOf(n.at("hash"));
    }
    const std::vector<int64_t> table = TableOf(wanted, size);
    EXPECT_EQ(TableFnv(table), c.at("table_fnv1a64")) << c.at("name");
    if (c.contains("table")) {
      EXPECT_EQ(json(table), c.at("table"));
    }
    ++cases;
  }
  EXPECT_EQ(cases, 28u);
}

// Buckets without names: nodes "0", "1", ….
CaseMembers Buckets(std::string_view scheme, Params params, size_t count) {
  CaseMembers wanted(scheme, std::move(params));
  for (size_t i = 0; i < count; ++i) wanted.Add(std::to_string(i), 1, i);
  return wanted;
}

TEST(CompatPlacementTest, McrouterCh3) {
  ExpectOwners(
      "mcrouter_ch3",
      [](const json& c) -> std::optional<CaseMembers> {
        const auto buckets = c.at("params").at("buckets").get<size_t>();
        // More than one cares to build: Furc itself is held against those.
        if (buckets > 2000) return std::nullopt;
        const bool is_crc = c.at("params").at("function") == "crc32_mod";
        return Buckets("mcrouter-ch3", {{"hash", is_crc ? "crc32" : "ch3"}},
                       buckets);
      },
      12);
}

CaseMembers WeightedBuckets(std::string_view function, const json& weights) {
  CaseMembers wanted("mcrouter-wch3", {{"function", std::string(function)}});
  for (size_t i = 0; i < weights.size(); ++i) {
    wanted.Add(std::to_string(i), weights[i], i);
  }
  return wanted;
}

TEST(CompatPlacementTest, McrouterWch3) {
  ExpectOwners(
      "mcrouter_weighted",
      [](const json& c) {
        const json& params = c.at("params");
        return WeightedBuckets(params.at("function").get<std::string>(),
                               params.at("weights"));
      },
      10);
}

TEST(CompatPlacementTest, McrouterRendezvous) {
  ExpectOwners(
      "mcrouter_rendezvous",
      [](const json& c) {
        const json& params = c.at("params");
        const bool is_weighted = params.at("function") == "weighted_rendezvous";
        const std::string scheme = is_weighted ? "mcrouter-weighted-rendezvous"
                                               : "mcrouter-rendezvous";
        if (!params.contains("nodes_pattern")) return NodesOf(c, scheme, {});
        CaseMembers wanted(scheme, {});
        for (size_t i = 0; i < params.at("n").get<size_t>(); ++i) {
          wanted.Add("xxx." + std::to_string(i) + ".yy", 1, i);
        }
        return wanted;
      },
      8);
}

// How many of the keys each node owns.
std::vector<size_t> CountsOf(const CaseMembers& wanted,
                             const std::string& prefix, int keys) {
  const AnyPlacement placement = Build(wanted);
  std::vector<size_t> counts(wanted.members.nodes.size());
  for (int i = 0; i < keys; ++i) {
    ++counts[placement.Owner(prefix + std::to_string(i))];
  }
  return counts;
}

// acc * 31 + owner over keys k0, k1, ….
uint32_t ChecksumOf(const CaseMembers& wanted, int keys) {
  const AnyPlacement placement = Build(wanted);
  uint32_t sum = 0;
  for (int i = 0; i < keys; ++i) {
    sum = sum * 31 + placement.Owner("k" + std::to_string(i));
  }
  return sum;
}

CaseMembers Endpoints(std::string_view scheme, const json& weights) {
  CaseMembers wanted(scheme, {});
  for (size_t i = 0; i < weights.size(); ++i) {
    wanted.Add("xxx." + std::to_string(i) + ".yy", weights[i], i);
  }
  return wanted;
}

// "bytes_up" is bytes 0x80 to 0xff and 0x00 to 0x7f, "bytes_down" the reverse.
std::string KeyNamed(const std::string& name) {
  if (name == "empty") return "";
  if (name != "bytes_up" && name != "bytes_down") return name;
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i + 128);
  if (name == "bytes_down") std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

TEST(CompatPlacementTest, McrouterKnownAnswers) {
  const Vectors vectors("mcrouter_known_answers");
  const json& known = vectors["known_answers"];
  for (const json& c : known.at("furc_counts")) {
    EXPECT_EQ(json(CountsOf(Buckets("mcrouter-ch3", {}, c.at("buckets")), "",
                            c.at("n_keys"))),
              c.at("counts"));
  }
  const json& furc = known.at("furc_checksums");
  for (const json& row : furc.at("rows")) {
    EXPECT_EQ(
        ChecksumOf(Buckets("mcrouter-ch3", {}, row[0]), furc.at("n_keys")),
        row[1]);
  }
  for (const json& c : known.at("weighted_ch3_counts")) {
    EXPECT_EQ(json(CountsOf(WeightedBuckets("weighted_ch3", c.at("weights")),
                            "", c.at("n_keys"))),
              c.at("counts"));
  }
  const json& weighted = known.at("weighted_ch3_checksums");
  for (const json& row : weighted.at("rows")) {
    const json weights(row[0].get<size_t>(), row[1].get<double>());
    EXPECT_EQ(ChecksumOf(WeightedBuckets("weighted_ch3", weights),
                         weighted.at("n_keys")),
              row[2]);
  }
  const json zeros(100, 0.0);
  const AnyPlacement zero = Build(WeightedBuckets("weighted_ch3", zeros));
  for (const auto& [key, bucket] : known.at("weighted_ch3_zero_100").items()) {
    EXPECT_EQ(zero.Owner(key), bucket.get<NodeIndex>());
  }
  for (const auto& [name, bucket] : known.at("crc32").items()) {
    const size_t cut = name.rfind('_');
    const size_t buckets = std::stoul(name.substr(cut + 1));
    if (buckets > kMaxNodes) continue;
    const AnyPlacement crc =
        Build(Buckets("mcrouter-ch3", {{"hash", "crc32"}}, buckets));
    EXPECT_EQ(crc.Owner(KeyNamed(name.substr(0, cut))),
              bucket.get<NodeIndex>());
  }
  for (const std::string scheme : {"rendezvous", "weighted-rendezvous"}) {
    const char* field =
        scheme == "rendezvous" ? "rendezvous" : "weighted_rendezvous";
    for (const auto& [nodes, owners] : known.at(field).items()) {
      const json ones(std::stoul(nodes), 1.0);
      const AnyPlacement placement =
          Build(Endpoints("mcrouter-" + scheme, ones));
      for (const auto& [key, owner] : owners.items()) {
        EXPECT_EQ(placement.Owner(KeyNamed(key)), owner.get<NodeIndex>());
      }
    }
  }
  for (const json& c : known.at("rendezvous_counts")) {
    const json ones(c.at("n").get<size_t>(), 1.0);
    EXPECT_EQ(json(CountsOf(Endpoints("mcrouter-rendezvous", ones),
                            c.at("prefix"), c.at("n_keys"))),
              c.at("counts"));
  }
  for (const json& c : known.at("weighted_rendezvous_counts")) {
    EXPECT_EQ(json(CountsOf(
                  Endpoints("mcrouter-weighted-rendezvous", c.at("weights")),
                  "mykey:", c.at("n_keys"))),
              c.at("counts"));
  }
}

// Slots of nodes, each with a slot of every hash.
TEST(CompatPlacementTest, RedisSlots) {
  const Vectors vectors("redis_cluster_keyslot");
  CaseMembers wanted("redis-slots", {});
  for (size_t i = 0; i < 16384; ++i) {
    wanted.Add("m" + std::to_string(i), 1, i).params["slots"] =
        std::to_string(i);
  }
  EXPECT_EQ(Mismatches(wanted, vectors.keys(), {{"owner", vectors["owner"]}}),
            0u);
}

TEST(CompatPlacementTest, RedisSlotsAreListedOrCutEvenly) {
  CaseMembers wanted("redis-slots", {});
  for (const char* id : {"a", "b", "c"}) wanted.Add(id, 1, 0);
  // What `redis-cli --cluster create` prints for three masters.
  const auto first_of = [&](uint64_t slot) {
    const AnyPlacement placement = Build(wanted);
    return std::string(placement.node(placement.Owner(slot << 32)).id);
  };
  EXPECT_EQ(first_of(5460) + first_of(5461) + first_of(10922) + first_of(10923),
            "abbc");
  wanted.members.nodes[0].params["slots"] = "0-99,200";
  wanted.members.nodes[1].params["slots"] = "150";
  EXPECT_EQ(first_of(99) + first_of(150) + first_of(200), "aba");
  EXPECT_EQ(Build(wanted).Owner(uint64_t{100} << 32), kNoNode);
  wanted.members.nodes[2].params["slots"] = "140-150";
  EXPECT_EQ(BuildPlacement(wanted.members).status().message(),
            "golden: node 'c': slot 150 is of 'b' as well");
  wanted.members.nodes[2].params["slots"] = "16384";
  EXPECT_EQ(BuildPlacement(wanted.members).status().message(),
            "golden: node 'c': parameter 'slots': '16384'; a range below "
            "16384, as 0-99, is wanted");
}

TEST(CompatPlacementTest, CassandraTokensFormARing) {
  CaseMembers wanted("cassandra-murmur3", {});
  wanted.Add("a", 1, 0).params["tokens"] = "-9000000000000000000,100";
  wanted.Add("b", 1, 1).params["tokens"] = "-5,9000000000000000000";
  const AnyPlacement placement = Build(wanted);
  const auto owner_of = [&](int64_t token) {
    return std::string(
        placement.node(placement.Owner(static_cast<uint64_t>(token))).id);
  };
  EXPECT_EQ(owner_of(INT64_MIN), "a");
  EXPECT_EQ(owner_of(-9000000000000000000), "a");
  EXPECT_EQ(owner_of(-8999999999999999999), "b");
  EXPECT_EQ(owner_of(-5), "b");
  EXPECT_EQ(owner_of(-4), "a");
  EXPECT_EQ(owner_of(101), "b");
  EXPECT_EQ(owner_of(9000000000000000001), "a");
  const Vectors vectors("cassandra_murmur3_token");
  for (size_t i = 0; i < vectors.keys().size(); ++i) {
    ASSERT_EQ(std::to_string(
                  static_cast<int64_t>(placement.HashOf(vectors.keys()[i]))),
              vectors["tokens"][i].get<std::string>());
  }
  wanted.members.nodes[1].params["tokens"] = "100";
  EXPECT_EQ(BuildPlacement(wanted.members).status().message(),
            "golden: node 'b': token 100 is of 'a' as well");
}

TEST(CompatPlacementTest, RefuseWhatTheyCannotRead) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const auto refusal = [](const CaseMembers& wanted) {
    const auto built = BuildPlacement(wanted.members);
    return std::string(built.status().message());
  };
  CaseMembers wanted("katran-maglev-1", {});
  wanted.Add("a", 1, 0);
  EXPECT_EQ(refusal(wanted),
            "golden: node 'a': parameter 'hash': the number that Katran hashes "
            "for it is wanted");
  wanted.members.options.params["ring_size"] = "65536";
  EXPECT_EQ(refusal(wanted),
            "golden: parameter 'ring_size': '65536'; a prime is wanted");
  CaseMembers modula("libmemcached-modula", {});
  modula.Add("a", 1, 0);
  modula.members.options.layout = Layout::kSorted;
  EXPECT_EQ(refusal(modula),
            "golden: layout sorted; scheme libmemcached-modula does not take "
            "it");
  modula.members.options.layout.reset();
  EXPECT_EQ(BuildRing(modula.members).status().message(),
            "golden: scheme 'libmemcached-modula' is not a ring but another "
            "placement");
  CaseMembers wch3 = Buckets("mcrouter-wch3", {}, 3);
  wch3.members.nodes[1].weight = Weight::Whole(2);
  EXPECT_EQ(refusal(wch3), "golden: node '1': weight 2; mcrouter has 0 to 1");
  EXPECT_EQ(
      Build(Buckets("mcrouter-wch3", {}, 3)).Owner(std::string(1001, 'k')),
      kNoNode);
}

std::vector<std::string> WarningsOf(const CaseMembers& wanted) {
  const AnyPlacement placement = Build(wanted);
  std::vector<std::string> warnings;
  const Scheme* scheme = FindScheme(wanted.members.options.scheme);
  if (scheme->warn != nullptr) {
    scheme->warn(wanted.members, placement, warnings);
  }
  return warnings;
}

using Lines = std::vector<std::string>;

// Nodes "a", "b", … with these weights.
CaseMembers Weighted(std::string_view scheme,
                     const std::vector<double>& weights, Params params = {}) {
  CaseMembers wanted(scheme, std::move(params));
  for (size_t i = 0; i < weights.size(); ++i) {
    wanted.Add(std::string(1, static_cast<char>('a' + i)), weights[i], i);
  }
  return wanted;
}

TEST(CompatWarningTest, NodesWithoutPoints) {
  const CaseMembers ketama =
      Weighted("libmemcached-ketama-weighted", {1024, 1024, 5});
  EXPECT_EQ(WarningsOf(ketama),
            Lines{"node 'c': weight 5, but gets no points: no key reaches it"});
  EXPECT_EQ(WarningsOf(Weighted("nginx-consistent", {3, 1})), Lines{});
}

TEST(CompatWarningTest, PointsThatFloatsLose) {
  const CaseMembers equal =
      Weighted("twemproxy-ketama", std::vector<double>(25, 1));
  ASSERT_EQ(WarningsOf(equal).size(), 25u);
  EXPECT_EQ(WarningsOf(equal)[0],
            "node 'a': floats give it 156 points, not the 160 of its exact "
            "share");
  EXPECT_EQ(WarningsOf(Weighted("twemproxy-ketama", {1, 1, 1})), Lines{});
}

TEST(CompatWarningTest, PointsOnPointsOfOthers) {
  CaseMembers wanted("haproxy-consistent", {});
  wanted.Add("a", 1, 0).params["puid"] = "5";
  wanted.Add("b", 1, 1).params["puid"] = "1048581";
  EXPECT_EQ(WarningsOf(wanted),
            (Lines{"16 points lie on another node's; the scheme's rule for "
                   "ties decides",
                   "node 'b': its id 1048581 equals that of 'a' modulo 2^20: "
                   "they share their points"}));
  const Vectors vectors("nginx_hash_ties");
  size_t warned = 0;
  for (const json& c : vectors["cases"]) {
    warned += WarningsOf(NodesOf(c, "nginx-consistent", {})).size();
  }
  EXPECT_EQ(warned, vectors["cases"].size());
}

TEST(CompatWarningTest, WeightsThatMeanSomethingElse) {
  CaseMembers katran = Weighted("katran-maglev-1", {1, 0, 2});
  for (Node& node : katran.members.nodes) {
    node.params["hash"] = std::to_string(node.id[0]);
  }
  const Lines zero = {
      "node 'b': weight 0 does not drain it: keys still reach it"};
  EXPECT_EQ(WarningsOf(katran), zero);
  EXPECT_EQ(WarningsOf(Weighted("mcrouter-wch3", {1, 0})), zero);
  EXPECT_EQ(WarningsOf(Weighted("libmemcached-modula", {1, 3})),
            Lines{"node 'b': weight 3 is ignored: it is placed as if it were "
                  "1"});
}

TEST(CompatWarningTest, NodesThatNoSlotOrHashReaches) {
  EXPECT_EQ(WarningsOf(Weighted("nginx-hash", {32768, 1})),
            Lines{"node 'b': weight 1, but lies beyond the 32768 values of the "
                  "hash: no key reaches it"});
  EXPECT_EQ(
      WarningsOf(Weighted("envoy-maglev", {1, 1, 1}, {{"table_size", "2"}}))
          .size(),
      1u);
  CaseMembers redis("redis-slots", {});
  redis.Add("a", 1, 0).params["slots"] = "0-16000";
  EXPECT_EQ(WarningsOf(redis),
            Lines{"383 slots have no master: those keys have no owner"});
}

}  // namespace
}  // namespace clockwise
