// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
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

constexpr size_t kHugePage = size_t{2} << 20;

// Whether the kernel says that the mapping at `data` asks for huge pages.
bool AsksForHugePages(const void* data) {
  const auto at = reinterpret_cast<uintptr_t>(data);
  std::ifstream smaps("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(smaps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char dash = 0;
    if (std::istringstream(line) >> std::hex >> begin >> dash >> end &&
        dash == '-') {
      is_here = begin <= at && at < end;
    } else if (is_here && line.starts_with("VmFlags:")) {
      return line.find(" hg") != std::string::npos;
    }
  }
  return false;
}

// Emulators and some kernels do not know the request.
bool KernelTakesRequests() {
  void* map = mmap(nullptr, kHugePage, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(map, kHugePage, MADV_HUGEPAGE);
  const bool takes = AsksForHugePages(map);
  munmap(map, kHugePage);
  return takes;
}

void ExpectHugePagesFrom2MiB(BlockSource& source) {
  for (const size_t bytes : {kHugePage, kHugePage + 1, 5 * kHugePage}) {
    const Block block = Block::Acquire(source, bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data()) % kHugePage, 0u);
    EXPECT_TRUE(AsksForHugePages(block.data())) << bytes;
    EXPECT_TRUE(
        AsksForHugePages(static_cast<std::byte*>(block.data()) + bytes - 1));
  }
  const Block small = Block::Acquire(source, kHugePage / 2);
  EXPECT_FALSE(AsksForHugePages(small.data()));
}

TEST(BlockSourceTest, LargeBlocksAskForHugePages) {
  if (!KernelTakesRequests()) GTEST_SKIP() << "no huge pages to ask for";
  ExpectHugePagesFrom2MiB(DefaultBlockSource());
  RingOptions options = WithVnodes(4096);
  const Ring ring = MakeRing(options, NumberedNodes("n", 0, 50));
  ASSERT_GT(ring.image()->bytes, kHugePage);
  EXPECT_TRUE(AsksForHugePages(ring.image()));
  if (auto source = CreateNumaBlockSource(0);
      source.ok() && Block::Acquire(*source.value(), 1).data() != nullptr) {
    ExpectHugePagesFrom2MiB(*source.value());
  }
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
