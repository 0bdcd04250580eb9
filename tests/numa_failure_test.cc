// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Copies that cannot be placed: their readers share another, publishing goes
// on, and it is said once.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <thread>

#include "numa_maker.h"
#include "route/domain_core.h"

namespace clockwise {
namespace {

constexpr uint32_t kCopies = 3;

// Which copies there is no memory for now.
using Failures = std::array<std::atomic<bool>, kCopies>;

class FailingSource final : public BlockSource {
 public:
  explicit FailingSource(const std::atomic<bool>& fails) : fails_(fails) {}
  void* Acquire(size_t bytes) noexcept override {
    return fails_ ? nullptr : DefaultBlockSource().Acquire(bytes);
  }
  void Release(void* block, size_t bytes) noexcept override {
    DefaultBlockSource().Release(block, bytes);
  }

 private:
  const std::atomic<bool>& fails_;
};

CopyPlaces PlacesThatFail(const Failures& failures) {
  std::vector<CopyPlaces::Place> places;
  for (uint32_t i = 0; i < kCopies; ++i) {
    places.push_back({{i, {}}, std::make_unique<FailingSource>(failures[i])});
  }
  return CopyPlaces(std::move(places));
}

// A bit per copy.
void Fail(Failures& failures, uint32_t which) {
  for (uint32_t i = 0; i < kCopies; ++i) failures[i] = (which >> i & 1) != 0;
}

class NumaFailureTest : public ::testing::Test {
 protected:
  // Publishes, and checks that just the copies of `failed` are the first one.
  void PublishAndExpectShared(uint64_t epoch, uint32_t failed) {
    Fail(failures, failed);
    const auto done = router->PublishAndWait(EpochRing(epoch),
                                             After(std::chrono::seconds(10)));
    ASSERT_EQ(done.value().outcome, Outcome::kSettled);
    const void* first = nullptr;
    for (uint32_t i = 0; i < kCopies; ++i) {
      ASSERT_TRUE(reader.RebindToNode(i).ok());
      EXPECT_EQ(reader.copy(), i);
      ExpectSameAnswers(*router, reader, EpochRing(epoch));
      const void* image = ImageOf(*router, reader);
      if (i == 0) first = image;
      EXPECT_EQ(image == first, i == 0 || (failed >> i & 1) != 0)
          << "copy " << i << ", failed " << failed;
    }
  }

  Failures failures{};
  Log log;
  Domain domain =
      DomainAccess::Create(log.Options(), PlacesThatFail(failures)).value();
  std::unique_ptr<Router> router = MakeRouter(domain);
  Reader reader = MakeReader(domain);
};

TEST_F(NumaFailureTest, NothingIsSaidWhileAllGoesWell) {
  for (uint64_t epoch = 1; epoch < 10; ++epoch) {
    PublishAndExpectShared(epoch, 0);
  }
  EXPECT_FALSE(domain.is_numa_degraded());
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(NumaFailureTest, ASecondRingMayFail) {
  PublishAndExpectShared(1, 0);
  EXPECT_FALSE(domain.is_numa_degraded());
  PublishAndExpectShared(2, 0b010);
  EXPECT_TRUE(domain.is_numa_degraded());
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines[0],
            "no memory could be placed for copy 1 of a ring: readers of its "
            "NUMA node share another copy");
}

TEST_F(NumaFailureTest, AnyCopiesMayFailAndItIsSaidOnce) {
  uint64_t epoch = 0;
  for (uint32_t failed = 1; failed < 1u << kCopies; ++failed) {
    PublishAndExpectShared(++epoch, failed);
    EXPECT_TRUE(domain.is_numa_degraded());
    EXPECT_EQ(log.lines.size(), 1u);
  }
}

TEST_F(NumaFailureTest, CopiesComeBackWithMemory) {
  PublishAndExpectShared(1, 0b111);
  PublishAndExpectShared(2, 0);
  EXPECT_TRUE(domain.is_numa_degraded()) << "it has happened";
  PublishAndExpectShared(3, 0b100);
  EXPECT_EQ(log.lines.size(), 1u);
}

TEST_F(NumaFailureTest, RoutersOfADomainSayItOnce) {
  PublishAndExpectShared(1, 0b110);
  const auto other = MakeRouter(domain);
  EXPECT_EQ(PublishOk(*other, EpochRing(1)), Outcome::kServing);
  EXPECT_EQ(log.lines.size(), 1u);
}

// For each set of copies that fail from the start, before any ring.
TEST(NumaStartTest, SucceedsWithoutPlaces) {
  for (uint32_t failed = 0; failed < 1u << kCopies; ++failed) {
    Failures failures{};
    Fail(failures, failed);
    Log log;
    const auto domain =
        DomainAccess::Create(log.Options(), PlacesThatFail(failures));
    ASSERT_TRUE(domain.ok()) << domain.status().message();
    EXPECT_EQ(domain.value().is_numa_degraded(), failed != 0);
    EXPECT_EQ(log.lines.size(), failed != 0 ? 1u : 0u);
  }
}

TEST(NumaStartTest, SucceedsWithNodesThatRefuseASource) {
  std::vector<CopyPlaces::Place> places(2);
  places[0].node.os_index = 3;
  places[1].node.os_index = 5;
  const auto domain =
      DomainAccess::Create({}, CopyPlaces(std::move(places))).value();
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  Reader reader = MakeReader(domain);
  ASSERT_TRUE(reader.RebindToNode(5).ok());
  ExpectSameAnswers(*router, reader, EpochRing(1));
  EXPECT_TRUE(domain.is_numa_degraded());
}

// From now on system call `number` fails with `error` on this thread, and on
// those that it starts.
bool RefuseCall(long number, int error) {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1),
      BPF_STMT(BPF_RET | BPF_K,
               SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(code), code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool CanBindToNode(unsigned node) {
  const auto source = CreateNumaBlockSource(node);
  return source.ok() && Block::Acquire(*source.value(), 1).data() != nullptr;
}

// On a machine of two nodes whose kernel answers mbind by `error`.
void ExpectDegraded(int error) {
  const Environment machine(SyntheticOnThisKernel("numa:2 pu:1"));
  ASSERT_TRUE(RefuseCall(SYS_mbind, error));
  EXPECT_FALSE(CanBindToNode(0));
  Log log;
  const Domain domain = MakeDomain(log.Options());
  ASSERT_EQ(domain.copy_count(), 2u);
  const auto router = MakeRouter(domain);
  Reader reader = MakeReader(domain);
  for (const uint64_t epoch : {1u, 2u}) {
    EXPECT_EQ(PublishOk(*router, EpochRing(epoch)), Outcome::kServing);
    ASSERT_TRUE(reader.RebindToNode(0).ok());
    const void* first = ImageOf(*router, reader);
    ASSERT_TRUE(reader.RebindToNode(1).ok());
    EXPECT_EQ(ImageOf(*router, reader), first);
    ExpectSameAnswers(*router, reader, EpochRing(epoch));
  }
  EXPECT_TRUE(domain.is_numa_degraded());
  EXPECT_EQ(log.lines.size(), 1u);
}

// What containers answer, kernels without NUMA, and those short of memory.
TEST(NumaKernelTest, MayRefuseToBindMemory) {
  for (const int error : {EPERM, ENOSYS, ENOMEM}) {
    std::thread(ExpectDegraded, error).join();
  }
}

TEST(NumaKernelTest, MayRefuseToSayWherePagesAre) {
  const Environment machine(SyntheticOnThisKernel("numa:2 pu:1"));
  if (!CanBindToNode(0)) GTEST_SKIP() << "this kernel does not bind memory";
  std::thread([] {
    ASSERT_TRUE(RefuseCall(SYS_move_pages, EPERM));
    EXPECT_TRUE(CanBindToNode(0));
  }).join();
}

// As one that went offline after the topology was read.
TEST(NumaKernelTest, MayNotHaveTheNode) {
  const Environment machine(
      SyntheticOnThisKernel("numa:2(indexes=0,900) pu:1"));
  Log log;
  const Domain domain = MakeDomain(log.Options());
  ASSERT_EQ(domain.copy_count(), 2u);
  const auto router = MakeRouter(domain);
  Reader reader = MakeReader(domain);
  PublishOk(*router, EpochRing(1));
  ASSERT_TRUE(reader.RebindToNode(900).ok());
  ExpectSameAnswers(*router, reader, EpochRing(1));
  EXPECT_TRUE(domain.is_numa_degraded());
  EXPECT_EQ(log.lines.size(), 1u);
}

}  // namespace
}  // namespace clockwise
