// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/key_cache.h"

#include <gtest/gtest.h>

#include <string>

#include "clockwise/hash.h"

namespace clockwise {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

class KeyCacheTest : public ::testing::Test {
 protected:
  void Put(const std::string& key, const std::string& value) {
    cache.Put(key, Xxh3_64(key), epoch, now, value);
  }
  // The value, "-" where there is none.
  std::string Find(const std::string& key) {
    const std::string* value = cache.Find(key, Xxh3_64(key), epoch, now);
    return value != nullptr ? *value : "-";
  }

  KeyCache<std::string> cache = KeyCache<std::string>::Create({}).value();
  uint64_t epoch = 7;
  nanoseconds now = milliseconds(1000);
};

TEST_F(KeyCacheTest, HoldsWhatWasPutForAsLongAsItMay) {
  EXPECT_EQ(Find("a"), "-");
  Put("a", "1");
  EXPECT_EQ(Find("a"), "1");
  Put("a", "2");
  now += milliseconds(100) - nanoseconds(1);
  EXPECT_EQ(Find("a"), "2");
  now += nanoseconds(1);
  EXPECT_EQ(Find("a"), "-") << "too old";
  now -= milliseconds(101);
  EXPECT_EQ(Find("a"), "-") << "of a time to come: the clock is no clock";
}

TEST_F(KeyCacheTest, AnotherEpochFetchesAnew) {
  Put("a", "1");
  ++epoch;
  EXPECT_EQ(Find("a"), "-");
  Put("a", "2");
  EXPECT_EQ(Find("a"), "2");
}

TEST_F(KeyCacheTest, KeysOfOneHashAreToldApart) {
  cache.Put("a", 1, epoch, now, "of a");
  cache.Put("b", 1, epoch, now, "of b");
  EXPECT_EQ(*cache.Find("a", 1, epoch, now), "of a");
  EXPECT_EQ(*cache.Find("b", 1, epoch, now), "of b");
  EXPECT_EQ(cache.Find("c", 1, epoch, now), nullptr);
}

TEST_F(KeyCacheTest, WhatIsFoundStaysLongest) {
  for (const char* key : {"a", "b", "c", "d"}) {
    cache.Put(key, 1, epoch, now, key);
  }
  EXPECT_NE(cache.Find("a", 1, epoch, now), nullptr);
  cache.Put("e", 1, epoch, now, "e");
  EXPECT_NE(cache.Find("a", 1, epoch, now), nullptr);
  EXPECT_EQ(cache.Find("b", 1, epoch, now), nullptr);
  EXPECT_NE(cache.Find("e", 1, epoch, now), nullptr);
}

TEST_F(KeyCacheTest, ForgetsWhatItIsToldTo) {
  Put("a", "1");
  Put("b", "2");
  cache.Erase("a", Xxh3_64("a"));
  cache.Erase("never", Xxh3_64("never"));
  EXPECT_EQ(Find("a"), "-");
  EXPECT_EQ(Find("b"), "2");
  cache.Clear();
  EXPECT_EQ(Find("b"), "-");
}

// Hashes of 32-bit rings, whose low half is 0, fill all entries as well.
TEST_F(KeyCacheTest, HashesOf32BitsSpread) {
  int held = 0;
  for (uint64_t i = 0; i < 64; ++i) {
    cache.Put(std::to_string(i), Fmix64(i) >> 32 << 32, epoch, now, "v");
  }
  for (uint64_t i = 0; i < 64; ++i) {
    const uint64_t hash = Fmix64(i) >> 32 << 32;
    held += cache.Find(std::to_string(i), hash, epoch, now) != nullptr ? 1 : 0;
  }
  EXPECT_GE(held, 40);
}

TEST(KeyCacheOptionsTest, BadOnesAreRefused) {
  const auto refusal = [](const KeyCacheOptions& options) {
    return KeyCache<int>::Create(options).status().message();
  };
  EXPECT_EQ(refusal({.entries = 2}),
            "key cache: entries 2; a power of two, 4 to 65536");
  EXPECT_EQ(refusal({.entries = 96}),
            "key cache: entries 96; a power of two, 4 to 65536");
  EXPECT_EQ(refusal({.max_age = nanoseconds(0)}),
            "key cache: max_age 0 ns; above 0");
}

}  // namespace
}  // namespace clockwise
