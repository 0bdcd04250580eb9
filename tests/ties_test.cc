// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Points of several nodes on one position, as schemes resolve them.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "ring_maker.h"

namespace clockwise {
namespace {

struct Given {
  std::string id;
  std::vector<uint64_t> positions;
};

RingOptions OptionsOf(Ties ties, uint32_t width = 64) {
  RingOptions options = WithVnodes(1);
  options.scheme = "tie-test";
  options.ties = ties;
  options.width = width;
  return options;
}

Ring RingOf(Ties ties, const std::vector<Given>& nodes, uint32_t width = 64) {
  RingBuilder builder = MakeBuilder(OptionsOf(ties, width));
  for (const Given& node : nodes) {
    EXPECT_TRUE(builder.Add(MakeNode(node.id), node.positions).ok());
  }
  return MakeRing(builder);
}

std::string Owner(const Ring& ring, uint64_t hash) {
  return std::string(ring.node(ring.Owner(hash)).id);
}

TEST(TiesTest, AreWonAsTheSchemeSays) {
  const uint64_t tie = uint64_t{5} << 32;
  const std::vector<Given> nodes = {{"b", {tie}}, {"a", {tie}}, {"c", {tie}}};
  EXPECT_EQ(Owner(RingOf(Ties::kSmallestId, nodes), 0), "a");
  EXPECT_EQ(Owner(RingOf(Ties::kFirstAdded, nodes), 0), "b");
  EXPECT_EQ(Owner(RingOf(Ties::kLastAdded, nodes), 0), "c");
  const Ring last = RingOf(Ties::kLastAdded, nodes);
  NodeIndex walk[3];
  ASSERT_EQ(last.Replicas(0, 3, walk), 3u);
  EXPECT_EQ(last.node(walk[1]).id, "a");
  EXPECT_EQ(last.node(walk[2]).id, "b");
}

// Against a plain list, on a circle so small that most points collide.
TEST(TiesTest, AreWonSoOnRandomRings) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 400; ++round) {
    const uint32_t width = round % 2 == 0 ? 32 : 64;
    const auto ties = static_cast<Ties>(1 + round / 2 % 2);
    std::vector<Given> nodes;
    std::map<uint64_t, std::string> owners;
    for (int i = 0; i < 12; ++i) {
      Given node{
          "n" + std::to_string(random() % 1000) + "-" + std::to_string(i), {}};
      for (int p = 0; p < 10; ++p)
        node.positions.push_back(random() % 40 << 58);
      for (uint64_t p : node.positions) {
        if (ties == Ties::kFirstAdded) {
          owners.emplace(p, node.id);
        } else {
          owners[p] = node.id;
        }
      }
      nodes.push_back(node);
    }
    const Ring ring = RingOf(ties, nodes, width);
    for (const auto& [position, id] : owners) {
      ASSERT_EQ(Owner(ring, position), id) << round;
    }
  }
}

TEST(TiesTest, MakeTheOrderOfNodesPartOfTheDigest) {
  const std::vector<Given> nodes = {{"b", {7}}, {"a", {9}}};
  const std::vector<Given> turned = {{"a", {9}}, {"b", {7}}};
  EXPECT_EQ(RingOf(Ties::kSmallestId, nodes).digest(),
            RingOf(Ties::kSmallestId, turned).digest());
  EXPECT_NE(RingOf(Ties::kFirstAdded, nodes).digest(),
            RingOf(Ties::kFirstAdded, turned).digest());
}

TEST(TiesTest, OfAdditionsForbidChanges) {
  const Ring ring = RingOf(Ties::kFirstAdded, {{"b", {7}}, {"a", {9}}});
  EXPECT_EQ(ring.Copy(3).value().digest(), ring.digest());
  RingBuilder builder = RingBuilder::From(ring);
  EXPECT_EQ(builder.options().ties, Ties::kFirstAdded);
  EXPECT_EQ(builder.Build(2).status().code(), Code::kInvalidOptions);
  RingOptions native = WithVnodes(1);
  native.ties = Ties::kLastAdded;
  EXPECT_EQ(RingBuilder::Create(native).status().code(), Code::kInvalidOptions);
}

}  // namespace
}  // namespace clockwise
