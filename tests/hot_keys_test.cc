// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Hot keys: the bounds of the sketch, on streams of which all is known.
#include "clockwise/hot_keys.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace clockwise {
namespace {

HotKeySketch SketchOf(uint32_t counters, uint32_t shown = 63) {
  return std::move(
             HotKeySketch::Create({.counters = counters, .shown_bytes = shown}))
      .value();
}

using Counts = std::map<std::string, uint64_t>;

// A stream of keys by Zipf's law with this exponent, from `first` on.
std::vector<std::string> ZipfKeys(uint64_t seed, size_t count, double exponent,
                                  size_t keys = 10'000) {
  std::vector<double> weights;
  for (size_t i = 1; i <= keys; ++i) {
    weights.push_back(std::pow(static_cast<double>(i), -exponent));
  }
  std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
  std::mt19937_64 random(seed);
  std::vector<std::string> stream;
  for (size_t i = 0; i < count; ++i) {
    stream.push_back("key-" + std::to_string(draw(random)));
  }
  return stream;
}

// What the paper promises, of a sketch and what it was given.
void ExpectBounds(const HotKeySketch& sketch, const Counts& truth,
                  uint32_t counters) {
  uint64_t total = 0;
  for (const auto& [key, count] : truth) total += count;
  EXPECT_EQ(sketch.total(), total);
  std::set<std::string> found;
  uint64_t last = UINT64_MAX;
  for (const HotKey& hot : sketch.Top(counters)) {
    const auto there = truth.find(hot.key);
    ASSERT_NE(there, truth.end());
    EXPECT_GE(hot.count, there->second) << hot.key;
    EXPECT_LE(hot.count - hot.error, there->second) << hot.key;
    EXPECT_LE(hot.error * counters, total);
    EXPECT_LE(hot.count, last);
    EXPECT_EQ(hot.size, hot.key.size());
    EXPECT_EQ(hot.hash, Xxh3_128(hot.key, 0));
    last = hot.count;
    EXPECT_TRUE(found.insert(hot.key).second);
  }
  for (const auto& [key, count] : truth) {
    if (count * counters > total) {
      EXPECT_TRUE(found.contains(key)) << key;
    }
  }
}

TEST(HotKeysTest, BoundsHoldOnStreams) {
  for (uint32_t counters : {1u, 2u, 7u, 64u, 1000u}) {
    for (double exponent : {0.0, 0.8, 1.1, 2.0}) {
      HotKeySketch sketch = SketchOf(counters);
      Counts truth;
      for (const std::string& key : ZipfKeys(counters, 20'000, exponent)) {
        sketch.Add(key);
        ++truth[key];
      }
      ExpectBounds(sketch, truth, counters);
    }
  }
}

TEST(HotKeysTest, FewKeysAreCountedExactly) {
  HotKeySketch sketch = SketchOf(4);
  sketch.Add("a", 5);
  sketch.Add("b", 2);
  sketch.Add("a", 3);
  sketch.Add("", 1);
  sketch.Add("zero", 0);
  const auto top = sketch.Top(9);
  ASSERT_EQ(top.size(), 3u);
  EXPECT_EQ(top[0].key, "a");
  EXPECT_EQ(top[0].count, 8u);
  EXPECT_EQ(top[0].error, 0u);
  EXPECT_EQ(top[2].key, "");
  EXPECT_EQ(sketch.Top(1).size(), 1u);
  const auto above = sketch.Above(19);  // b is 2 of 11
  ASSERT_EQ(above.size(), 1u);
  EXPECT_EQ(above[0].key, "a");
  EXPECT_EQ(sketch.Above(18).size(), 2u);
}

TEST(HotKeysTest, MergingKeepsTheBounds) {
  for (uint32_t counters : {1u, 8u, 100u}) {
    HotKeySketch all = SketchOf(counters);
    Counts truth;
    for (uint64_t part = 0; part < 6; ++part) {
      HotKeySketch sketch = SketchOf(counters);
      for (const std::string& key : ZipfKeys(part, 5000, 1.1)) {
        sketch.Add(key);
        ++truth[key];
      }
      ASSERT_TRUE(all.Merge(sketch).ok());
    }
    // Least counters add up to no more than all over the counters of a sketch,
    // and a sketch with a counter too few for all has them twice.
    uint64_t total = 0;
    for (const auto& [key, count] : truth) total += count;
    EXPECT_EQ(all.total(), total);
    std::set<std::string> found;
    for (const HotKey& hot : all.Top(counters)) {
      EXPECT_GE(hot.count, truth.at(hot.key));
      EXPECT_LE(hot.count - hot.error, truth.at(hot.key));
      found.insert(hot.key);
    }
    for (const auto& [key, count] : truth) {
      if (count * counters > total) {
        EXPECT_TRUE(found.contains(key)) << key;
      }
    }
  }
  EXPECT_EQ(SketchOf(2).Merge(SketchOf(3)).code(), Code::kInvalidOptions);
}

TEST(HotKeysTest, HalvingFadesAndClearingForgets) {
  HotKeySketch sketch = SketchOf(4);
  sketch.Add("a", 9);
  sketch.Add("b", 4);
  sketch.Halve();
  EXPECT_EQ(sketch.Top(1)[0].count, 5u);
  EXPECT_EQ(sketch.total(), 7u);
  sketch.Clear();
  EXPECT_EQ(sketch.total(), 0u);
  EXPECT_TRUE(sketch.Top(4).empty());
  sketch.Add("c");
  EXPECT_EQ(sketch.Top(4).size(), 1u);
}

TEST(HotKeysTest, LongKeysAreToldApartByMoreThanIsShown) {
  HotKeySketch sketch = SketchOf(4, 3);
  sketch.Add("abcdef");
  sketch.Add("abcxyz", 2);
  const auto top = sketch.Top(4);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].key, "abc");
  EXPECT_EQ(top[0].size, 6u);
  EXPECT_EQ(top[0].hash, Xxh3_128("abcxyz", 0));
  HotKeySketch unseen = SketchOf(4, 0);
  unseen.Add("abc");
  EXPECT_EQ(unseen.Top(1)[0].key, "");
}

TEST(HotKeysTest, CountsSaturate) {
  HotKeySketch sketch = SketchOf(1);
  sketch.Add("a", UINT64_MAX);
  sketch.Add("a", 5);
  sketch.Add("b", 5);
  EXPECT_EQ(sketch.total(), UINT64_MAX);
  EXPECT_EQ(sketch.Top(1)[0].count, UINT64_MAX);
}

TEST(HotKeysTest, OptionsAreHeldToTheirLimits) {
  EXPECT_EQ(HotKeySketch::Create({.counters = 0}).status().message(),
            "hot keys: 0 counters; 1 to 65536");
  EXPECT_EQ(HotKeySketch::Create({.shown_bytes = 256}).status().message(),
            "hot keys: 256 shown bytes; 0 to 255");
  EXPECT_FALSE(HotKeyCollector::Create({.counters = 65537}).ok());
  auto collector = std::move(HotKeyCollector::Create()).value();
  EXPECT_EQ(collector.Join(0).status().message(),
            "hot keys: period 0; 1 or more");
}

TEST(HotKeyCollectorTest, BringsThreadsTogether) {
  const HotKeyOptions options = {.counters = 64, .shown_bytes = 63};
  auto collector = std::move(HotKeyCollector::Create(options)).value();
  HotKeySketch all = SketchOf(64);
  constexpr int kThreads = 3;
  constexpr uint64_t kKeys = 40'000;
  std::atomic<int> running = kThreads;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      auto counting = std::move(collector.Join(1000)).value();
      for (const std::string& key :
           ZipfKeys(static_cast<uint64_t>(t), kKeys, 1.1)) {
        counting.Add(key);
      }
      --running;
    });
  }
  while (running.load() > 0) {
    ASSERT_TRUE(collector.Collect(all).ok());
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(collector.Collect(all).ok());
  // All but what threads had not yet handed over: less than two periods where
  // the collector keeps up, and here it may be late.
  EXPECT_GT(all.total(), 0u);
  EXPECT_LE(all.total(), kThreads * kKeys);
  EXPECT_EQ(all.Top(1)[0].key, "key-0");
}

TEST(HotKeyCollectorTest, WhatIsHandedOverOutlivesItsThread) {
  auto collector = std::move(HotKeyCollector::Create({.counters = 8})).value();
  HotKeySketch all = SketchOf(8);
  {
    auto counting = std::move(collector.Join(2)).value();
    for (const char* key : {"a", "a", "a"}) counting.Add(key);
    auto moved = std::move(counting);
    moved.Add("b");
  }
  ASSERT_TRUE(collector.Collect(all).ok());
  EXPECT_EQ(all.total(), 2u);
  EXPECT_EQ(all.Top(1)[0].count, 2u);
  ASSERT_TRUE(collector.Collect(all).ok());
  EXPECT_EQ(all.total(), 2u);
}

TEST(HotKeyRemediesTest, ReadsFanOutOverTheFirstReplicas) {
  const NodeIndex replicas[] = {4, 2, 9};
  std::map<NodeIndex, int> counts;
  for (uint64_t draw = 0; draw < 30; ++draw)
    ++counts[FanOut(replicas, 2, draw)];
  EXPECT_EQ(counts, (std::map<NodeIndex, int>{{4, 15}, {2, 15}}));
  EXPECT_EQ(FanOut(replicas, 9, 5), 9u);
  EXPECT_EQ(FanOut({}, 2, 5), kNoNode);
  EXPECT_EQ(FanOut(replicas, 0, 5), kNoNode);
}

TEST(HotKeyRemediesTest, AKeyIsSplitIntoOthersAndItself) {
  SplitKey split("user:42", 12);
  EXPECT_EQ(split.parts(), 12u);
  EXPECT_EQ(split.Part(0), "user:42");
  EXPECT_EQ(split.Part(11), "user:42#11");
  EXPECT_EQ(split.Part(12), "user:42");
  EXPECT_EQ(split.Part(3), "user:42#3");
  SplitKey whole(std::string("a\0b", 3), 0);
  EXPECT_EQ(whole.Part(7), std::string("a\0b", 3));
}

}  // namespace
}  // namespace clockwise
