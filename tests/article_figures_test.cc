// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Figures that articles on consistent hashing print, of their own rings and of
// modulo: those of which the inputs are known. The README lists them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "clockwise/compat_hash.h"
#include "scheme_cases.h"

namespace clockwise {
namespace {

using Counts = std::map<std::string, uint64_t, std::less<>>;

Ring RingOf(const std::string& scheme, const std::string& param, int count,
            const std::vector<std::string>& ids) {
  EXPECT_TRUE(RegisterPeerSchemes().ok());
  Members members;
  members.options.scheme = scheme;
  members.options.params[param] = std::to_string(count);
  for (const std::string& id : ids) members.nodes.emplace_back().id = id;
  auto ring = BuildRing(members);
  EXPECT_TRUE(ring.ok()) << ring.status().message();
  return std::move(ring).value();
}

Ring NodeRing(int replicas, int nodes) {
  std::vector<std::string> ids;
  for (int i = 1; i <= nodes; ++i) ids.push_back("cache-0" + std::to_string(i));
  return RingOf("article-node-fmix", "replicas", replicas, ids);
}

Ring PythonRing(int vnodes, std::vector<std::string> ids) {
  return RingOf("article-python-md5", "vnodes", vnodes, ids);
}

std::vector<std::string> Numbered(int first, int last) {
  std::vector<std::string> ids;
  for (int i = first; i <= last; ++i) ids.push_back("node" + std::to_string(i));
  return ids;
}

std::vector<std::string> Keys(const std::string& before, int count,
                              const std::string& after = "") {
  std::vector<std::string> keys;
  for (int i = 0; i < count; ++i) {
    keys.push_back(before + std::to_string(i) + after);
  }
  return keys;
}

const std::vector<std::string>& MillionKeys() {
  static const auto* keys =
      new std::vector<std::string>(Keys("session:", 1000000, ":profile"));
  return *keys;
}

std::vector<NodeIndex> OwnersOf(const Ring& ring,
                                const std::vector<std::string>& keys) {
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  std::vector<NodeIndex> owners(keys.size());
  ring.Owners(views.data(), views.size(), owners.data());
  return owners;
}

Counts CountOf(const Ring& ring, const std::vector<std::string>& keys) {
  Counts counts;
  for (const NodeIndex owner : OwnersOf(ring, keys)) {
    ++counts[std::string(ring.node(owner).id)];
  }
  return counts;
}

// Keys that change hands, by who had them and who gets them.
std::map<std::pair<std::string, std::string>, uint64_t> MovesOf(
    const Ring& before, const Ring& after,
    const std::vector<std::string>& keys) {
  const auto had = OwnersOf(before, keys);
  const auto has = OwnersOf(after, keys);
  std::map<std::pair<std::string, std::string>, uint64_t> moves;
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string_view from = before.node(had[i]).id;
    const std::string_view to = after.node(has[i]).id;
    if (from != to) ++moves[{std::string(from), std::string(to)}];
  }
  return moves;
}

uint64_t MovedOf(const Ring& before, const Ring& after,
                 const std::vector<std::string>& keys) {
  uint64_t moved = 0;
  for (const auto& [ends, count] : MovesOf(before, after, keys)) moved += count;
  return moved;
}

// As articles print it: percent, with so many decimals.
double Percent(uint64_t part, uint64_t whole, int decimals) {
  const double unit = std::pow(10, decimals);
  const double percent =
      100 * static_cast<double>(part) / static_cast<double>(whole);
  return std::round(percent * unit) / unit;
}

json FiguresOf(const char* vectors) {
  return Vectors(vectors)["params"].at("figures");
}

TEST(ArticleFiguresTest, NodeDemoOfFourNodes) {
  const json demo =
      FiguresOf("seed_node_fmix_fnv_ring").at("demo_10000_user_keys");
  const Counts counts = CountOf(NodeRing(160, 4), Keys("user:", 10000));
  ASSERT_EQ(demo.at("counts"), json({2213, 2462, 2923, 2402}));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(counts.at(demo.at("nodes")[i].get<std::string>()),
              demo.at("counts")[i].get<uint64_t>());
  }
}

TEST(ArticleFiguresTest, NodeMovesWhenANodeComesOrGoes) {
  const json figures = FiguresOf("seed_node_fmix_fnv_ring").at("million_keys");
  const Ring eight = NodeRing(160, 8);
  EXPECT_EQ(
      Percent(MovedOf(eight, NodeRing(160, 9), MillionKeys()), 1000000, 2),
      figures.at("moved_8_to_9_percent"));
  EXPECT_EQ(
      Percent(MovedOf(eight, NodeRing(160, 7), MillionKeys()), 1000000, 2),
      figures.at("moved_removing_cache-08_percent"));
}

TEST(ArticleFiguresTest, NodeOnePointEachPeaksAtFourTimesItsShare) {
  const json figures = FiguresOf("seed_node_fmix_fnv_ring").at("million_keys");
  const Counts counts = CountOf(NodeRing(1, 8), MillionKeys());
  ASSERT_EQ(counts.size(), 8u);
  const auto [low, peak] =
      std::ranges::minmax_element(counts, {}, &Counts::value_type::second);
  EXPECT_EQ(Percent(peak->second, 125000, 0),
            figures.at("one_point_each_max_percent_of_fair_share"));
  EXPECT_EQ(Percent(low->second, 125000, 1), figures.at("one_point_each_min"));
}

TEST(ArticleFiguresTest, ModuloMovesNearlyAll) {
  uint64_t of_nine = 0, of_ten = 0;
  for (const std::string& key : MillionKeys()) {
    const uint64_t hash = PeerHashOf(PeerHash::kFnv1a32, key) >> 32;
    if (hash % 8 != hash % 9) ++of_nine;
    if (hash % 8 != hash % 10) ++of_ten;
  }
  EXPECT_EQ(Percent(of_nine, 1000000, 2), 88.93);
  EXPECT_EQ(Percent(of_ten, 1000000, 0), 80);
}

TEST(ArticleFiguresTest, PythonSharesByVnodes) {
  const json figures = FiguresOf("seed_python_md5_ring");
  const auto keys = Keys("user:", 100000);
  for (const auto& [vnodes, field] :
       {std::pair(160, "share_percent_before"),
        std::pair(10, "share_percent_vnodes_10")}) {
    const Counts counts = CountOf(PythonRing(vnodes, Numbered(0, 7)), keys);
    for (const auto& [id, share] : figures.at(field).items()) {
      EXPECT_NEAR(static_cast<double>(counts.at(id)) / 1000,
                  share.get<double>(), 0.0051)
          << vnodes << " vnodes, " << id;
    }
  }
}

TEST(ArticleFiguresTest, PythonMovesToTheNewNodeAlone) {
  const json figures = FiguresOf("seed_python_md5_ring");
  const auto moves =
      MovesOf(PythonRing(160, Numbered(0, 7)), PythonRing(160, Numbered(0, 8)),
              Keys("user:", 100000));
  uint64_t moved = 0;
  for (const auto& [ends, count] : moves) {
    EXPECT_EQ(ends.second, "node8");
    moved += count;
  }
  EXPECT_EQ(moved, figures.at("moved_adding_node8"));
}

TEST(ArticleFiguresTest, PythonHeirsOfARemovedNode) {
  const json figures = FiguresOf("seed_python_md5_ring");
  std::vector<std::string> left = Numbered(0, 7);
  std::erase(left, "node3");
  const auto moves = MovesOf(PythonRing(160, Numbered(0, 7)),
                             PythonRing(160, left), Keys("user:", 100000));
  json heirs;
  uint64_t moved = 0;
  for (const auto& [ends, count] : moves) {
    EXPECT_EQ(ends.first, "node3");
    heirs[ends.second] = count;
    moved += count;
  }
  EXPECT_EQ(heirs, figures.at("heirs_of_node3"));
  EXPECT_EQ(moved, figures.at("moved_removing_node3"));
}

}  // namespace
}  // namespace clockwise
