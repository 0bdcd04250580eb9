// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings of cores.
#include "clockwise/steer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ring_maker.h"

namespace clockwise {
namespace {

Ring MakeSteering(const SteerOptions& options) {
  auto ring = BuildSteering(options);
  EXPECT_TRUE(ring.ok()) << ring.status().message();
  return std::move(ring).value();
}

Ring SixteenCores() { return MakeSteering({.cores = 16}); }

// `count` keys of `size` bytes, each `stride` bytes after the one before.
std::string RandomKeys(size_t size, size_t stride, size_t count,
                       std::mt19937_64& random) {
  std::string bytes((count - 1) * stride + size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

std::vector<NodeIndex> CoresOf(const Ring& ring, size_t flows) {
  std::mt19937_64 random(1);
  const std::string keys =
      RandomKeys(kFlowKeyV4Bytes, kFlowKeyV4Bytes, flows, random);
  std::vector<NodeIndex> cores(flows);
  ring.Owners({keys.data(), kFlowKeyV4Bytes, kFlowKeyV4Bytes, flows},
              cores.data());
  return cores;
}

void ExpectRefused(const Result<Ring>& ring, Code code,
                   const std::string& says) {
  EXPECT_EQ(ring.status().code(), code);
  EXPECT_NE(ring.status().message().find(says), std::string::npos)
      << ring.status().message();
}

TEST(SteerTest, SlotsAreTheNumbersOfCores) {
  for (uint32_t cores : {1u, 9u, 10u, 11u, 101u, 1001u, kMaxCores}) {
    const Ring ring = MakeSteering({.cores = cores, .vnodes = 1});
    ASSERT_EQ(ring.slot_count(), cores);
    for (uint32_t core : {0u, 1u, 9u, 10u, 100u, 1000u, cores - 1}) {
      if (core >= cores) continue;
      EXPECT_EQ(ring.node(core).id, CoreId(core));
      EXPECT_EQ(ring.Find(CoreId(core)), core);
    }
  }
}

TEST(SteerTest, ByDefaultItIsThisRing) {
  RingOptions options = WithVnodes(2048);
  std::vector<Node> nodes;
  for (const char* id : {"core-00000", "core-00001", "core-00002"}) {
    nodes.push_back(MakeNode(id));
  }
  EXPECT_EQ(ToHex(MakeSteering({.cores = 3}).digest()),
            ToHex(MakeRing(options, nodes).digest()));
}

TEST(SteerTest, OptionsReachTheRing) {
  const Ring ring =
      MakeSteering({.cores = 2,
                    .vnodes = 10,
                    .width = 32,
                    .seed = 5,
                    .key_hash = KeyHash::kMurmur3_32,
                    .weights = {Weight::Whole(3), Weight::Thousandths(500)}});
  EXPECT_EQ(ring.width(), 32u);
  EXPECT_EQ(ring.seed(), 5u);
  EXPECT_EQ(ring.key_hash(), KeyHash::kMurmur3_32);
  EXPECT_EQ(ring.node(0).points, 30u);
  EXPECT_EQ(ring.node(1).points, 5u);
}

TEST(SteerTest, LoadIsEvenOverTenMillionFlows) {
  constexpr size_t kBlock = 100'000, kBlocks = 100, kCores = 16;
  const Ring ring = SixteenCores();
  std::mt19937_64 random(2);
  std::vector<uint64_t> words(kBlock * kFlowKeyV4Bytes / 8 + 1);
  std::vector<NodeIndex> cores(kBlock);
  std::vector<size_t> flows(kCores);
  for (size_t i = 0; i < kBlocks; ++i) {
    std::generate(words.begin(), words.end(), std::ref(random));
    ring.Owners({words.data(), kFlowKeyV4Bytes, kFlowKeyV4Bytes, kBlock},
                cores.data());
    for (NodeIndex core : cores) ++flows.at(core);
  }
  EXPECT_LE(*std::ranges::max_element(flows), 1.08 * kBlock * kBlocks / kCores);
}

TEST(SteerTest, DrainingACoreMovesOnlyItsFlows) {
  const Ring ring = SixteenCores();
  const std::vector<NodeIndex> before = CoresOf(ring, 200'000);
  for (uint32_t drained : {0u, 7u, 15u}) {
    const auto changed = DrainCore(ring, drained, /*epoch=*/2);
    ASSERT_TRUE(changed.ok());
    EXPECT_EQ(changed.value().slot_count(), 16u);
    EXPECT_EQ(changed.value().epoch(), 2u);
    const std::vector<NodeIndex> after = CoresOf(changed.value(), 200'000);
    std::vector<size_t> gained(16);
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i] == drained) {
        ASSERT_NE(after[i], drained);
        ++gained[after[i]];
      } else {
        ASSERT_EQ(after[i], before[i]);
      }
    }
    // They spread over all others.
    EXPECT_EQ(std::ranges::count(gained, 0u), 1);
  }
}

TEST(SteerTest, ADrainedCoreComesBackAsItWas) {
  const Ring ring = SixteenCores();
  const Ring drained = std::move(DrainCore(ring, 3)).value();
  EXPECT_NE(ToHex(drained.digest()), ToHex(ring.digest()));
  const auto back = SetCoreWeight(drained, 3, Weight());
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(ToHex(back.value().digest()), ToHex(ring.digest()));
  EXPECT_EQ(CoresOf(back.value(), 1000), CoresOf(ring, 1000));
}

TEST(SteerTest, ACoreIsAddedByItsId) {
  const Ring ring = SixteenCores();
  RingBuilder builder = RingBuilder::From(ring);
  ASSERT_TRUE(builder.Add(MakeNode(CoreId(16))).ok());
  const Ring grown = MakeRing(builder);
  EXPECT_EQ(grown.Find(CoreId(16)), 16u);
  EXPECT_EQ(ToHex(grown.digest()), ToHex(MakeSteering({.cores = 17}).digest()));
  const auto before = CoresOf(ring, 100'000), after = CoresOf(grown, 100'000);
  for (size_t i = 0; i < before.size(); ++i) {
    ASSERT_TRUE(after[i] == before[i] || after[i] == 16);
  }
}

TEST(SteerTest, OptionsOutOfRangeAreRefused) {
  ExpectRefused(BuildSteering({.cores = 0}), Code::kInvalidOptions,
                "cores 0; 1 to 65536");
  ExpectRefused(BuildSteering({.cores = kMaxCores + 1}), Code::kInvalidOptions,
                "cores 65537");
  ExpectRefused(BuildSteering({.cores = 2, .weights = {Weight()}}),
                Code::kInvalidOptions, "1 weights for 2 cores");
  ExpectRefused(BuildSteering({.vnodes = 0}), Code::kInvalidOptions,
                "vnodes 0");
  ExpectRefused(BuildSteering({.width = 33}), Code::kInvalidOptions,
                "width 33");
  ExpectRefused(BuildSteering({.key_hash = KeyHash::kMurmur3_32}),
                Code::kInvalidOptions, "murmur3-32");
  ExpectRefused(BuildSteering({.cores = kMaxCores}), Code::kTooManyPoints,
                "points");
  ExpectRefused(
      BuildSteering({.cores = 1, .weights = {Weight::Whole(1'000'001)}}),
      Code::kBadWeight, "core-00000");
}

TEST(SteerTest, UnknownCoresAreRefused) {
  const Ring ring = MakeSteering({.cores = 4});
  for (uint32_t core : {4u, 100'000u, ~0u}) {
    ExpectRefused(DrainCore(ring, core), Code::kUnknownNode,
                  "no core " + std::to_string(core) + " ");
  }
}

TEST(SteerTest, OneCoreAlwaysHasFlows) {
  ExpectRefused(BuildSteering({.cores = 1, .weights = {Weight::Whole(0)}}),
                Code::kBadWeight, "no core");
  const Ring ring = MakeSteering({.cores = 2});
  const Ring one = std::move(DrainCore(ring, 0)).value();
  ExpectRefused(DrainCore(one, 1), Code::kBadWeight, "no core");
}

TEST(SteerTest, BatchesAnswerAsSingleLookups) {
  constexpr size_t kKeys = 1000;
  std::mt19937_64 random(3);
  for (uint32_t width : {32u, 64u}) {
    const Ring ring = MakeSteering({.cores = 16, .width = width});
    for (size_t size : {kFlowKeyV4Bytes, kFlowKeyV6Bytes}) {
      for (size_t stride : {size, size + 3, size_t{64}}) {
        const std::string keys = RandomKeys(size, stride, kKeys, random);
        std::vector<NodeIndex> cores(kKeys);
        ring.Owners({keys.data(), size, stride, kKeys}, cores.data());
        for (size_t i = 0; i < kKeys; ++i) {
          const std::string_view key(&keys[i * stride], size);
          ASSERT_EQ(cores[i], ring.Owner(key)) << width << ' ' << stride;
        }
      }
    }
  }
}

}  // namespace
}  // namespace clockwise
