// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The rings of the articles, whose nodes come and go by operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "clockwise/compat_hash.h"
#include "scheme_cases.h"

namespace clockwise {
namespace {

// The nodes that operations leave behind, in the order of their additions.
struct Added {
  std::string id;
  double weight;
};
std::vector<Added> After(const json& ops) {
  std::vector<Added> nodes;
  for (const json& op : ops) {
    const std::string id = op[1];
    const auto there = std::find_if(nodes.begin(), nodes.end(),
                                    [&](const Added& a) { return a.id == id; });
    if (op[0] == "remove") {
      if (there != nodes.end()) nodes.erase(there);
    } else if (there == nodes.end()) {
      const bool has_weight = op.size() > 2 && op[2].is_number();
      nodes.push_back({id, has_weight ? op[2].get<double>() : 1.0});
    }
  }
  return nodes;
}

// Members of an article's case, whose nodes come from operations. None where a
// hash that was cut short forces ties.
MembersOfCase ArticleCase(std::string_view scheme, const char* count,
                          const char* ops = "ops") {
  return [=](const json& c) -> std::optional<CaseMembers> {
    const json& params = c.at("params");
    if (params.contains("hash")) return std::nullopt;
    CaseMembers wanted(scheme, {{count, TextOf(params.at(count))}});
    std::map<std::string, size_t> place;
    for (size_t i = 0; i < c.at("nodes").size(); ++i) {
      place[TextOf(c.at("nodes")[i].at("id"))] = i;
    }
    for (const Added& added : After(params.at(ops))) {
      Node& node = wanted.Add(added.id, 1, place.at(added.id));
      if (scheme == "article-node-fmix") {
        node.params["weight"] = json(added.weight).dump();
      } else {
        node.weight = Weight::Whole(static_cast<uint32_t>(added.weight));
      }
    }
    return wanted;
  };
}

TEST(CompatArticleTest, PythonNodeAndCpp) {
  const auto python = ArticleCase("article-python-md5", "vnodes");
  ExpectOwners("seed_python_md5_ring", python, 7);
  const auto node = ArticleCase("article-node-fmix", "replicas");
  ExpectOwners("seed_node_fmix_fnv_ring", node, 10);
  ExpectOwners("seed_node_ties", node, 10);
  const auto cpp = ArticleCase("article-cpp-fnv1a", "virtual_nodes");
  ExpectOwners("seed_cpp_fnv1a_map_ring", cpp, 6);
  ExpectOwners(
      "seed_cpp_ties",
      [&](const json& c) -> std::optional<CaseMembers> {
        // To remove the loser of a tie takes the winner's point: such a ring
        // depends on its past.
        for (const json& op : c.at("params").at("ops")) {
          if (op[0] == "remove") return std::nullopt;
        }
        return cpp(c);
      },
      4);
}

// The ranges that an article's rings say move are those between our two rings.
TEST(CompatArticleTest, RangesThatMoveInPython) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const Vectors vectors("seed_python_migration_ranges");
  const auto ring_after = [](const json& params, bool with_change) {
    Members members;
    members.options.scheme = "article-python-md5";
    members.options.params["vnodes"] = TextOf(params.at("vnodes"));
    json ops = params.at("before");
    if (with_change) {
      for (const json& op : params.at("change")) ops.push_back(op);
    }
    for (const Added& added : After(ops)) {
      members.nodes.emplace_back().id = added.id;
    }
    return std::move(BuildRing(members)).value();
  };
  for (const json& c : vectors["cases"]) {
    const Ring before = ring_after(c.at("params"), false);
    const Ring after = ring_after(c.at("params"), true);
    uint64_t listed = 0;
    for (const json& range : c.at("ranges")) {
      const auto low = std::stoull(range[0].get<std::string>());
      const auto high = std::stoull(range[1].get<std::string>());
      listed += high - low;
      for (const uint64_t hash : {low + 1, low + (high - low + 1) / 2, high}) {
        EXPECT_EQ(before.node(before.Owner(hash)).id, range[2]);
        EXPECT_EQ(after.node(after.Owner(hash)).id, range[3]);
      }
    }
    // Nothing else moves: arcs between all points, by the point they end at.
    uint64_t moved = 0;
    std::vector<uint64_t> points;
    for (const Ring* ring : {&before, &after}) {
      for (size_t i = 0; i < ring->point_count(); ++i) {
        points.push_back(ring->PositionAt(i));
      }
    }
    std::sort(points.begin(), points.end());
    uint64_t last = points.back();
    for (const uint64_t point : points) {
      if (before.node(before.Owner(point)).id !=
          after.node(after.Owner(point)).id) {
        moved += point - last;
      }
      last = point;
    }
    EXPECT_EQ(listed, moved) << c.at("name");
  }
}

// Cases whose hash was cut to a byte, so that most points lie on others: the
// rule for ties of `article-python-md5`, on points of our own.
TEST(CompatArticleTest, TiesInPython) {
  const auto position = [](std::string_view text) {
    return PeerHashOf(PeerHash::kMd5High64, text) >> 56 << 56;
  };
  const Vectors vectors("seed_python_md5_ring");
  for (const char* name : {"ties_8bit_hash", "ties_8bit_hash_readd"}) {
    const json& c = vectors.Case(name);
    RingOptions options;
    options.scheme = "cut";
    options.ties = Ties::kLastAdded;
    auto builder = RingBuilder::Create(options);
    ASSERT_TRUE(builder.ok());
    std::map<std::string, size_t, std::less<>> place;
    for (size_t i = 0; i < c.at("nodes").size(); ++i) {
      place[TextOf(c.at("nodes")[i].at("id"))] = i;
    }
    for (const Added& added : After(c.at("params").at("ops"))) {
      std::vector<uint64_t> positions;
      for (int i = 0; i < c.at("params").at("vnodes").get<int>(); ++i) {
        positions.push_back(position(added.id + "#" + std::to_string(i)));
      }
      Node node;
      node.id = added.id;
      ASSERT_TRUE(builder.value().Add(node, positions).ok());
    }
    const auto ring = builder.value().Build();
    ASSERT_TRUE(ring.ok());
    for (size_t k = 0; k < vectors.keys().size(); ++k) {
      const NodeIndex owner = ring.value().Owner(position(vectors.keys()[k]));
      ASSERT_EQ(place.find(ring.value().node(owner).id)->second,
                c.at("owner")[k].get<size_t>())
          << name << ", key " << k;
    }
  }
}

TEST(CompatArticleTest, Go) {
  const MembersOfCase members_of = [](const json& c) {
    CaseMembers wanted("article-go-crc32",
                       {{"replicas", TextOf(c.at("params").at("replicas"))}});
    std::map<std::string, size_t> place;
    for (size_t i = 0; i < c.at("nodes").size(); ++i) {
      place[TextOf(c.at("nodes")[i].at("id"))] = i;
    }
    for (const json& id : c.at("params").at("adds")) {
      if (wanted.index.contains(id.get<std::string>())) continue;
      wanted.Add(id, 1, place.at(id));
    }
    return std::optional(wanted);
  };
  ExpectOwners("seed_go_crc32_ring", members_of, 5);
  ExpectOwners("seed_go_ties", members_of, 2);
}

}  // namespace
}  // namespace clockwise
