// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Copies and their readers on machines that hwloc is told to see.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "clockwise/topology.h"
#include "numa_maker.h"

namespace clockwise {
namespace {

// A package whose memory is far from every CPU, such as one behind CXL, and
// two packages with memory of their own.
constexpr char kMemoryOnlyNode[] =
    "[numa(memory=4GB)] pack:2 [numa(memory=1GB)] pu:1";
// The same, but only the first has any memory.
constexpr char kNodesWithoutMemory[] = "[numa(memory=4GB)] pack:2 [numa] pu:1";

using Nodes = std::vector<std::pair<unsigned, std::vector<unsigned>>>;

Nodes Seen(const Environment::Variables& machine) {
  const Environment environment(machine);
  Nodes nodes;
  for (const NumaNode& node : NumaNodes()) {
    nodes.emplace_back(node.os_index, node.cpus);
  }
  return nodes;
}

Status SourceStatus(const Environment::Variables& machine, unsigned node) {
  const Environment environment(machine);
  return CreateNumaBlockSource(node).status();
}

TEST(NumaNodesTest, AreThoseOfTheMachine) {
  EXPECT_EQ(Seen(Synthetic("numa:1 core:2 pu:2")), (Nodes{{0, {0, 1, 2, 3}}}));
  for (const unsigned count : {2u, 4u, 8u}) {
    Nodes nodes;
    for (unsigned i = 0; i < count; ++i) {
      nodes.push_back({i, {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}});
    }
    EXPECT_EQ(Seen(Synthetic("numa:" + std::to_string(count) + " core:2 pu:2")),
              nodes);
  }
}

TEST(NumaNodesTest, AreNumberedAsTheKernelDoes) {
  EXPECT_EQ(Seen(Synthetic("numa:2(indexes=4,2) pu:2(indexes=0,2,1,3)")),
            (Nodes{{2, {1, 3}}, {4, {0, 2}}}));
}

TEST(NumaNodesTest, WithoutMemoryAreLeftOut) {
  const auto machine = Synthetic(kNodesWithoutMemory);
  EXPECT_EQ(Seen(machine), (Nodes{{2, {0, 1}}}));
  const Status refused = SourceStatus(machine, 1);
  EXPECT_EQ(refused.code(), Code::kInvalidOptions);
  EXPECT_EQ(refused.message(), "NUMA node 1: it has no memory");
  EXPECT_TRUE(SourceStatus(machine, 2).ok());
}

// hwloc asks the kernel what this process may use: never node 900.
TEST(NumaNodesTest, ThatAreNotAllowedAreLeftOut) {
  auto machine = SyntheticOnThisKernel("numa:2(indexes=0,900) pu:1");
  EXPECT_EQ(Seen(machine).size(), 2u);
  machine.emplace_back("HWLOC_THISSYSTEM_ALLOWED_RESOURCES", "1");
  for (const auto& [os_index, cpus] : Seen(machine)) EXPECT_NE(os_index, 900u);
  const Status refused = SourceStatus(machine, 900);
  EXPECT_EQ(refused.code(), Code::kInvalidOptions);
  EXPECT_EQ(refused.message(),
            "NUMA node 900: not there, or not allowed to this process");
}

// By number of nodes, with one CPU each.
class NumaCopiesTest : public ::testing::TestWithParam<unsigned> {
 protected:
  const Environment machine{
      Synthetic("numa:" + std::to_string(GetParam()) + " pu:1")};
  Log log;
  const Domain domain = MakeDomain(log.Options());
  const std::unique_ptr<Router> router = MakeRouter(domain);
};

INSTANTIATE_TEST_SUITE_P(Nodes, NumaCopiesTest,
                         ::testing::Values(1u, 2u, 4u, 8u),
                         [](const auto& nodes) {
                           return std::to_string(nodes.param);
                         });

TEST_P(NumaCopiesTest, LieOnEachNodeAndAnswerAlike) {
  ASSERT_EQ(domain.copy_count(), GetParam());
  Reader reader = MakeReader(domain);
  for (const uint64_t epoch : {1u, 2u, 3u}) {
    PublishOk(*router, EpochRing(epoch));
    const Ring same = EpochRing(epoch);
    std::set<const void*> images;
    for (unsigned node = 0; node < GetParam(); ++node) {
      if (GetParam() > 1) {
        ASSERT_TRUE(reader.RebindToNode(node).ok());
      }
      EXPECT_EQ(reader.copy(), node);
      images.insert(ImageOf(*router, reader));
      ExpectSameAnswers(*router, reader, same);
    }
    EXPECT_EQ(images.size(), GetParam());
  }
  EXPECT_FALSE(domain.is_numa_degraded());
  EXPECT_TRUE(log.lines.empty());
}

TEST_P(NumaCopiesTest, AreChosenByTheCpu) {
  std::thread([&] {
    for (const unsigned cpu : AllowedCpus()) {
      const unsigned copy = cpu < GetParam() ? cpu : 0;
      Reader moved = MakeReader(domain);
      ASSERT_TRUE(RunOn(cpu));
      const Reader fresh = MakeReader(domain);
      EXPECT_EQ(fresh.copy(), copy) << "CPU " << cpu;
      moved.Rebind();
      EXPECT_EQ(moved.copy(), copy) << "CPU " << cpu;
    }
  }).join();
}

TEST_P(NumaCopiesTest, StayWithAReaderUntilItRebinds) {
  PublishOk(*router, EpochRing(1));
  Reader reader = MakeReader(domain);
  const unsigned last = GetParam() - 1;
  if (last > 0) {
    ASSERT_TRUE(reader.RebindToNode(last).ok());
  }
  std::thread([&] { PublishOk(*router, EpochRing(2)); }).join();
  EXPECT_EQ(reader.copy(), last);
  ExpectSameAnswers(*router, reader, EpochRing(2));
}

TEST_P(NumaCopiesTest, AreRefusedByNodeWhereThereAreNone) {
  Reader reader = MakeReader(domain);
  const uint32_t before = reader.copy();
  const Status refused = reader.RebindToNode(4711);
  EXPECT_EQ(refused.code(), Code::kInvalidOptions);
  EXPECT_EQ(refused.message(), "NUMA node 4711: no copies of rings lie there");
  EXPECT_EQ(reader.copy(), before);
}

// One reader on each copy, and one that wanders, while rings come and go: what
// each is given is of one epoch, and no epoch is older than the one before.
TEST_P(NumaCopiesTest, AreNeverOfTwoEpochs) {
  const auto rings = static_cast<uint64_t>(400 * kSlack);
  std::atomic<bool> is_done{false};
  std::atomic<uint64_t> switches{0};
  std::atomic<unsigned> ready{0};
  const auto read = [&](unsigned node, bool wanders) {
    Reader reader = MakeReader(domain);
    const std::vector<std::string> keys = Keys("key-", 0, 20);
    std::vector<Ring> same;  // EpochRing makes seven
    for (uint64_t i = 0; i < 7; ++i) same.push_back(EpochRing(i + 7));
    uint64_t last = 0;
    ++ready;
    while (!is_done) {
      if (GetParam() > 1) {
        ASSERT_TRUE(reader.RebindToNode(node).ok());
        if (wanders) node = (node + 1) % GetParam();
      }
      const Pin pin(reader);
      const PublishedRing& ring = router->Current(pin);
      ASSERT_GE(ring.epoch(), last);
      if (ring.epoch() != last) ++switches;
      last = ring.epoch();
      ASSERT_EQ(ring.image()->epoch, last);
      ASSERT_EQ(ring.ring().epoch(), last);
      if (last == 0) continue;
      for (const std::string& key : keys) {
        ASSERT_EQ(ring.Owner(key), same[last % 7].Owner(key));
      }
    }
  };
  std::vector<std::thread> readers;
  for (unsigned node = 0; node < GetParam(); ++node) {
    readers.emplace_back(read, node, false);
  }
  readers.emplace_back(read, 0, true);
  ASSERT_TRUE(Eventually([&] { return ready == readers.size(); }));
  for (uint64_t epoch = 1; epoch <= rings; ++epoch) {
    PublishOk(*router, EpochRing(epoch).Copy(0).value());  // gets the next
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_TRUE(
      Eventually([&] { return router->stats().serving_epoch == rings; }));
  is_done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_GT(switches, rings / 20) << "the readers hardly met";
}

TEST(NumaMachineTest, MemoryBelongsToItsOwnCpusFirst) {
  const Environment machine(Synthetic(kMemoryOnlyNode));
  const Domain domain = MakeDomain(Flavour::kMemb);
  ASSERT_EQ(domain.copy_count(), 3u);
  std::thread([&] {
    for (const unsigned cpu : AllowedCpus()) {
      if (cpu > 1) continue;
      ASSERT_TRUE(RunOn(cpu));
      EXPECT_EQ(MakeReader(domain).copy(), cpu);
    }
  }).join();
  Reader reader = MakeReader(domain);
  ASSERT_TRUE(reader.RebindToNode(2).ok());
  EXPECT_EQ(reader.copy(), 2u);
}

TEST(NumaMachineTest, CpusWithoutACopyReadTheFirst) {
  const Environment machine(Synthetic("numa:2 pu:1(indexes=1000,1001)"));
  const Domain domain = MakeDomain(Flavour::kMemb);
  ASSERT_EQ(domain.copy_count(), 2u);
  Reader reader = MakeReader(domain);
  EXPECT_EQ(reader.copy(), 0u);
  ASSERT_TRUE(reader.RebindToNode(1).ok());
  reader.Rebind();
  EXPECT_EQ(reader.copy(), 0u);
}

TEST(NumaMachineTest, NodesWithoutMemoryGetNoCopy) {
  const Environment machine(Synthetic(kNodesWithoutMemory));
  const Domain domain = MakeDomain(Flavour::kMemb);
  EXPECT_EQ(domain.copy_count(), 1u);
  EXPECT_FALSE(domain.is_numa_degraded());
}

TEST(NumaMachineTest, NodesThatAreNotAllowedGetNoCopy) {
  auto variables = SyntheticOnThisKernel("numa:2(indexes=0,900) pu:1");
  variables.emplace_back("HWLOC_THISSYSTEM_ALLOWED_RESOURCES", "1");
  const Environment machine(variables);
  const Domain domain = MakeDomain(Flavour::kMemb);
  EXPECT_EQ(domain.copy_count(), 1u);
  EXPECT_FALSE(domain.is_numa_degraded());
}

TEST(NumaMachineTest, OneCopyIfNoMoreAreWanted) {
  const Environment machine(Synthetic("numa:4 pu:1"));
  DomainOptions options;
  options.numa_copies = false;
  EXPECT_EQ(MakeDomain(options).copy_count(), 1u);
}

}  // namespace
}  // namespace clockwise
