// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Copies on the real nodes of a machine that has several; tools/numa_guest
// makes one. What the tests expect comes from the kernel's own files and calls.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "clockwise/topology.h"
#include "numa_maker.h"

namespace clockwise {
namespace {

using std::chrono::seconds;

constexpr char kNodes[] = "/sys/devices/system/node/";

std::string Line(const std::string& file) {
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  return line;
}

// "0-1,4" as the kernel writes sets.
std::vector<unsigned> ParseSet(const std::string& text) {
  std::vector<unsigned> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t dash = part.find('-');
    const unsigned long first = std::stoul(part);
    const unsigned long last =
        dash == std::string::npos ? first : std::stoul(part.substr(dash + 1));
    for (unsigned long n = first; n <= last; ++n) {
      numbers.push_back(static_cast<unsigned>(n));
    }
  }
  return numbers;
}

// CPUs by node, of the nodes with memory.
std::map<unsigned, std::vector<unsigned>> KernelNodes() {
  std::map<unsigned, std::vector<unsigned>> nodes;
  for (unsigned node : ParseSet(Line(std::string(kNodes) + "has_memory"))) {
    nodes[node] =
        ParseSet(Line(kNodes + ("node" + std::to_string(node)) + "/cpulist"));
  }
  return nodes;
}

// The nodes that the pages of [data, data + bytes) lie on; below 0: errors.
std::set<int> NodesOfPages(const void* data, size_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(data) & ~(page - 1);
  const auto end = reinterpret_cast<uintptr_t>(data) + bytes;
  std::vector<void*> pages;
  for (uintptr_t at = begin; at < end; at += page) {
    pages.push_back(reinterpret_cast<void*>(at));
  }
  std::vector<int> nodes(pages.size(), -1);
  EXPECT_EQ(syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr,
                    nodes.data(), 0),
            0);
  return {nodes.begin(), nodes.end()};
}

std::set<int> NodesOfImage(const Router& router, const Reader& reader) {
  const Pin pin(reader);
  const detail::RingImage* image = router.Current(pin).image();
  return NodesOfPages(image, image->bytes);
}

std::set<int> Only(unsigned node) { return {static_cast<int>(node)}; }

void PublishSettled(Router& router, Ring ring) {
  const auto done = router.PublishAndWait(std::move(ring), After(seconds(60)));
  ASSERT_TRUE(done.ok()) << done.status().message();
  ASSERT_EQ(done.value().outcome, Outcome::kSettled);
}

// Bytes of the image: about 2 KB, 200 KB and 4 MB, so of all kinds of blocks.
const RingOptions kSizes[] = {WithVnodes(16), WithVnodes(2500),
                              WithVnodes(50'000)};

class NumaNodesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (nodes.size() < 2) GTEST_SKIP() << "this machine has one NUMA node";
    for (const auto& [node, cpus] : nodes) {
      const auto source = CreateNumaBlockSource(node);
      if (!source.ok()) GTEST_SKIP() << source.status().message();
      if (Block::Acquire(*source.value(), 1).data() == nullptr) {
        GTEST_SKIP() << "the kernel does not bind memory here";
      }
    }
  }

  const std::map<unsigned, std::vector<unsigned>> nodes = KernelNodes();
  Log log;
  const Domain domain = MakeDomain(log.Options());
  const std::unique_ptr<Router> router = MakeRouter(domain);
  Reader reader = MakeReader(domain);
};

TEST_F(NumaNodesTest, AreThoseOfTheKernel) {
  const std::vector<NumaNode> seen = NumaNodes();
  ASSERT_EQ(seen.size(), nodes.size());
  for (const NumaNode& node : seen) {
    ASSERT_EQ(nodes.count(node.os_index), 1u) << node.os_index;
    // hwloc counts memory without CPUs as near all.
    if (const auto& cpus = nodes.at(node.os_index); !cpus.empty()) {
      EXPECT_EQ(node.cpus, cpus);
    }
  }
  EXPECT_EQ(domain.copy_count(), nodes.size());
}

TEST_F(NumaNodesTest, HaveAllPagesOfTheirCopies) {
  std::map<const void*, int> images;
  for (const RingOptions& size : kSizes) {
    const auto sized = MakeRouter(domain);
    for (uint64_t epoch = 1; epoch <= 4; ++epoch) {
      PublishSettled(*sized, EpochRing(epoch, size));
      for (const auto& [node, cpus] : nodes) {
        ASSERT_TRUE(reader.RebindToNode(node).ok());
        EXPECT_EQ(NodesOfImage(*sized, reader), Only(node));
        ++images[ImageOf(*sized, reader)];
      }
    }
  }
  // Rings of one size came back to the same blocks.
  EXPECT_LT(images.size(), nodes.size() * std::size(kSizes) * 4);
  EXPECT_FALSE(domain.is_numa_degraded());
  EXPECT_TRUE(log.lines.empty());
}

// Where the builder put the ring is no matter.
TEST_F(NumaNodesTest, HaveTheirCopiesWhereverARingWasBuilt) {
  uint64_t epoch = 0;
  for (const auto& [from, from_cpus] : nodes) {
    const auto source = std::move(CreateNumaBlockSource(from)).value();
    ++epoch;
    auto ring = EpochRing(epoch).Copy(epoch, source.get());
    PublishSettled(*router, std::move(ring).value());
    for (const auto& [node, cpus] : nodes) {
      ASSERT_TRUE(reader.RebindToNode(node).ok());
      EXPECT_EQ(NodesOfImage(*router, reader), Only(node));
    }
    PublishSettled(*router, EpochRing(++epoch));  // lets go of the source
  }
}

TEST_F(NumaNodesTest, AreReadByTheirOwnCpus) {
  PublishSettled(*router, EpochRing(1, kSizes[1]));
  for (const auto& [node, cpus] : nodes) {
    ASSERT_TRUE(reader.RebindToNode(node).ok());
    const void* own = ImageOf(*router, reader);
    for (const unsigned cpu : cpus) {
      std::thread([&, node = node, cpu] {
        ASSERT_TRUE(RunOn(cpu));
        const Reader local = MakeReader(domain);
        EXPECT_EQ(ImageOf(*router, local), own) << "CPU " << cpu;
        EXPECT_EQ(NodesOfImage(*router, local), Only(node));
      }).join();
    }
  }
}

TEST_F(NumaNodesTest, AreReadByThreadsThatMoved) {
  PublishSettled(*router, EpochRing(1, kSizes[1]));
  std::thread([&] {
    Reader moved = MakeReader(domain);
    for (const auto& [node, cpus] : nodes) {
      for (const unsigned cpu : cpus) {
        const void* before = ImageOf(*router, moved);
        ASSERT_TRUE(RunOn(cpu));
        EXPECT_EQ(ImageOf(*router, moved), before) << "before it rebinds";
        moved.Rebind();
        EXPECT_EQ(NodesOfImage(*router, moved), Only(node)) << "CPU " << cpu;
      }
    }
  }).join();
}

// The rest disturbs the machine: only where tools/numa_guest runs it.

constexpr size_t kMiB = size_t{1} << 20;

// Takes the memory of a node that there is now; returns how many bytes.
size_t TakeMemory(BlockSource& source, std::vector<Block>& blocks) {
  size_t taken = 0;
  for (size_t bytes = 16 * kMiB; bytes >= 4096; bytes /= 4) {
    for (;;) {
      Block block = Block::Acquire(source, bytes);
      if (block.data() == nullptr) break;
      taken += bytes;
      blocks.push_back(std::move(block));
    }
  }
  return taken;
}

// Until no more comes for a while: some of it the kernel only keeps back.
std::vector<Block> FillNode(BlockSource& source) {
  std::vector<Block> blocks;
  for (int quiet = 0; quiet < 3; ++quiet) {
    if (TakeMemory(source, blocks) > kMiB) quiet = 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return blocks;
}

TEST_F(NumaNodesTest, DISABLED_MayBeFull) {
  ASSERT_TRUE(RunOn(nodes.begin()->second.at(0)));  // its own memory lies there
  const Ring same = EpochRing(6, kSizes[2]);
  const unsigned full = nodes.rbegin()->first;
  const unsigned first = nodes.begin()->first;
  const auto source = std::move(CreateNumaBlockSource(full)).value();
  {
    const std::vector<Block> blocks = FillNode(*source);
    EXPECT_GT(blocks.size(), 4u);
    for (const Block& block : blocks) {
      EXPECT_EQ(NodesOfPages(block.data(), block.bytes()), Only(full));
    }
    PublishSettled(*router, EpochRing(6, kSizes[2]));
    ASSERT_TRUE(reader.RebindToNode(full).ok());
    ExpectSameAnswers(*router, reader, same);
    EXPECT_EQ(NodesOfImage(*router, reader), Only(first));
    EXPECT_TRUE(domain.is_numa_degraded());
    EXPECT_EQ(log.lines.size(), 1u);
  }
  PublishSettled(*router, EpochRing(13, kSizes[2]));
  EXPECT_EQ(NodesOfImage(*router, reader), Only(full));
  EXPECT_EQ(log.lines.size(), 1u);
}

// The program's own cpuset, where tools/numa_guest has put it.
class Cpuset {
 public:
  static bool SetNodes(const std::string& nodes) {
    std::ofstream file("/sys/fs/cgroup/test/cpuset.mems");
    return static_cast<bool>(file << nodes << std::flush);
  }
  Cpuset() {
    std::ofstream("/sys/fs/cgroup/test/cgroup.procs") << getpid() << std::flush;
  }
  ~Cpuset() {
    SetNodes("");
    std::ofstream("/sys/fs/cgroup/cgroup.procs") << getpid() << std::flush;
  }
};

TEST_F(NumaNodesTest, DISABLED_OutsideTheCpusetGetNoCopy) {
  const Cpuset cpuset;
  const unsigned allowed = nodes.rbegin()->first;
  ASSERT_TRUE(Cpuset::SetNodes(std::to_string(allowed)));
  ASSERT_EQ(NumaNodes().size(), 1u);
  EXPECT_EQ(NumaNodes()[0].os_index, allowed);
  EXPECT_EQ(MakeDomain(Flavour::kMemb).copy_count(), 1u);
}

// The kernel moves the pages of a node that is not allowed any more, and leaves
// them where they are when it is again.
TEST_F(NumaNodesTest, DISABLED_MayLeaveTheCpusetForAWhile) {
  const unsigned first = nodes.begin()->first;
  const unsigned last = nodes.rbegin()->first;
  ASSERT_TRUE(reader.RebindToNode(last).ok());
  PublishSettled(*router, EpochRing(6, kSizes[2]));
  EXPECT_EQ(NodesOfImage(*router, reader), Only(last));
  EXPECT_FALSE(domain.is_numa_degraded());
  {
    const Cpuset cpuset;
    ASSERT_TRUE(Cpuset::SetNodes(std::to_string(first)));
    PublishSettled(*router, EpochRing(13, kSizes[2]));
    ExpectSameAnswers(*router, reader, EpochRing(13, kSizes[2]));
    EXPECT_EQ(NodesOfImage(*router, reader), Only(first));
    EXPECT_TRUE(domain.is_numa_degraded());
    EXPECT_EQ(log.lines.size(), 1u);
  }
  // Takes the block of epoch 6 again.
  PublishSettled(*router, EpochRing(20, kSizes[2]));
  EXPECT_EQ(NodesOfImage(*router, reader), Only(last));
}

}  // namespace
}  // namespace clockwise
