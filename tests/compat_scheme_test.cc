// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings of peers against the owners that the peers chose.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "clockwise/compat_hash.h"
#include "compat/hash/md5_digest.h"
#include "scheme_cases.h"

namespace clockwise {
namespace {

TEST(CompatSchemeTest, LibmemcachedKetama) {
  const MembersOfCase members_of = [](const json& c) {
    const json& params = c.at("params");
    const bool is_spy = params.value("point_name", "") == "spy";
    const bool is_weighted = params.at("points_per_server") == 160;
    Params own = {{"hash", params.at("hash").get<std::string>()}};
    if (is_spy && is_weighted) own["weighted"] = "true";
    return std::optional(NodesOf(c,
                                 is_spy        ? "libmemcached-ketama-spy"
                                 : is_weighted ? "libmemcached-ketama-weighted"
                                               : "libmemcached-ketama",
                                 own, {"host", "port"}));
  };
  ExpectOwners("libmemcached_ketama", members_of, 10);
  ExpectOwners("libmemcached_ketama_weighted", members_of, 12);
  ExpectOwners("libmemcached_ties", members_of, 12);
  ExpectOwners(
      "libmemcached_misc",
      [&](const json& c) -> std::optional<CaseMembers> {
        // Keys with a namespace before them: LibmemcachedKey.
        if (c.at("params").value("hash_with_prefix_key", false)) {
          return std::nullopt;
        }
        return members_of(c);
      },
      4);
}

// Points of servers of these weights, as the peer counted them.
void ExpectPoints(const std::string& file, std::string_view scheme) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const Vectors vectors(file);
  for (const json& c : vectors["cases"]) {
    CaseMembers wanted(scheme, {});
    const auto weights = c.at("weights").get<std::vector<double>>();
    for (size_t i = 0; i < weights.size(); ++i) {
      wanted.Add("h" + std::to_string(i) + ":11211", weights[i], i);
    }
    wanted.members.options.max_points = kMaxPointsLimit;
    const auto ring = BuildRing(wanted.members);
    ASSERT_TRUE(ring.ok()) << ring.status().message();
    EXPECT_EQ(RingFnv(ring.value(), wanted), c.at("ring_fnv1a64"));
    for (const Node& node : wanted.members.nodes) {
      const size_t i = wanted.index.find(node.id)->second;
      EXPECT_EQ(ring.value().node(ring.value().Find(node.id)).points,
                c.at("points_per_node")[i].get<uint32_t>())
          << file << " " << i << " of " << c.at("weights");
    }
  }
}

TEST(CompatSchemeTest, CountsOfPoints) {
  ExpectPoints("libmemcached_weight_points", "libmemcached-ketama-weighted");
  ExpectPoints("libketama_weight_points", "libketama");
}

TEST(CompatSchemeTest, Libketama) {
  ExpectOwners(
      "libketama", [](const json& c) { return NodesOf(c, "libketama", {}); },
      6);
}

// The library's own test: of a million keys the hash, the point and the server.
TEST(CompatSchemeTest, LibketamaSelfTest) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const Vectors vectors("libketama");
  const json& params = vectors["params"];
  const CaseMembers wanted =
      NodesOf(vectors.Case(params.at("selftest_case").get<std::string>()),
              "libketama", {});
  const auto built = BuildRing(wanted.members);
  ASSERT_TRUE(built.ok());
  const Ring& ring = built.value();
  std::string text = "\n";
  for (int i = 0; i < params.at("selftest_keys").get<int>(); ++i) {
    const uint64_t hash = ring.HashOf(std::to_string(i));
    const size_t point = ring.PointAt(hash);
    text += std::to_string(hash >> 32) + ' ' +
            std::to_string(ring.PositionAt(point) >> 32) + ' ';
    text += ring.node(ring.Owner(hash)).id;
    text += '\n';
  }
  std::string hex;
  for (uint32_t word : compat_internal::Md5(text).words) {
    for (int shift = 0; shift < 32; shift += 8) {
      char byte[3];
      std::snprintf(byte, sizeof byte, "%02x", word >> shift & 255);
      hex += byte;
    }
  }
  EXPECT_EQ(hex, params.at("selftest_md5"));
}

TEST(CompatSchemeTest, Twemproxy) {
  const MembersOfCase members_of =
      [](const json& c) -> std::optional<CaseMembers> {
    const json& params = c.at("params");
    if (params.at("distribution") != "ketama") return std::nullopt;
    Params own = {{"hash", params.at("hash").get<std::string>()}};
    if (params.contains("hash_tag")) own["hash_tag"] = params.at("hash_tag");
    return NodesOf(c, "twemproxy-ketama", own, {"host", "port", "name"});
  };
  ExpectOwners("twemproxy", members_of, 14);
  ExpectOwners("twemproxy_ties", members_of, 8);
  ExpectOwners("twemproxy_hash_tag", members_of, 2);
}

// What a scheme cannot do without, a number for each node.
void GiveParams(const Scheme& scheme, std::vector<Node>& nodes) {
  for (std::string_view name : scheme.node_params) {
    if (name != "hash" && name != "tokens" && name != "puid") continue;
    for (size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].params[std::string(name)] = std::to_string(i + 1);
    }
  }
}

TEST(CompatSchemeTest, DigestsDependOnTheOrderWhereOwnersDo) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  for (const Scheme* scheme : Schemes()) {
    Members members;
    members.options.scheme = scheme->id;
    for (const char* id : {"10.0.0.2:1", "10.0.0.1:1", "10.0.0.3:1"}) {
      members.nodes.emplace_back().id = id;
    }
    GiveParams(*scheme, members.nodes);
    const auto built = BuildPlacement(members);
    ASSERT_TRUE(built.ok()) << built.status().message();
    EXPECT_EQ(built.value().scheme(), scheme->id);
    EXPECT_EQ(built.value().ring() != nullptr, scheme->is_ring());
    std::reverse(members.nodes.begin(), members.nodes.end());
    const auto turned = BuildPlacement(members);
    ASSERT_TRUE(turned.ok());
    EXPECT_EQ(built.value().digest() != turned.value().digest(),
              scheme->is_order_dependent)
        << scheme->id;
  }
}

// Adding a node moves keys to it alone, exactly where a scheme says so.
TEST(CompatSchemeTest, AreMonotoneWhereTheySay) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  for (const Scheme* scheme : Schemes()) {
    // Theirs are given with the nodes, not made of them.
    if (scheme->id == "redis-slots" || scheme->id == "slots") continue;
    Members members;
    members.options.scheme = scheme->id;
    for (int i = 0; i < 25; ++i) {
      // The new node comes before others by id, and in the list.
      const int number = i < 7 ? i : i + 1;
      members.nodes.emplace_back().id =
          "10.0.0." + std::to_string(10 + number) + ":11211";
    }
    GiveParams(*scheme, members.nodes);
    Node added;
    added.id = "10.0.0.17:11211";
    // Some count points over all weights, which equal ones do not show.
    const std::map<std::string_view, Params> weighted = {
        {"libketama", {}},
        {"libmemcached-ketama-spy", {{"weighted", "true"}}},
        {"npm-hashring", {}},
        {"spymemcached-ketama", {{"weighted", "true"}}},
        {"uhashring", {{"mode", "ketama"}}}};
    if (const auto how = weighted.find(scheme->id); how != weighted.end()) {
      members.options.params = how->second;
      added.weight = Weight::Whole(3);
    }
    added.params = members.nodes[0].params;
    for (auto& [name, value] : added.params) {
      value = name == "puid" ? "26" : "9223372036854775000";
    }
    const auto before = BuildPlacement(members);
    ASSERT_TRUE(before.ok()) << before.status().message();
    // Lists of `anchor` keep the places of nodes.
    const int at = scheme->id == "anchor" ? 25 : 7;
    members.nodes.insert(members.nodes.begin() + at, added);
    const auto after = BuildPlacement(members);
    ASSERT_TRUE(after.ok()) << after.status().message();
    int moved = 0;
    for (int i = 0; i < 4000; ++i) {
      const std::string key = "key-" + std::to_string(i);
      const auto owner_in = [&key](const AnyPlacement& placement) {
        return std::string(placement.node(placement.Owner(key)).id);
      };
      const std::string now = owner_in(after.value());
      moved += now != added.id && now != owner_in(before.value()) ? 1 : 0;
    }
    EXPECT_EQ(moved == 0, scheme->is_monotone)
        << scheme->id << " moved " << moved;
  }
}

TEST(CompatSchemeTest, Spymemcached) {
  ExpectOwners(
      "spymemcached",
      [](const json& c) -> std::optional<CaseMembers> {
        const json& params = c.at("params");
        const std::string format = params.at("format");
        if (format == "MOD") return std::nullopt;
        CaseMembers wanted(
            "spymemcached-ketama",
            {{"hash", params.at("hash").get<std::string>()},
             {"weighted",
              params.at("weighted").get<bool>() ? "true" : "false"}});
        for (size_t i = 0; i < c.at("nodes").size(); ++i) {
          const json& n = c.at("nodes")[i];
          std::string text = params.at("point_name0")[i];
          text.resize(text.size() - 2);  // "-0"
          wanted.Add(TextOf(n.at("id")), n.value("weight", 1.0), i)
              .params["text"] = text;
        }
        return wanted;
      },
      10);
}

TEST(CompatSchemeTest, NpmHashring) {
  ExpectOwners(
      "npm_hashring",
      [](const json& c) {
        Params params;
        for (const auto& [name, value] : c.at("params").at("options").items()) {
          params[name] = TextOf(value);
        }
        return NodesOf(c, "npm-hashring", params);
      },
      7);
}

TEST(CompatSchemeTest, Uhashring) {
  ExpectOwners(
      "uhashring",
      [](const json& c) {
        const std::string mode = c.at("params").at("mode");
        return NodesOf(c, "uhashring",
                       {{"mode", mode == "ketama" ? "ketama" : "default"}});
      },
      5);
}

TEST(CompatSchemeTest, Nginx) {
  const MembersOfCase members_of =
      [](const json& c) -> std::optional<CaseMembers> {
    const std::string method = c.at("params").at("method");
    // What it tries after servers that refuse is not a placement.
    if (method != "hash consistent" || c.at("params").contains("refused")) {
      return std::nullopt;
    }
    CaseMembers wanted = NodesOf(c, "nginx-consistent", {});
    if (c.at("name") == "consistent_down") {
      for (size_t i : {1u, 3u}) {
        wanted.members.nodes[i].weight = Weight::Thousandths(0);
      }
    }
    return wanted;
  };
  ExpectOwners("nginx_hash_consistent", members_of, 5,
               [](const json& c, const std::string& key) {
                 return c.at("name") == "consistent_concat" ? key + "/" : key;
               });
  ExpectOwners("nginx_hash_ties", members_of, 8);
  ExpectOwners("nginx_hash_arg", members_of, 1);
}

TEST(CompatSchemeTest, Haproxy) {
  const MembersOfCase members_of =
      [](const json& c) -> std::optional<CaseMembers> {
    const json& params = c.at("params");
    Params own = {{"hash_type", params.at("hash_type").get<std::string>()}};
    if (!own["hash_type"].starts_with("consistent")) return std::nullopt;
    if (params.contains("hash_key")) own["hash_key"] = params.at("hash_key");
    CaseMembers wanted =
        NodesOf(c, "haproxy-consistent", own, {"puid", "addr", "port", "guid"});
    for (size_t i = 0; i < c.at("nodes").size(); ++i) {
      if (c.at("nodes")[i].value("disabled", false)) {
        wanted.members.nodes[i].weight = Weight::Thousandths(0);
      }
    }
    return wanted;
  };
  // Numbers are hashed as 8 bytes, big-endian.
  const auto bytes_of = [](uint64_t number) {
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes += static_cast<char>(number >> shift & 255);
    }
    return bytes;
  };
  ExpectOwners("haproxy_consistent", members_of, 24,
               [&](const json& c, const std::string& key) {
                 const std::string balance = c.at("params").at("balance");
                 if (balance.ends_with(",length")) return bytes_of(key.size());
                 if (!balance.ends_with(",xxh32(0)")) return key;
                 return bytes_of(PeerHashOf(PeerHash::kXxh32, key) >> 32);
               });
  ExpectOwners("haproxy_hashkey", members_of, 9);
  ExpectOwners("haproxy_none", members_of, 4);
}

TEST(CompatSchemeTest, Envoy) {
  ExpectOwners(
      "envoy_ring_hash",
      [](const json& c) {
        Params params;
        for (const char* name :
             {"minimum_ring_size", "maximum_ring_size", "hash_function"}) {
          params[name] = TextOf(c.at("params").at(name));
        }
        if (params["hash_function"] == "MURMUR_HASH_2") {
          params["hash_function"] = "murmur_hash_2";
        }
        return NodesOf(c, "envoy-ring-hash", params);
      },
      14);
}

// Owners of hashes that are spread evenly.
std::vector<size_t> CountsOf(const CaseMembers& wanted, uint64_t hashes) {
  const auto ring = BuildRing(wanted.members);
  EXPECT_TRUE(ring.ok()) << ring.status().message();
  std::vector<size_t> counts(wanted.members.nodes.size());
  for (uint64_t i = 0; i < hashes; ++i) {
    const NodeIndex owner = ring.value().Owner(i * (UINT64_MAX / hashes));
    ++counts[wanted.index.find(ring.value().node(owner).id)->second];
  }
  return counts;
}

void SetLocality(Node& node, const std::string& name, int weight) {
  node.params["locality"] = name;
  node.params["locality_weight"] = std::to_string(weight);
}

TEST(CompatSchemeTest, EnvoyCounts) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const Vectors vectors("envoy_known_answers");
  for (const json& c : vectors["known_answers"]["histogram"]) {
    CaseMembers wanted("envoy-ring-hash",
                       {{"minimum_ring_size", TextOf(c.at("min"))},
                        {"maximum_ring_size", TextOf(c.at("max"))}});
    for (size_t i = 0; i < c.at("hosts").size(); ++i) {
      if (c.contains("weights")) {
        wanted.Add(c.at("hosts")[i], c.at("weights")[i], i);
        continue;
      }
      // "2*(1/3)/3": weight 2 in a locality of weight 1 of 3.
      const std::string text = c.at("normalized")[i];
      Node& node = wanted.Add(c.at("hosts")[i], text[0] - '0', i);
      SetLocality(node, std::string(1, text[3]), text[3] - '0');
    }
    EXPECT_EQ(json(CountsOf(wanted, c.at("n"))), c.at("counts"))
        << c.at("name");
  }
}

// Envoy's own test of a ring that one host of a heavy locality nearly fills.
TEST(CompatSchemeTest, EnvoyLopsidedLocalities) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  CaseMembers wanted("envoy-ring-hash", {{"minimum_ring_size", "1024"},
                                         {"maximum_ring_size", "1024"}});
  for (size_t i = 0; i < 1024; ++i) {
    Node& node = wanted.Add("127.0.0.1:" + std::to_string(i), 1, i);
    SetLocality(node, i == 0 ? "heavy" : "light", i == 0 ? 127 : 1);
  }
  const auto built = BuildRing(wanted.members);
  ASSERT_TRUE(built.ok()) << built.status().message();
  const Ring& ring = built.value();
  EXPECT_EQ(ring.point_count(), 1024u);
  EXPECT_EQ(ring.node(ring.Find("127.0.0.1:0")).points, 1016u);
  const uint64_t hashes[] = {11664790346325243808u, 15894554872961148518u,
                             13958138884277627155u, 15803774069438192949u,
                             3829253010855396576u,  17918147347826565154u,
                             6442769608292299103u,  5881074926069334434u};
  const size_t owners[] = {1, 128, 256, 384, 512, 640, 768, 896};
  for (size_t i = 0; i < 8; ++i) {
    const NodeIndex owner = ring.Owner(hashes[i]);
    EXPECT_EQ(wanted.index.find(ring.node(owner).id)->second, owners[i]);
  }
  wanted.members.nodes[5].params["locality_weight"] = "2";
  EXPECT_EQ(BuildRing(wanted.members).status().message(),
            "golden: node '127.0.0.1:5': parameter 'locality_weight': the same "
            "as of other nodes of its locality is wanted");
}

TEST(CompatSchemeTest, Groupcache) {
  const MembersOfCase members_of = [](const json& c) {
    return std::optional(
        NodesOf(c, "groupcache",
                {{"replicas", TextOf(c.at("params").at("replicas"))}}));
  };
  ExpectOwners("groupcache", members_of, 6);
  ExpectOwners("groupcache_ties", members_of, 10);
}

TEST(CompatSchemeTest, RefusesWhatASchemeDoesNotRead) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const auto refusal = [](const CaseMembers& wanted, Code code) {
    const auto ring = BuildRing(wanted.members);
    EXPECT_EQ(ring.status().code(), code);
    return std::string(ring.status().message());
  };
  CaseMembers wanted("nginx-consistant", {});
  EXPECT_EQ(refusal(wanted, Code::kInvalidOptions),
            "golden: scheme 'nginx-consistant' was not registered by any "
            "library");
  wanted.members.options.scheme = "nginx-consistent";
  wanted.Add("10.0.0.1:80", 1.5, 0);
  EXPECT_EQ(refusal(wanted, Code::kBadWeight),
            "golden: node '10.0.0.1:80': weight 1.5; a whole number up to "
            "1000000");
  wanted.members.nodes[0].weight = Weight();
  wanted.members.options.seed = 3;
  EXPECT_EQ(refusal(wanted, Code::kInvalidOptions),
            "golden: seed 3; scheme nginx-consistent does not take it");
  wanted.members.options.seed = 0;
  wanted.members.options.params = {{"hash", "md5"}};
  EXPECT_EQ(refusal(wanted, Code::kInvalidOptions),
            "golden: unknown parameter 'hash'; scheme nginx-consistent has "
            "none");
  wanted.members.options.scheme = "libmemcached-ketama";
  wanted.members.options.params = {{"hash", "sha1"}};
  EXPECT_EQ(refusal(wanted, Code::kInvalidOptions),
            "golden: parameter 'hash': 'sha1'; a hash of libmemcached is "
            "wanted");
  wanted.members.options.params = {};
  wanted.members.nodes[0].params = {{"port", "70000"}};
  EXPECT_EQ(refusal(wanted, Code::kBadNode),
            "golden: node '10.0.0.1:80': a port is 0 to 65535");
  wanted.members.nodes[0].params = {};
  wanted.members.options.max_points = 99;
  EXPECT_EQ(refusal(wanted, Code::kTooManyPoints),
            "golden: needs 100 points or more; at most 99 (max_points)");
}

TEST(CompatSchemeTest, AreNamedByMembersFiles) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const auto members = ParseMembers(R"({"schema": 1,
      "nodes": [{"id": "a", "params": {"port": 11212, "host": "h"}},
                {"id": "b:11211"}],
      "ring": {"params": {"hash": "md5"}, "scheme": "libmemcached-ketama"}})");
  ASSERT_TRUE(members.ok()) << members.status().message();
  EXPECT_EQ(members.value().options.params, (Params{{"hash", "md5"}}));
  EXPECT_EQ(members.value().nodes[0].params,
            (Params{{"host", "h"}, {"port", "11212"}}));
  const auto ring = BuildRing(members.value());
  ASSERT_TRUE(ring.ok()) << ring.status().message();
  EXPECT_EQ(ring.value().point_count(), 200u);
  EXPECT_EQ(KeyHashName(ring.value().key_hash()), "md5-32");
}

TEST(CompatSchemeTest, TellWhereAFileNamesWhatTheyDoNotRead) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const auto refusal = [](const char* text) {
    return std::string(ParseMembers(text).status().message());
  };
  EXPECT_EQ(refusal(R"({"schema": 1, "ring": {"params": {"hush": "md5"},
                        "scheme": "libmemcached-ketama"}})"),
            "members:1:35: ring.params.hush: unknown parameter 'hush'; scheme "
            "libmemcached-ketama reads 'hash'");
  EXPECT_EQ(refusal(R"({"schema": 1, "nodes": [{"id": "a",
                        "params": {"port": null}}]})"),
            "members:2:44: nodes[0].params.port: null; a text is wanted");
  EXPECT_EQ(refusal(R"({"schema": 1, "ring": {"params": {"a": 1, "a": 2}}})"),
            "members:1:43: ring.params.a: duplicate field");
  EXPECT_NE(refusal(R"({"schema": 1, "ring": {"scheme": "nginx"}})")
                .find("unknown scheme 'nginx'; known: anchor, "),
            std::string::npos);
}

TEST(CompatSchemeTest, ListsSchemesById) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  std::string_view last;
  for (const Scheme* scheme : Schemes()) {
    EXPECT_LT(last, scheme->id);
    last = scheme->id;
    EXPECT_EQ(FindScheme(scheme->id), scheme);
    EXPECT_FALSE(scheme->about.empty());
    EXPECT_TRUE(
        std::is_sorted(scheme->ring_params.begin(), scheme->ring_params.end()));
    EXPECT_TRUE(
        std::is_sorted(scheme->node_params.begin(), scheme->node_params.end()));
  }
  EXPECT_EQ(Schemes().size(), 39u);
  EXPECT_EQ(FindScheme("nginx"), nullptr);
  const Scheme other = *FindScheme("groupcache");
  EXPECT_EQ(RegisterScheme(other).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace clockwise
