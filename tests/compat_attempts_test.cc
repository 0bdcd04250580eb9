// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Whom peers ask next, whom they ask when a node is full, and what they hash of
// a request: against what they did.
#include "clockwise/compat_attempts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "clockwise/compat_keys.h"
#include "scheme_cases.h"

namespace clockwise {
namespace {

struct Built {
  explicit Built(CaseMembers of)
      : wanted(std::move(of)), placement(Build(wanted.members)) {}
  static AnyPlacement Build(const Members& members) {
    EXPECT_TRUE(RegisterPeerSchemes().ok());
    auto built = BuildPlacement(members);
    EXPECT_TRUE(built.ok()) << built.status().message();
    return std::move(built).value();
  }
  // The node's place in the case.
  [[nodiscard]] size_t IndexOf(NodeIndex node) const {
    return wanted.index.find(placement.node(node).id)->second;
  }
  [[nodiscard]] NodeIndex Find(size_t index) const {
    return placement.Find(wanted.members.nodes[index].id);
  }
  [[nodiscard]] std::vector<size_t> Attempts(
      std::string_view key, size_t count,
      const std::vector<NodeIndex>& down = {}) const {
    std::vector<NodeIndex> nodes(count);
    nodes.resize(
        clockwise::Attempts(placement, key, count, nodes.data(), down));
    std::vector<size_t> indexes;
    for (NodeIndex node : nodes) indexes.push_back(IndexOf(node));
    return indexes;
  }

  CaseMembers wanted;
  AnyPlacement placement;
};

// Cuts a list of attempts at the first server that answers.
std::vector<size_t> UntilAnswered(std::vector<size_t> tried,
                                  const std::vector<size_t>& refused) {
  const auto answers = [&](size_t i) {
    return std::find(refused.begin(), refused.end(), i) == refused.end();
  };
  const auto first = std::find_if(tried.begin(), tried.end(), answers);
  if (first != tried.end()) tried.erase(first + 1, tried.end());
  return tried;
}

void ExpectNginxAttempts(const std::string& file, const std::string& scheme) {
  const Vectors vectors(file);
  size_t cases = 0;
  for (const json& c : vectors["cases"]) {
    const bool is_consistent = c.at("params").at("method") != "hash";
    if (is_consistent != (scheme == "nginx-consistent")) continue;
    const Built built(NodesOf(c, scheme, {}));
    std::vector<NodeIndex> down;
    for (size_t i = 0; i < c.at("nodes").size(); ++i) {
      if (c.at("nodes")[i].value("down", false)) down.push_back(built.Find(i));
    }
    const auto refused = c.at("params").value("refused", std::vector<size_t>());
    if (c.at("name") == "consistent_concat") continue;  // of other keys
    for (size_t k = 0; k < vectors.keys().size(); ++k) {
      const auto tried = UntilAnswered(
          built.Attempts(vectors.keys()[k], c.at("nodes").size(), down),
          refused);
      ASSERT_FALSE(tried.empty());
      ASSERT_EQ(tried.back(), c.at("owner")[k].get<size_t>()) << c.at("name");
      if (c.contains("tried")) {
        ASSERT_EQ(json(tried), c.at("tried")[k]) << c.at("name");
      }
    }
    ++cases;
  }
  EXPECT_GE(cases, 5u);
}

TEST(CompatAttemptsTest, Nginx) {
  ExpectNginxAttempts("nginx_hash_consistent", "nginx-consistent");
  ExpectNginxAttempts("nginx_hash_plain", "nginx-hash");
}

// nginx goes round robin after 20 steps.
TEST(CompatAttemptsTest, NginxGivesUp) {
  for (const char* scheme : {"nginx-consistent", "nginx-hash"}) {
    CaseMembers wanted(scheme, {});
    wanted.Add("10.0.0.1:80", 1000, 0);
    wanted.Add("10.0.0.2:80", 1, 1);
    const Built built(wanted);
    EXPECT_EQ(built.Attempts("a key", 2), std::vector<size_t>{0}) << scheme;
    EXPECT_TRUE(
        built.Attempts("a key", 2, {built.Find(0), built.Find(1)}).empty());
  }
}

TEST(CompatAttemptsTest, Envoy) {
  const Vectors vectors("envoy_known_answers");
  size_t attempts = 0;
  const auto check = [&](const json& c, const char* field,
                         const std::string& scheme, Params params) {
    if (!c.contains(field)) return;
    CaseMembers wanted(scheme, std::move(params));
    for (size_t i = 0; i < c.at("hosts").size(); ++i) {
      wanted.Add(c.at("hosts")[i], c.at("weights")[i], i);
    }
    const Built built(wanted);
    for (const json& row : c.at(field)) {
      EXPECT_EQ(built.IndexOf(EnvoyAttempt(built.placement, row[0], row[1])),
                row[2].get<size_t>());
      ++attempts;
    }
  };
  for (const json& c : vectors["known_answers"]["ring"]) {
    check(c, "lookup_attempts", "envoy-ring-hash",
          {{"minimum_ring_size", TextOf(c.at("min"))}});
  }
  for (const json& c : vectors["known_answers"]["maglev"]) {
    check(c, "retry", "envoy-maglev", {{"table_size", TextOf(c.at("size"))}});
  }
  EXPECT_EQ(attempts, 5u);
}

TEST(CompatAttemptsTest, Spymemcached) {
  const Vectors vectors("spymemcached");
  size_t cases = 0;
  for (const json& c : vectors["cases"]) {
    if (!c.contains("sequence")) continue;
    ++cases;
    const Built built(
        NodesOf(c, "spymemcached-ketama",
                {{"hash", c.at("params").at("hash").get<std::string>()}}));
    for (size_t k = 0; k < vectors.keys().size(); ++k) {
      ASSERT_EQ(json(built.Attempts(vectors.keys()[k], 7)),
                c.at("sequence")[k]);
    }
    EXPECT_TRUE(built.Attempts("k", 2, {0, 1, 2, 3, 4, 5, 6, 7}).empty());
  }
  EXPECT_GE(cases, 1u);
}

TEST(CompatAttemptsTest, OthersHaveReplicasOrTheOwner) {
  CaseMembers wanted("mcrouter-rendezvous", {});
  for (size_t i = 0; i < 4; ++i) wanted.Add("n" + std::to_string(i), 1, i);
  const Built built(wanted);
  const auto all = built.Attempts("key", 9);
  EXPECT_EQ(all.size(), 4u);
  EXPECT_EQ(built.Attempts("key", 2, {built.Find(all[0])}),
            (std::vector<size_t>{all[1], all[2]}));
  wanted.members.options.scheme = "jump";
  const Built jump(wanted);
  EXPECT_EQ(jump.Attempts("key", 9).size(), 1u);
}

TEST(CompatBoundedLoadTest, Haproxy) {
  const Vectors vectors("haproxy_hash_balance_factor");
  for (const json& c : vectors["cases"]) {
    const json& params = c.at("params");
    const CaseMembers wanted = NodesOf(
        c, "haproxy-consistent",
        {{"hash_type", params.at("hash_type").get<std::string>()}}, {"puid"});
    ASSERT_TRUE(RegisterPeerSchemes().ok());
    const auto built = HaproxyBoundedLoad::Build(
        wanted.members, params.at("hash_balance_factor"));
    ASSERT_TRUE(built.ok()) << built.status().message();
    std::vector<uint32_t> loads(c.at("nodes").size());
    std::vector<NodeIndex> chosen;
    uint64_t total = 0;
    for (const json& op : c.at("ops")) {
      if (op[0] == "release") {
        --loads[chosen[op[1].get<size_t>()]];
        --total;
        continue;
      }
      const NodeIndex node =
          built.value().Pick(op[1].get<std::string>(), {loads, total});
      const auto id = built.value().placement().node(node).id;
      ASSERT_EQ(wanted.index.find(id)->second, op[2].get<size_t>())
          << c.at("name") << ", request " << chosen.size();
      chosen.push_back(node);
      ++loads[node];
      ++total;
    }
    EXPECT_GE(chosen.size(), 100u);
  }
}

TEST(CompatBoundedLoadTest, RefusesFactorsAndSchemes) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  CaseMembers wanted("haproxy-consistent", {});
  wanted.Add("s1", 1, 0);
  EXPECT_EQ(HaproxyBoundedLoad::Build(wanted.members, 100).status().message(),
            "balance factor 100 %; 101 to 65536");
  EXPECT_EQ(EnvoyBoundedLoad::Build(wanted.members, 125).status().message(),
            "scheme 'haproxy-consistent' has no bounded load; envoy-ring-hash "
            "or envoy-maglev has");
  wanted.members.options.scheme = "envoy-maglev";
  EXPECT_EQ(EnvoyBoundedLoad::Build(wanted.members, 99).status().message(),
            "balance factor 99 %; 100 or more");
  const auto alone = EnvoyBoundedLoad::Build(wanted.members, 100);
  ASSERT_TRUE(alone.ok());
  const std::vector<uint32_t> loads = {9};
  EXPECT_EQ(alone.value().Pick("k", {loads, 9}), 0u);
}

// An overloaded host's requests go to one that is not, always the same for one
// key and not the same for all keys; and where all are over, to the least
// loaded.
TEST(CompatBoundedLoadTest, Envoy) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  CaseMembers wanted("envoy-ring-hash", {});
  for (size_t i = 0; i < 5; ++i) {
    wanted.Add("10.0.0." + std::to_string(i) + ":80", 1, i);
  }
  const auto built = EnvoyBoundedLoad::Build(wanted.members, 120);
  ASSERT_TRUE(built.ok());
  const EnvoyBoundedLoad& bounded = built.value();
  std::vector<uint32_t> loads(5, 2);
  std::vector<size_t> spilled(5);
  for (int i = 0; i < 500; ++i) {
    const std::string key = "key-" + std::to_string(i);
    const NodeIndex owner = bounded.placement().Owner(key);
    EXPECT_EQ(bounded.Pick(key, {loads, 10}), owner);
    loads[owner] = 4;  // of ceil(1.2 * 11 / 5) = 3
    const NodeIndex other = bounded.Pick(key, {loads, 10});
    EXPECT_NE(other, owner);
    EXPECT_EQ(other, bounded.Pick(key, {loads, 10}));
    ++spilled[other];
    loads[owner] = 2;
  }
  for (size_t count : spilled) EXPECT_NEAR(static_cast<double>(count), 100, 50);
  const std::vector<uint32_t> full = {9, 8, 7, 8, 9};
  EXPECT_EQ(bounded.Pick("key", {full, 10}), 2u);
}

TEST(CompatKeysTest, Haproxy) {
  const MembersOfCase members_of = [](const json& c) {
    const std::string type = c.at("params").at("hash_type");
    return std::optional(NodesOf(
        c, type.starts_with("map") ? "haproxy-map" : "haproxy-consistent",
        {{"hash_type", type}},
        type.starts_with("map") ? std::vector<std::string>()
                                : std::vector<std::string>{"puid"}));
  };
  ExpectOwners(
      "haproxy_uri", members_of, 7, [](const json& c, const std::string& key) {
        const std::string balance = c.at("params").at("balance");
        const auto number_after = [&](const std::string& word) -> uint32_t {
          const size_t at = balance.find(word);
          return at == std::string::npos
                     ? 0
                     : static_cast<uint32_t>(
                           std::stoul(balance.substr(at + word.size())));
        };
        return std::string(HaproxyUriKey(
            key,
            {.is_whole = balance.find("whole") != std::string::npos,
             .is_path_only = balance.find("path-only") != std::string::npos,
             .length = number_after("len "),
             .depth = number_after("depth ")}));
      });
  ExpectOwners("haproxy_hdr_domain", members_of, 1,
               [](const json&, const std::string& key) {
                 return std::string(HaproxyDomain(key));
               });
  ExpectOwners("haproxy_url_param", members_of, 1,
               [](const json&, const std::string& key) {
                 const std::string target = "/a?idx=1&id=" + key + "&z=id=2";
                 return std::string(HaproxyUrlParam(target, "id"));
               });
}

TEST(CompatKeysTest, HaproxyParts) {
  EXPECT_EQ(HaproxyUriKey("http://h/a/b?c", {.is_path_only = true}), "/a/b");
  EXPECT_EQ(HaproxyUriKey("http://h"), "http://h");
  EXPECT_EQ(HaproxyUriKey("http://h", {.is_path_only = true}), "");
  EXPECT_EQ(HaproxyUriKey("http://h/a/b", {.depth = 2}), "http://h");
  EXPECT_EQ(HaproxyUrlParam("/a?id", "id"), "");
  EXPECT_EQ(HaproxyUrlParam("/a?id=", "id"), "");
  EXPECT_EQ(HaproxyUrlParam("/a?x=1&id=%41", "id"), "%41");
  EXPECT_EQ(HaproxyHeader("  a b , c"), "a b");
  EXPECT_EQ(HaproxyHeader(" , c"), "");
  EXPECT_EQ(HaproxyDomain("www.example.com"), "example");
  EXPECT_EQ(HaproxyDomain("localhost"), "localhost");
  const auto number = HaproxyNumber(0x0102030405060708);
  EXPECT_EQ(std::string_view(number.data(), number.size()),
            "\1\2\3\4\5\6\7\10");
}

TEST(CompatKeysTest, Libmemcached) {
  const Vectors vectors("libmemcached_misc");
  const json& c = vectors.Case("namespace_hashed");
  const Built built(NodesOf(c, "libmemcached-ketama-weighted",
                            {{"hash", "md5"}}, {"host", "port"}));
  size_t too_long = 0;
  for (size_t k = 0; k < vectors.keys().size(); ++k) {
    const std::string key = LibmemcachedKey(
        c.at("params").at("namespace").get<std::string>(), vectors.keys()[k]);
    const bool is_hashed = key.size() <= kLibmemcachedMaxKey;
    too_long += is_hashed ? 0 : 1;
    const NodeIndex owner =
        is_hashed ? built.placement.Owner(key) : built.placement.Owner(0);
    ASSERT_EQ(built.IndexOf(owner), c.at("owner")[k].get<size_t>()) << k;
  }
  EXPECT_GT(too_long, 0u);
  EXPECT_EQ(LibmemcachedKey("ns:", std::string("a\0b", 3)),
            std::string("ns:a\0\0", 6));
}

}  // namespace
}  // namespace clockwise
