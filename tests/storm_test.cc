// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Far more publishes than readers let go of: bounded memory, the newest ring
// shown as soon as it can be.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <optional>
#include <thread>
#include <vector>

#include "router_maker.h"
#include "torture/answers.h"

namespace clockwise {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

size_t ResidentBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  unsigned long all = 0;
  unsigned long resident = 0;
  EXPECT_EQ(std::fscanf(file, "%lu %lu", &all, &resident), 2);
  std::fclose(file);
  return resident * static_cast<size_t>(getpagesize());
}

class StormTest : public ::testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(MaxLive, StormTest, ::testing::Values(3u, 8u));

// 100,000 publishes a second for 5 seconds, a reader asleep throughout.
TEST_P(StormTest, StaysWithinMaxLive) {
  constexpr uint64_t kRate = 100'000;
  constexpr uint64_t kPublishes = 5 * kRate;
  const uint32_t max_live = GetParam();
  const torture::Answers answers(1);
  const Domain domain = MakeDomain(Flavour::kMemb);
  const auto router = MakeRouter(domain, max_live);
  PublishOk(*router, answers.MakeRing(1, DefaultBlockSource()));
  Reader sleeper = MakeReader(domain, "sleeper");
  std::optional<Pin> pin(std::in_place, sleeper);
  uint32_t most_live = 0;
  size_t resident_early = 0;
  size_t resident_most = 0;
  double took = 0;
  std::thread([&] {
    const auto begin = Clock::now();
    for (uint64_t i = 0; i < kPublishes; ++i) {
      const uint64_t epoch = i + 2;
      EXPECT_TRUE(
          router->Publish(answers.MakeRing(epoch, DefaultBlockSource())).ok());
      if (i % 1000 != 0) continue;
      most_live = std::max(most_live, router->stats().live);
      resident_most = std::max(resident_most, ResidentBytes());
      if (i == kRate / 10) resident_early = ResidentBytes();
      std::this_thread::sleep_until(begin + std::chrono::microseconds(i * 10));
    }
    took = std::chrono::duration<double>(Clock::now() - begin).count();
  }).join();
  std::printf(
      "%.0f publishes/s, %u live rings at most, %zu KiB more resident\n",
      kPublishes / took, most_live, (resident_most - resident_early) / 1024);
  EXPECT_GE(kPublishes / took, kRate * 0.95 * kSlack);
  EXPECT_EQ(most_live, max_live);
  if (kSlack == 1) {  // sanitizers keep what is freed
    EXPECT_LE(resident_most, resident_early + (size_t{1} << 20));
  }
  const auto woke = Clock::now();
  pin.reset();
  EXPECT_TRUE(Eventually(
      [&] { return router->stats().serving_epoch == kPublishes + 1; },
      seconds(1)));
  const std::chrono::duration<double, std::milli> delay = Clock::now() - woke;
  std::printf("the newest ring is visible %.3f ms after\n", delay.count());
  EXPECT_TRUE(Eventually([&] { return router->stats().live == 1; }));
}

// One reader asleep for 5 seconds does not keep a ring a second from others.
TEST(StallTest, OthersSeeEachRingWithinTenMilliseconds) {
  const Domain domain = MakeDomain(Flavour::kMemb);
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  Reader sleeper = MakeReader(domain, "sleeper");
  const Pin pin(sleeper);
  std::atomic<bool> is_over{false};
  std::atomic<int64_t> seen_at[8] = {};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      const Reader reader = MakeReader(domain);
      while (!is_over) {
        const Pin own(reader);
        std::atomic<int64_t>& seen = seen_at[router->Current(own).epoch()];
        if (seen == 0) seen = Clock::now().time_since_epoch().count();
        std::this_thread::sleep_for(milliseconds(1));
      }
    });
  }
  std::thread([&] {
    for (uint64_t epoch = 2; epoch <= 6; ++epoch) {
      const auto at = Clock::now();
      EXPECT_EQ(PublishOk(*router, EpochRing(epoch)), Outcome::kServing);
      std::this_thread::sleep_until(at + seconds(1));
      const Clock::duration delay =
          Clock::duration(seen_at[epoch]) - at.time_since_epoch();
      const std::chrono::duration<double, std::milli> late = delay;
      EXPECT_LE(late.count() * kSlack, 10) << "epoch " << epoch;
      EXPECT_GT(seen_at[epoch], 0);
    }
  }).join();
  is_over = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace clockwise
