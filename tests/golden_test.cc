// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Scheme clockwise-1 against answers that an independent program computed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/endian.h"
#include "clockwise/clockwise.h"

namespace clockwise {
namespace {

using nlohmann::json;

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

uint64_t Hex64(const json& hex) {
  return std::stoull(hex.get<std::string>(), nullptr, 16);
}

// The nodes of a case, in the order of its file, and a ring of them.
struct Golden {
  Golden(const json& c, std::optional<Layout> layout) : expected(c) {
    const json& o = c["options"];
    RingOptions options;
    options.name = o.value("name", "");
    options.vnodes = o.value("vnodes", 512u);
    options.width = o.value("width", 64u);
    options.seed = std::stoull(o.value("seed", "0"));
    options.key_hash = *ParseKeyHash(o.value("kind", "xxh3"));
    options.layout = layout;
    auto builder = RingBuilder::Create(options);
    EXPECT_TRUE(builder.ok()) << builder.status().message();
    for (const json& n : c["nodes"]) {
      Node node;
      node.id = FromHex(n["id_hex"]);
      node.weight = Weight::Thousandths(n["thousandths"].get<uint64_t>());
      node.region = n.value("region", "");
      node.zone = n.value("zone", "");
      node.rack = n.value("rack", "");
      EXPECT_TRUE(builder.value().Add(node).ok());
      ids.push_back(node.id);
    }
    auto built = builder.value().Build();
    EXPECT_TRUE(built.ok()) << built.status().message();
    ring.emplace(std::move(built).value());
  }

  // The number in the file of a slot's node.
  [[nodiscard]] uint32_t Number(NodeIndex slot) const {
    const auto id = ring->node(slot).id;
    return static_cast<uint32_t>(std::find(ids.begin(), ids.end(), id) -
                                 ids.begin());
  }

  json expected;
  std::vector<std::string> ids;
  std::optional<Ring> ring;
};

class GoldenTest : public testing::TestWithParam<std::optional<Layout>> {
 protected:
  static const json& File() {
    static const json file =
        json::parse(std::ifstream(std::string(GOLDEN_DIR "/clockwise-1.json")));
    return file;
  }
  template <typename F>
  void ForEachCase(F&& f) {
    for (const json& c : File()["cases"]) {
      SCOPED_TRACE(c["name"].get<std::string>());
      f(Golden(c, GetParam()));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Layouts, GoldenTest,
                         testing::Values(std::nullopt, Layout::kSorted,
                                         Layout::kEytzinger, Layout::kSplus,
                                         Layout::kLine));

TEST_P(GoldenTest, PointsTiesAndDigests) {
  ForEachCase([](const Golden& g) {
    EXPECT_EQ(g.ring->point_count(), g.expected["points"]);
    EXPECT_EQ(g.ring->collisions(), g.expected["collisions"]);
    EXPECT_EQ(ToHex(g.ring->digest()), g.expected["digest"]);
    std::string points;
    for (size_t i = 0; i < g.ring->point_count(); ++i) {
      char bytes[12];
      StoreLe64(bytes, g.ring->PositionAt(i));
      StoreLe32(bytes + 8, g.Number(g.ring->OwnerAt(i)));
      points.append(bytes, sizeof bytes);
    }
    EXPECT_EQ(Xxh3_64(points), Hex64(g.expected["points_xxh3_64"]));
  });
}

TEST_P(GoldenTest, HashesOwnersAndReplicasOfKeys) {
  const json& keys = File()["keys_hex"];
  ForEachCase([&](const Golden& g) {
    for (size_t k = 0; k < keys.size(); ++k) {
      const std::string key = FromHex(keys[k]);
      const uint64_t hash = Hex64(g.expected["hash"][k]);
      ASSERT_EQ(g.ring->HashOf(key), hash);
      ASSERT_EQ(g.Number(g.ring->Owner(key)), g.expected["owner"][k]);
      std::vector<NodeIndex> replicas(3);
      replicas.resize(g.ring->Replicas(hash, 3, replicas.data()));
      json numbers = json::array();
      for (NodeIndex slot : replicas) numbers.push_back(g.Number(slot));
      ASSERT_EQ(numbers, g.expected["replicas3"][k]);
    }
  });
}

TEST_P(GoldenTest, ReplicasByTopology) {
  ForEachCase([](const Golden& g) {
    const SpreadIndex index = SpreadIndex::Build(*g.ring).value();
    SpreadPolicy policy;
    policy.count = 4;
    const SpreadPlan plan = index.Plan(*g.ring, policy).value();
    const json& expected = g.expected["spread4"];
    ASSERT_EQ(expected.size(), 100u);
    for (size_t k = 0; k < expected.size(); ++k) {
      std::vector<NodeIndex> replicas(4);
      const uint64_t hash = Hex64(g.expected["hash"][k]);
      replicas.resize(index.Replicas(*g.ring, hash, plan, replicas).count);
      json numbers = json::array();
      for (NodeIndex slot : replicas) numbers.push_back(g.Number(slot));
      ASSERT_EQ(numbers, expected[k]);
    }
  });
}

TEST_P(GoldenTest, OwnersAtAndBesidePoints) {
  ForEachCase([](const Golden& g) {
    const json& hashes = g.expected["edge_hash"];
    for (size_t i = 0; i < hashes.size(); ++i) {
      ASSERT_EQ(g.Number(g.ring->Owner(Hex64(hashes[i]))),
                g.expected["edge_owner"][i]);
    }
  });
}

TEST_P(GoldenTest, BatchesAgree) {
  const json& keys = File()["keys_hex"];
  std::vector<std::string> bytes;
  for (const json& key : keys) bytes.push_back(FromHex(key));
  const std::vector<std::string_view> views(bytes.begin(), bytes.end());
  ForEachCase([&](const Golden& g) {
    std::vector<NodeIndex> owners(views.size());
    g.ring->Owners(views.data(), views.size(), owners.data());
    for (size_t k = 0; k < views.size(); ++k) {
      ASSERT_EQ(g.Number(owners[k]), g.expected["owner"][k]);
    }
  });
}

}  // namespace
}  // namespace clockwise
