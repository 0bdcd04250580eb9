// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings built from a ring and changes: the bytes of a full build, whatever the
// history, and the digest and owners of a ring built afresh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "clockwise/clockwise.h"
#include "placement/build.h"
#include "sanitized.h"

namespace clockwise {
namespace {

std::string_view ImageBytes(const Ring& ring) {
  return {reinterpret_cast<const char*>(ring.image()), ring.image()->bytes};
}

Ring Built(const RingBuilder& builder, BuildPath path, uint64_t epoch = 0) {
  BuildRequest request;
  request.path = path;
  request.epoch = epoch;
  auto ring = BuilderAccess::Build(builder, request);
  EXPECT_TRUE(ring.ok()) << ring.status().message();
  return std::move(ring).value();
}

using Nodes = std::map<std::string, Node>;

// A ring of these nodes with nothing before it, added in a random order.
Ring Afresh(const RingOptions& options, const Nodes& nodes,
            std::mt19937_64& random) {
  std::vector<Node> list;
  for (const auto& [id, node] : nodes) list.push_back(node);
  std::shuffle(list.begin(), list.end(), random);
  auto builder = RingBuilder::Create(options);
  for (const Node& node : list) EXPECT_TRUE(builder.value().Add(node).ok());
  return Built(builder.value(), BuildPath::kAuto);
}

// Random members and changes of them, applied to a builder and to a map.
class History {
 public:
  History(const RingOptions& options, uint64_t seed)
      : options_(options), random_(seed) {}

  void Change(RingBuilder& builder) {
    for (uint64_t i = random_() % 3 + 1; i > 0; --i) ChangeOnce(builder);
  }

  [[nodiscard]] const Nodes& nodes() const { return nodes_; }
  std::mt19937_64& random() { return random_; }

 private:
  Node RandomNode() {
    Node node;
    node.id = "n" + std::to_string(random_() % 12);
    node.weight = Weight::Thousandths(random_() % 4 == 0 ? random_() % 3 * 1000
                                                         : random_() % 4000);
    node.zone = std::string(random_() % 2, 'z');
    node.address = std::to_string(random_() % 100);
    return node;
  }

  void ChangeOnce(RingBuilder& builder) {
    const Node node = RandomNode();
    const bool is_member = nodes_.contains(node.id);
    ASSERT_EQ(builder.Contains(node.id), is_member);
    switch (random_() % 3) {
      case 0:
        ASSERT_EQ(builder.Remove(node.id).ok(), is_member);
        nodes_.erase(node.id);
        return;
      case 1:
        ASSERT_EQ(builder.SetWeight(node.id, node.weight).ok(), is_member);
        if (is_member) nodes_[node.id].weight = node.weight;
        return;
      default:
        ASSERT_TRUE(
            (is_member ? builder.Update(node) : builder.Add(node)).ok());
        nodes_[node.id] = node;
    }
  }

  RingOptions options_;
  std::mt19937_64 random_;
  Nodes nodes_;
};

void ExpectSameOwners(const Ring& a, const Ring& b, std::mt19937_64& random) {
  for (int i = 0; i < 20; ++i) {
    const uint64_t hash = random();
    ASSERT_EQ(a.node(a.Owner(hash)).id, b.node(b.Owner(hash)).id);
  }
}

void ExpectSlotsKept(const Ring& before, const Ring& after) {
  for (NodeIndex slot : before.slots_by_id()) {
    const NodeIndex now = after.Find(before.node(slot).id);
    if (now == kNoNode) continue;
    ASSERT_EQ(now, slot);
  }
}

void RunHistory(const RingOptions& options, uint64_t seed) {
  History history(options, seed);
  auto first = RingBuilder::Create(options);
  history.Change(first.value());
  Ring ring = Built(first.value(), BuildPath::kAuto);
  for (int step = 0; step < 5; ++step) {
    RingBuilder builder = RingBuilder::From(ring);
    history.Change(builder);
    Ring merged = Built(builder, BuildPath::kMerge, 9);
    const Ring full = Built(builder, BuildPath::kFull, 9);
    ASSERT_EQ(ImageBytes(merged), ImageBytes(full)) << "step " << step;
    ExpectSlotsKept(ring, merged);
    ring = std::move(merged);
  }
  const Ring afresh = Afresh(options, history.nodes(), history.random());
  ASSERT_EQ(ToHex(ring.digest()), ToHex(afresh.digest()));
  ASSERT_EQ(ToHex(ring.records_digest()), ToHex(afresh.records_digest()));
  ASSERT_EQ(ring.node_count(), history.nodes().size());
  ExpectSameOwners(ring, afresh, history.random());
}

TEST(ChangeTest, EveryHistoryEndsInTheRingBuiltAfresh) {
  const uint64_t kHistories = IsSanitized() ? 1'500 : 24'000;
  for (uint64_t seed = 0; seed < kHistories; ++seed) {
    RingOptions options;
    options.width = seed % 2 == 0 ? 32 : 64;
    options.vnodes = static_cast<uint32_t>(1 + seed % 37);
    options.seed = seed % 5;
    if (seed % 4 != 3) options.layout = static_cast<Layout>(seed / 2 % 4);
    RunHistory(options, seed);
    if (testing::Test::HasFatalFailure()) FAIL() << "history " << seed;
  }
}

RingBuilder BuilderOf(const RingOptions& options, int nodes) {
  auto builder = RingBuilder::Create(options);
  for (int i = 0; i < nodes; ++i) {
    Node node;
    node.id = "node-" + std::to_string(i);
    EXPECT_TRUE(builder.value().Add(node).ok());
  }
  return std::move(builder).value();
}

// Rings large enough that most lines are copied, with the count of lines kept
// and changed.
TEST(ChangeTest, PatchesLargeRings) {
  for (uint32_t width : {32u, 64u}) {
    RingOptions options;
    options.width = width;
    options.vnodes = 160;
    options.layout = Layout::kLine;
    Ring ring = Built(BuilderOf(options, 200), BuildPath::kFull);
    std::mt19937_64 random(5);
    int kept = 0;
    for (int step = 0; step < 60; ++step) {
      RingBuilder builder = RingBuilder::From(ring);
      const std::string id = "node-" + std::to_string(random() % 230);
      if (!builder.Contains(id)) {
        Node node;
        node.id = id;
        ASSERT_TRUE(builder.Add(node).ok());
      } else if (random() % 2 == 0) {
        ASSERT_TRUE(builder.Remove(id).ok());
      } else {
        ASSERT_TRUE(
            builder.SetWeight(id, Weight::Thousandths(random() % 9000)).ok());
      }
      Ring merged = Built(builder, BuildPath::kAuto);
      ASSERT_EQ(ImageBytes(merged),
                ImageBytes(Built(builder, BuildPath::kFull)))
          << "step " << step;
      kept += merged.image()->lines == ring.image()->lines;
      ring = std::move(merged);
    }
    EXPECT_GT(kept, 10);
    EXPECT_LT(kept, 60);
  }
}

// Many shadowed points of several nodes at few positions.
TEST(ChangeTest, MergesTiesInOrderOfId) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    RingOptions options;
    options.scheme = "points";
    options.width = round % 2 == 0 ? 32 : 64;
    auto first = RingBuilder::Create(options);
    const auto add = [&](RingBuilder& builder, const std::string& id) {
      std::vector<uint64_t> positions;
      for (uint64_t i = random() % 20 + 1; i > 0; --i) {
        positions.push_back(random() % 8 << 61);
      }
      Node node;
      node.id = id;
      ASSERT_TRUE(builder.Add(node, positions).ok());
    };
    for (const char* id : {"d", "b", "f"}) add(first.value(), id);
    const Ring ring = Built(first.value(), BuildPath::kFull);
    RingBuilder builder = RingBuilder::From(ring);
    ASSERT_TRUE(builder.Remove(round % 3 == 0 ? "d" : "b").ok());
    for (const char* id : {"e", "a", "c"}) add(builder, id);
    ASSERT_EQ(ImageBytes(Built(builder, BuildPath::kMerge)),
              ImageBytes(Built(builder, BuildPath::kFull)));
  }
}

// Clustered points: lines that overflow, trees that answer for them, and bases
// and results that differ in having one.
TEST(ChangeTest, MergesClusteredPoints) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 300; ++round) {
    RingOptions options;
    options.scheme = "points";
    options.width = round % 2 == 0 ? 32 : 64;
    if (round % 3 != 0) options.layout = Layout::kLine;
    const auto add = [&](RingBuilder& builder, int id, uint64_t clustered) {
      std::vector<uint64_t> positions;
      for (int i = 0; i < 150; ++i) {
        const uint64_t p =
            random() % 100 < clustered ? random() >> 30 : random();
        positions.push_back(p >> 32 << 32);
      }
      Node node;
      node.id = std::to_string(id);
      ASSERT_TRUE(builder.Add(node, positions).ok());
    };
    auto first = RingBuilder::Create(options);
    const uint64_t clustered = random() % 4 * 25;
    for (int id = 0; id < 20; ++id) add(first.value(), id, clustered);
    Ring ring = Built(first.value(), BuildPath::kFull);
    for (int step = 0; step < 3; ++step) {
      RingBuilder builder = RingBuilder::From(ring);
      ASSERT_TRUE(builder.Remove(std::to_string(step)).ok());
      add(builder, 50 + step, random() % 101);
      if (step == 1) add(builder, 0, 100);  // the id of one that left
      ASSERT_TRUE(builder.SetWeight("7", Weight::Whole(2)).ok());
      Ring merged = Built(builder, BuildPath::kMerge);
      ASSERT_EQ(ImageBytes(merged),
                ImageBytes(Built(builder, BuildPath::kFull)))
          << "round " << round << " step " << step;
      ring = std::move(merged);
    }
  }
}

// Owners of 20 bits in lines of 13.
TEST(ChangeTest, PatchesWideLines) {
  RingOptions options;
  options.vnodes = 2;
  options.layout = Layout::kLine;
  for (uint32_t width : {32u, 64u}) {
    options.width = width;
    Ring ring = Built(BuilderOf(options, 66'000), BuildPath::kFull);
    ASSERT_EQ(ring.image()->is_wide, 1);
    for (uint32_t step = 0; step < 4; ++step) {
      RingBuilder builder = RingBuilder::From(ring);
      for (uint32_t i = 0; i < 20; ++i) {
        const uint32_t n = step * 9000 + i * 17;
        ASSERT_TRUE(builder.Remove("node-" + std::to_string(n)).ok());
        ASSERT_TRUE(builder
                        .SetWeight("node-" + std::to_string(n + 1),
                                   Weight::Whole(1 + i % 3))
                        .ok());
      }
      Ring merged = Built(builder, BuildPath::kMerge);
      ASSERT_EQ(ImageBytes(merged),
                ImageBytes(Built(builder, BuildPath::kFull)));
      ring = std::move(merged);
    }
  }
}

// A 32-bit ring with real collisions between nodes, changed node by node.
TEST(ChangeTest, RemovingAndAddingBackRestoresCollidingRings) {
  RingOptions options;
  options.width = 32;
  options.vnodes = 160;
  Ring ring = Built(BuilderOf(options, 1000), BuildPath::kFull);
  const std::string digest = ToHex(ring.digest());
  const std::string image(ImageBytes(ring));
  for (int i = 0; i < 1000; i += 7) {
    const std::string id = "node-" + std::to_string(i);
    RingBuilder without = RingBuilder::From(ring);
    ASSERT_TRUE(without.Remove(id).ok());
    const Ring smaller = Built(without, BuildPath::kMerge);
    ASSERT_NE(ToHex(smaller.digest()), digest);
    RingBuilder with = RingBuilder::From(smaller);
    Node node;
    node.id = id;
    ASSERT_TRUE(with.Add(node).ok());
    ring = Built(with, BuildPath::kMerge);
    ASSERT_EQ(ToHex(ring.digest()), digest);
    ASSERT_EQ(ImageBytes(ring), image);
  }
}

// Holes are filled lowest first, in order of id.
TEST(ChangeTest, NewNodesTakeTheLowestHoles) {
  RingOptions options;
  options.vnodes = 4;
  const Ring ring = Built(BuilderOf(options, 6), BuildPath::kFull);
  RingBuilder removing = RingBuilder::From(ring);
  ASSERT_TRUE(removing.Remove("node-4").ok());
  ASSERT_TRUE(removing.Remove("node-1").ok());
  const Ring holed = Built(removing, BuildPath::kAuto);
  EXPECT_EQ(holed.slot_count(), 6u);
  EXPECT_EQ(holed.node(1).id, "");
  RingBuilder adding = RingBuilder::From(holed);
  for (const char* id : {"z", "a", "m"}) {
    Node node;
    node.id = id;
    ASSERT_TRUE(adding.Add(node).ok());
  }
  const Ring filled = Built(adding, BuildPath::kAuto);
  EXPECT_EQ(filled.Find("a"), 1u);
  EXPECT_EQ(filled.Find("m"), 4u);
  EXPECT_EQ(filled.Find("z"), 6u);
  EXPECT_EQ(filled.Find("node-5"), 5u);
}

}  // namespace
}  // namespace clockwise
