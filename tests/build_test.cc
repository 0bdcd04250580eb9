// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What builders refuse, and rings at their limits.
#include "placement/build.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <random>

#include "failing_source.h"
#include "ring_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

void ExpectRefused(const Status& status, Code code, const std::string& item,
                   const std::string& limit) {
  EXPECT_EQ(status.code(), code);
  EXPECT_NE(status.message().find(item), std::string::npos) << status.message();
  EXPECT_NE(status.message().find(limit), std::string::npos)
      << status.message();
}

TEST(BuildTest, RefusesOptionsOutOfRange) {
  const auto refused = [](auto change, const std::string& item,
                          const std::string& limit) {
    RingOptions options;
    options.name = "sessions";
    change(options);
    ExpectRefused(RingBuilder::Create(options).status(), Code::kInvalidOptions,
                  item, limit);
  };
  refused([](auto& o) { o.vnodes = 0; }, "vnodes 0", "1 to 65536");
  refused([](auto& o) { o.vnodes = 65537; }, "vnodes 65537", "1 to 65536");
  refused([](auto& o) { o.width = 33; }, "width 33", "32 or 64");
  refused([](auto& o) { o.key_hash = KeyHash::kMurmur3_32; }, "murmur3-32",
          "width 32");
  refused([](auto& o) { o.max_points = (1u << 27) + 1; }, "134217729",
          "134217728");
  refused([](auto& o) { o.name = std::string(256, 'x'); }, "256", "255");
  refused([](auto& o) { o.scheme = ""; }, "scheme", "1 to 255");
}

TEST(BuildTest, RefusesBadNodes) {
  RingBuilder builder = MakeBuilder({});
  ExpectRefused(builder.Add(MakeNode("")), Code::kBadNodeId, "empty", "id");
  ExpectRefused(builder.Add(MakeNode(std::string(256, 'n'))), Code::kBadNodeId,
                "256", "255");
  EXPECT_TRUE(builder.Add(MakeNode(std::string(255, 'n'))).ok());
  EXPECT_TRUE(builder.Add(MakeNode(std::string("\0\xFF\n", 3))).ok());
  Node node = MakeNode("a");
  node.zone = std::string(256, 'z');
  ExpectRefused(builder.Add(node), Code::kBadNode, "'a': the zone", "255");
  node = MakeNode("a");
  node.address = std::string(1024, 'z');
  ExpectRefused(builder.Add(node), Code::kBadNode, "'a': the address", "1023");
  ExpectRefused(builder.Add(MakeNode("a", Weight::Thousandths(1'000'000'001))),
                Code::kBadWeight, "'a'", "1000000");
  ExpectRefused(builder.Update(MakeNode("a")), Code::kUnknownNode, "'a'", "no");
  ExpectRefused(builder.SetWeight("a", Weight()), Code::kUnknownNode, "'a'",
                "no");
  EXPECT_FALSE(builder.Contains("a"));
}

TEST(BuildTest, RefusesExplicitPointsThatDoNotFit) {
  RingBuilder native = MakeBuilder({});
  EXPECT_EQ(native.Add(MakeNode("a"), std::vector<uint64_t>{1}).code(),
            Code::kInvalidOptions);
  RingOptions options;
  options.scheme = "points";
  options.width = 32;
  RingBuilder builder = MakeBuilder(options);
  ExpectRefused(builder.Add(MakeNode("a"), std::vector<uint64_t>{7}),
                Code::kBadPosition, "position 7", "2^32");
  EXPECT_EQ(builder.Add(MakeNode("a")).code(), Code::kInvalidOptions);
  EXPECT_EQ(
      builder
          .Add(MakeNode("a", Weight::Thousandths(0)), std::vector<uint64_t>{0})
          .code(),
      Code::kBadWeight);
}

// A member of an explicit scheme may have no points, and be edited so.
TEST(BuildTest, ExplicitMembersWithoutPoints) {
  RingOptions options;
  options.scheme = "points";
  RingBuilder builder = MakeBuilder(options);
  Node node = MakeNode("z", Weight::Thousandths(0));
  ASSERT_TRUE(builder.Add(node, {}).ok());
  ASSERT_TRUE(builder.Add(MakeNode("a"), std::vector<uint64_t>{5}).ok());
  node.address = "elsewhere";
  EXPECT_TRUE(builder.Update(node).ok());
  EXPECT_EQ(builder.SetWeight("a", Weight::Thousandths(0)).code(),
            Code::kBadWeight);
  const Ring ring = MakeRing(builder);
  RingBuilder change = RingBuilder::From(ring);
  EXPECT_TRUE(change.SetWeight("z", Weight::Thousandths(0)).ok());
  EXPECT_EQ(change.SetWeight("a", Weight::Thousandths(0)).code(),
            Code::kBadWeight);
  EXPECT_TRUE(change.SetWeight("a", Weight::Whole(3)).ok());
  EXPECT_EQ(MakeRing(change).point_count(), 1u);
}

TEST(BuildTest, RefusesTooManyPointsBeforeAllocating) {
  RingOptions options;
  options.name = "big";
  options.vnodes = 65536;
  RingBuilder builder = MakeBuilder(
      options, {MakeNode("a", Weight::Whole(1'000'000)), MakeNode("b")});
  FailingSource source(0);
  ExpectRefused(builder.Build(1, &source).status(), Code::kTooManyPoints,
                "'big': needs 65536065536", "16777216");
  EXPECT_EQ(source.requests, 0);
  ASSERT_TRUE(builder.SetWeight("a", Weight::Whole(255)).ok());
  EXPECT_EQ(MakeRing(builder).point_count(), 1u << 24);  // just fits
}

TEST(BuildTest, EveryFailedAllocationIsAnErrorAndLeaksNothing) {
  const Ring base = MakeRing({}, NumberedNodes("n", 0, 8));
  for (const BuildPath path : {BuildPath::kFull, BuildPath::kMerge}) {
    int allowed = 0;
    for (;; ++allowed) {
      RingBuilder builder = RingBuilder::From(base);
      ASSERT_TRUE(builder.Add(MakeNode("more")).ok());
      FailingSource source(allowed);
      BuildRequest request;
      request.source = &source;
      request.path = path;
      {
        const auto ring = BuilderAccess::Build(builder, request);
        if (ring.ok()) break;
        EXPECT_EQ(ring.status().code(), Code::kOutOfMemory);
      }
      EXPECT_EQ(source.live, 0);
    }
    EXPECT_EQ(allowed, path == BuildPath::kFull ? 3 : 2);
  }
  EXPECT_NE(base.Owner("key"), kNoNode);
}

TEST(BuildTest, BlocksOfAnySourceGiveTheSameBytes) {
  for (Layout layout :
       {Layout::kSorted, Layout::kEytzinger, Layout::kSplus, Layout::kLine}) {
    for (int nodes : {0, 1, 2, 3, 7, 50}) {
      RingOptions options = WithVnodes(7);
      options.layout = layout;
      const RingBuilder builder =
          MakeBuilder(options, NumberedNodes("n", 0, nodes));
      FailingSource source(100);
      const auto a = builder.Build(3, &source);
      const auto b = builder.Build(3);
      ASSERT_EQ(a.value().image()->bytes, b.value().image()->bytes);
      EXPECT_EQ(std::memcmp(a.value().image(), b.value().image(),
                            a.value().image()->bytes),
                0);
    }
  }
}

// Lines hold 16-bit owners up to 65,534 slots; beyond, the wide form.
TEST(BuildTest, RingsAroundTheLimitOfNarrowLines) {
  if (IsSanitized()) GTEST_SKIP() << "takes too long under sanitizers";
  for (int nodes : {65'533, 65'534, 65'535, 65'536}) {
    for (uint32_t width : {32u, 64u}) {
      RingOptions options = WithVnodes(2);
      options.width = width;
      options.layout = Layout::kLine;
      const Ring ring = MakeRing(options, NumberedNodes("n", 0, nodes));
      EXPECT_EQ(ring.image()->is_wide != 0, nodes > 65'534);
      options.layout = Layout::kSorted;
      const Ring sorted = MakeRing(options, NumberedNodes("n", 0, nodes));
      std::mt19937_64 random(3);
      for (int i = 0; i < 50'000; ++i) {
        const uint64_t hash = random();
        ASSERT_EQ(ring.Owner(hash), sorted.Owner(hash));
      }
      // The highest slots are owners too.
      std::vector<bool> owns(ring.slot_count());
      for (size_t i = 0; i < ring.point_count(); ++i) {
        ASSERT_EQ(ring.Owner(ring.PositionAt(i)),
                  sorted.Owner(ring.PositionAt(i)));
        owns[ring.OwnerAt(i)] = true;
      }
      EXPECT_TRUE(owns[static_cast<size_t>(nodes) - 1]);
    }
  }
}

// Growing over that limit and back, from ring to ring.
TEST(BuildTest, ChangesCrossTheLimitOfNarrowLines) {
  Ring ring = MakeRing(WithVnodes(1), NumberedNodes("n", 0, 65'534));
  const Hash128 digest = ring.digest();
  RingBuilder growing = RingBuilder::From(ring);
  ASSERT_TRUE(growing.Add(MakeNode("one more")).ok());
  Ring wide = MakeRing(growing);
  EXPECT_EQ(wide.image()->is_wide, 1);
  RingBuilder shrinking = RingBuilder::From(wide);
  ASSERT_TRUE(shrinking.Remove("one more").ok());
  ring = MakeRing(shrinking);
  EXPECT_EQ(ring.image()->is_wide, 0);
  EXPECT_EQ(ring.digest(), digest);
}

TEST(BuildTest, RefusesTooManyNodes) {
  if (IsSanitized()) GTEST_SKIP() << "takes too long under sanitizers";
  RingBuilder builder =
      MakeBuilder(WithVnodes(1), NumberedNodes("n", 0, 1'048'576));
  EXPECT_EQ(MakeRing(builder).slot_count(), 1u << 20);
  ASSERT_TRUE(builder.Add(MakeNode("one more")).ok());
  ExpectRefused(builder.Build().status(), Code::kTooManyNodes, "1048577",
                "1048576");
}

// Clustered positions: lines that overflow get a tree, and where most points
// are so, the builder takes the tree alone.
TEST(BuildTest, PicksATreeForClusteredPoints) {
  std::mt19937_64 random(4);
  const auto ring_with = [&](int clustered, std::optional<Layout> layout) {
    std::vector<std::pair<uint64_t, std::string>> points;
    for (int i = 0; i < 20'000; ++i) {
      const uint64_t p = random();
      points.emplace_back(i % 100 < clustered ? p >> 24 : p,
                          std::to_string(i % 7));
    }
    return MakePointRing(64, layout, points);
  };
  EXPECT_EQ(ring_with(0, {}).layout(), Layout::kLine);
  EXPECT_EQ(ring_with(0, {}).image()->splus_levels, 0u);
  const Ring some = ring_with(10, {});
  EXPECT_EQ(some.layout(), Layout::kLine);
  EXPECT_GT(some.image()->splus_levels, 0u);
  EXPECT_EQ(ring_with(90, {}).layout(), Layout::kSplus);
  EXPECT_EQ(ring_with(90, Layout::kLine).layout(), Layout::kLine);
}

TEST(BuildTest, IndexTakesAtMostElevenAndAHalfBytesAPoint) {
  for (uint32_t nodes : {100u, 1000u, 3000u}) {
    const Ring ring = MakeRing(WithVnodes(160),
                               NumberedNodes("n", 0, static_cast<int>(nodes)));
    const auto* image = ring.image();
    const auto index =
        static_cast<double>(image->positions_at - image->search_at);
    EXPECT_LE(index / ring.point_count(), 11.5);
  }
}

}  // namespace
}  // namespace clockwise
