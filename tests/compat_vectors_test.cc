// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Hashes against what the peers themselves answered: hashes where a file of
// tests/golden has them, else owners that follow from the hash by a rule of one
// line.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "clockwise/compat_hash.h"
#include "compat/hash/haproxy.h"
#include "compat/hash/mcrouter.h"
#include "compat/hash/md5_digest.h"
#include "compat/hash/murmur.h"
#include "vectors.h"

namespace clockwise {
namespace {

using nlohmann::json;

// The hash itself.
uint64_t Value(PeerHash hash, std::string_view key) {
  return PeerHashOf(hash, key) >> (64 - PeerHashBits(hash));
}

// A number of 64 bits, or a decimal string of one.
uint64_t Number(const json& number) {
  return number.is_string() ? std::stoull(number.get<std::string>())
                            : number.get<uint64_t>();
}

void ExpectHashes(const Vectors& file, PeerHash hash, const json& expected) {
  ASSERT_EQ(expected.size(), file.keys().size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(Value(hash, file.keys()[i]), Number(expected[i]))
        << PeerHashName(hash) << " of key " << i;
  }
}

// Owners by owner_of(hash).
template <class OwnerOf>
void ExpectOwners(const Vectors& file, PeerHash hash, const json& expected,
                  OwnerOf owner_of) {
  ASSERT_EQ(expected.size(), file.keys().size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const uint64_t value = Value(hash, file.keys()[i]);
    ASSERT_EQ(owner_of(value), expected[i].get<size_t>())
        << PeerHashName(hash) << " of key " << i;
  }
}

TEST(CompatVectorsTest, Libmemcached) {
  const Vectors file("libmemcached_hashes");
  for (const auto& [name, hashes] : file["hashes"].items()) {
    const auto hash = ParsePeerHash("libmemcached", name);
    ASSERT_TRUE(hash.has_value()) << name;
    ExpectHashes(file, *hash, hashes);
  }
}

TEST(CompatVectorsTest, Mcrouter) {
  const Vectors file("mcrouter_hashes");
  const json& hashes = file["hashes"];
  ExpectHashes(file, PeerHash::kMurmur2_64Mcrouter,
               hashes["murmur64a_seed_4193360111"]);
  ExpectHashes(file, PeerHash::kSpooky32,
               hashes["spooky_v2_32_seed_0xface2014"]);
}

TEST(CompatVectorsTest, Node) {
  const Vectors file("seed_node_hashes");
  ExpectHashes(file, PeerHash::kFnv1a32Utf16, file["hashes"]["fnv1a_utf16"]);
  ExpectHashes(file, PeerHash::kFnv1a32Utf16Fmix,
               file["hashes"]["fmix32_fnv1a_utf16"]);
}

TEST(CompatVectorsTest, RedisSlots) {
  const Vectors file("redis_cluster_keyslot");
  ExpectHashes(file, PeerHash::kRedisSlot, file["owner"]);
}

TEST(CompatVectorsTest, CassandraTokens) {
  const Vectors file("cassandra_murmur3_token");
  for (size_t i = 0; i < file.keys().size(); ++i) {
    const auto token = static_cast<int64_t>(
        PeerHashOf(PeerHash::kCassandraToken, file.keys()[i]));
    ASSERT_EQ(std::to_string(token), file["tokens"][i].get<std::string>()) << i;
  }
  for (const json& known : file["params"]["known_answers_hex"]) {
    const std::string key = BytesOfHex(known[0].get<std::string>());
    EXPECT_EQ(std::to_string(compat_internal::CassandraToken(key)), known[1]);
  }
}

// Every server as often as its weight, shorter names first.
std::vector<size_t> TwemproxyTable(const json& nodes) {
  std::vector<std::pair<std::string, size_t>> names;
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::string name = nodes[i].value("name", nodes[i].at("host"));
    if (!nodes[i].contains("name") && nodes[i]["port"] != 11211) {
      name += ":" + std::to_string(nodes[i]["port"].get<int>());
    }
    names.emplace_back(name, i);
  }
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.size(), a.first) <
           std::pair(b.first.size(), b.first);
  });
  std::vector<size_t> table;
  for (const auto& [name, i] : names) {
    table.insert(table.end(), nodes[i]["weight"].get<size_t>(), i);
  }
  return table;
}

TEST(CompatVectorsTest, TwemproxyModula) {
  const Vectors file("twemproxy");
  int hashes = 0;
  for (const json& c : file["cases"]) {
    const json& params = c["params"];
    if (params["distribution"] != "modula") continue;
    const auto hash =
        ParsePeerHash("twemproxy", params["hash"].get<std::string>());
    ASSERT_TRUE(hash.has_value()) << params["hash"];
    const std::vector<size_t> table = TwemproxyTable(c["nodes"]);
    for (size_t i = 0; i < file.keys().size(); ++i) {
      const std::string& key = file.keys()[i];
      const uint64_t value = key.empty() ? 0 : Value(*hash, key);
      ASSERT_EQ(table[value % table.size()], c["owner"][i].get<size_t>())
          << params["hash"] << ", key " << i;
    }
    ++hashes;
  }
  EXPECT_EQ(hashes, 12);
}

using Ring = std::map<uint64_t, size_t>;

size_t Successor(const Ring& ring, uint64_t hash) {
  const auto found = ring.lower_bound(hash);
  return found == ring.end() ? ring.begin()->second : found->second;
}

// 160 points a node, the last node written keeping an equal one.
Ring SpymemcachedRing(const json& names, PeerHash hash) {
  Ring ring;
  for (size_t n = 0; n < names.size(); ++n) {
    std::string name = names[n].get<std::string>();  // of its point 0
    name.pop_back();
    for (int i = 0; i < 160; ++i) {
      ring[Value(hash, name + std::to_string(i))] = n;
    }
  }
  return ring;
}

TEST(CompatVectorsTest, Spymemcached) {
  const Vectors file("spymemcached");
  int cases = 0;
  for (const json& c : file["cases"]) {
    const std::string name = c["params"]["hash"].get<std::string>();
    const auto hash = ParsePeerHash("spymemcached", name);
    ASSERT_TRUE(hash.has_value()) << name;
    if (c["params"]["format"] == "MOD") {
      const size_t n = c["nodes"].size();
      ExpectOwners(file, *hash, c["owner"], [=](uint64_t h) { return h % n; });
    } else if (name != "KETAMA_HASH" && !c["params"]["weighted"]) {
      const Ring ring = SpymemcachedRing(c["params"]["point_name0"], *hash);
      ExpectOwners(file, *hash, c["owner"],
                   [&](uint64_t h) { return Successor(ring, h); });
    } else {
      continue;
    }
    ++cases;
  }
  EXPECT_EQ(cases, 10);
}

// The nearest point; the one before where two are.
size_t Nearest(const Ring& ring, uint64_t hash) {
  const auto found = ring.lower_bound(hash);
  const auto next = found == ring.end() ? ring.begin() : found;
  const auto previous = std::prev(next == ring.begin() ? ring.end() : next);
  const auto behind = static_cast<uint32_t>(hash - previous->first);
  const auto ahead = static_cast<uint32_t>(next->first - hash);
  return behind <= ahead ? previous->second : next->second;
}

Ring HaproxyRing(const json& nodes) {
  Ring ring;
  for (size_t n = 0; n < nodes.size(); ++n) {
    const auto base = nodes[n]["puid"].get<uint32_t>() * 4096;
    const auto points = nodes[n]["weight"].get<uint32_t>() * 16;
    for (uint32_t j = 0; j < points; ++j) {
      ring.emplace(compat_internal::FullHash(base + j), n);
    }
  }
  return ring;
}

int CheckHaproxy(const Vectors& file) {
  int cases = 0;
  for (const json& c : file["cases"]) {
    const std::string method = c["params"]["hash_type"].get<std::string>();
    const std::string_view kPrefix = "consistent ";
    if (!method.starts_with(kPrefix) || c["nodes"][0].contains("disabled") ||
        c["params"]["balance"].get<std::string>().find(',') !=
            std::string::npos) {
      continue;
    }
    const auto hash = ParsePeerHash("haproxy", method.substr(kPrefix.size()));
    EXPECT_TRUE(hash.has_value()) << method;
    const Ring ring = HaproxyRing(c["nodes"]);
    ExpectOwners(file, *hash, c["owner"],
                 [&](uint64_t h) { return Nearest(ring, h); });
    ++cases;
  }
  return cases;
}

TEST(CompatVectorsTest, Haproxy) {
  EXPECT_EQ(CheckHaproxy(Vectors("haproxy_consistent")), 17);
  EXPECT_EQ(CheckHaproxy(Vectors("haproxy_none")), 4);
}

TEST(CompatVectorsTest, EnvoyPoints) {
  const Vectors file("envoy_known_answers");
  for (const json& ring : file["known_answers"]["ring"]) {
    const auto hash = ParsePeerHash("envoy", ring["hash"].get<std::string>());
    ASSERT_TRUE(hash.has_value());
    std::map<uint64_t, int> points;  // of many more than the ring has
    for (const json& host : ring["hosts"]) {
      for (int i = 0; i < 16; ++i) {
        const auto text = host.get<std::string>() + "_" + std::to_string(i);
        points[Value(*hash, text)] = 1;
      }
    }
    for (const json& point : ring["ring"]) {
      EXPECT_TRUE(points.contains(Number(point[0]))) << ring["name"];
    }
  }
}

TEST(CompatVectorsTest, KatranPermutations) {
  const Vectors file("katran_maglev");
  for (const json& c : file["cases"]) {
    const auto size = c["params"]["ring_size"].get<uint64_t>();
    for (size_t i = 0; i < c["nodes"].size(); ++i) {
      const uint64_t hash = Number(c["nodes"][i]["hash"]);
      const json& expected = c["permutation_offset_skip"][i];
      using compat_internal::Murmur3Pair;
      ASSERT_EQ(Murmur3Pair(hash, 42, 0) % size, Number(expected[0]));
      ASSERT_EQ(Murmur3Pair(hash, 2718281828, 2307) % (size - 1) + 1,
                Number(expected[1]));
    }
  }
}

uint64_t Furc(const std::string& key, uint64_t buckets) {
  return compat_internal::Furc(compat_internal::McrouterBits(key), buckets);
}

TEST(CompatVectorsTest, McrouterBitsAndCrc) {
  const Vectors file("mcrouter_ch3");
  for (const json& c : file["cases"]) {
    const auto buckets = c["params"]["buckets"].get<size_t>();
    if (c["params"]["function"] == "crc32_mod") {
      ExpectOwners(file, PeerHash::kCrc31, c["owner"],
                   [=](uint64_t h) { return h % buckets; });
      continue;
    }
    for (size_t i = 0; i < file.keys().size(); ++i) {
      ASSERT_EQ(Furc(file.keys()[i], buckets), c["owner"][i].get<size_t>());
    }
  }
  for (const json& known : file["params"]["known_answers"]) {
    EXPECT_EQ(Furc(known[0], known[1]), known[2].get<uint64_t>());
  }
  const Vectors answers("mcrouter_known_answers");
  for (const json& known : answers["known_answers"]["furc"]) {
    for (size_t i = 0; i < known[1].size(); ++i) {
      EXPECT_EQ(Furc(known[0], known[1][i]), known[2][i].get<uint64_t>());
    }
  }
}

// mcrouter's Rendezvous: the largest score, which is a double.
TEST(CompatVectorsTest, McrouterRendezvous) {
  const Vectors file("mcrouter_rendezvous");
  const json& c = file.Case("rendezvous_n5");
  const auto score = [](uint64_t u, uint64_t l) {
    constexpr uint64_t kFactor = 0x9DDFEA08EB382D69;
    uint64_t a = (l ^ u) * kFactor;
    a ^= a >> 47;
    uint64_t b = (u ^ a) * kFactor;
    b ^= b >> 47;
    return static_cast<double>(b * kFactor);
  };
  ExpectOwners(
      file, PeerHash::kMurmur2_64Rendezvous, c["owner"], [&](uint64_t h) {
        size_t best = 0;
        double most = -1;
        for (size_t n = 0; n < c["nodes"].size(); ++n) {
          const std::string id = c["nodes"][n]["id"];
          const double s = score(Value(PeerHash::kMurmur2_64Mcrouter, id), h);
          if (s >= most) best = n, most = s;
        }
        return best;
      });
}

TEST(CompatVectorsTest, PythonAndCppRings) {
  struct Peer {
    const char *file, *name, *vnodes;
    PeerHash hash;
  };
  for (const Peer& peer : {Peer{"seed_python_md5_ring", "eight_nodes_160",
                                "vnodes", PeerHash::kMd5High64},
                           Peer{"seed_cpp_fnv1a_map_ring", "eight_1000",
                                "virtual_nodes", PeerHash::kFnv1a32},
                           Peer{"seed_go_crc32_ring", "eight_160", "replicas",
                                PeerHash::kCrc32}}) {
    const Vectors file(peer.file);
    const json& c = file.Case(peer.name);
    Ring ring;
    for (size_t n = 0; n < c["nodes"].size(); ++n) {
      const std::string id = c["nodes"][n]["id"];
      for (int i = 0; i < c["params"][peer.vnodes].get<int>(); ++i) {
        ring.emplace(Value(peer.hash, id + "#" + std::to_string(i)), n);
      }
    }
    ExpectOwners(file, peer.hash, c["owner"],
                 [&](uint64_t h) { return Successor(ring, h); });
  }
}

TEST(CompatVectorsTest, UhashringTakes128BitsOfMd5) {
  const Vectors file("uhashring");
  const json& c = file.Case("default_md5_equal_5");
  const auto position = [](std::string_view text) {
    const auto digest = compat_internal::Md5(text);
    return std::pair(digest.High64(), digest.Low64());
  };
  std::map<std::pair<uint64_t, uint64_t>, size_t> ring;
  for (size_t n = 0; n < c["nodes"].size(); ++n) {
    const std::string id = c["nodes"][n]["id"];
    for (int i = 0; i < 160; ++i) {
      ring[position(id + "-" + std::to_string(i))] = n;
    }
  }
  for (size_t i = 0; i < file.keys().size(); ++i) {
    auto found = ring.upper_bound(position(file.keys()[i]));
    if (found == ring.end()) found = ring.begin();
    ASSERT_EQ(found->second, c["owner"][i].get<size_t>()) << i;
  }
}

}  // namespace
}  // namespace clockwise
