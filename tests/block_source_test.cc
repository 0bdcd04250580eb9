// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "platform/recycling_source.h"
#include "ring_maker.h"

namespace clockwise {
namespace {

TEST(BlockSourceTest, BlocksAreAlignedAndTheirOwn) {
  RecyclingSource source;
  std::vector<Block> blocks;
  for (size_t bytes : {1u, 63u, 64u, 65u, 4096u, 100'000u, 2u << 20,
                       (2u << 20) + 1, 9u << 20}) {
    Block block = Block::Acquire(source, bytes);
    ASSERT_NE(block.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data()) % 64, 0u);
    std::memset(block.data(), static_cast<int>(blocks.size()), bytes);
    blocks.push_back(std::move(block));
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto* bytes = static_cast<const uint8_t*>(blocks[i].data());
    EXPECT_EQ(bytes[0], i);
    EXPECT_EQ(bytes[blocks[i].bytes() - 1], i);
  }
}

TEST(BlockSourceTest, ReleasedBlocksAreTakenAgain) {
  RecyclingSource source;
  for (size_t bytes : {size_t{5000}, size_t{3} << 20}) {
    void* first = source.Acquire(bytes);
    source.Release(first, bytes);
    // A little more, as a ring that grew by a node asks for.
    EXPECT_EQ(source.Acquire(bytes + 50), first);
    void* second = source.Acquire(bytes);
    EXPECT_NE(second, first);
    source.Release(first, bytes + 50);
    source.Release(second, bytes);
    EXPECT_EQ(source.Acquire(bytes), second);  // the last released
    source.Release(second, bytes);
  }
}

TEST(BlockSourceTest, RefusesWhatNoMachineHas) {
  RecyclingSource source;
  EXPECT_EQ(source.Acquire(~size_t{0}), nullptr);
  EXPECT_EQ(source.Acquire(~size_t{0} / 2), nullptr);
  EXPECT_EQ(source.Acquire(size_t{1} << 60), nullptr);
}

TEST(BlockSourceTest, ThreadsShareASource) {
  RecyclingSource source;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&source, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int i = 0; i < 3000; ++i) {
        const size_t bytes = 1 + random() % 5000;
        Block block = Block::Acquire(source, bytes);
        std::memset(block.data(), t, bytes);
        ASSERT_EQ(static_cast<const uint8_t*>(block.data())[bytes - 1], t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(BlockSourceTest, NumaNodesThatAreNotThereAreRefusedByNumber) {
  const auto source = CreateNumaBlockSource(4711);
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.status().code(), Code::kInvalidOptions);
  EXPECT_NE(source.status().message().find("4711"), std::string::npos);
}

// Where there is a node 0 that this process may use, rings can live there.
TEST(BlockSourceTest, RingsLiveOnANumaNode) {
  auto source = CreateNumaBlockSource(0);
  if (!source.ok()) GTEST_SKIP() << source.status().message();
  RingOptions options = WithVnodes(4096);
  for (int nodes : {1, 50}) {
    const RingBuilder builder =
        MakeBuilder(options, NumberedNodes("n", 0, nodes));
    const auto ring = builder.Build(1, source.value().get());
    if (!ring.ok()) GTEST_SKIP() << "the kernel does not bind memory here";
    EXPECT_EQ(ring.value().digest(), MakeRing(builder).digest());
  }
}

}  // namespace
}  // namespace clockwise
