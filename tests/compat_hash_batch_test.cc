// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "clockwise/compat_hash.h"
#include "compat/hash/md5_batch.h"
#include "guarded_bytes.h"

namespace clockwise {
namespace {

using compat_internal::Md5;
using compat_internal::Md5Batch;
using compat_internal::Md5Digest;
using compat_internal::Texts;

constexpr size_t kMostBytes = 300;
constexpr size_t kMaxCount = 67;
constexpr size_t kCounts[] = {0,  1,  2,  3,  4,  7,  8,        9,
                              15, 16, 17, 31, 32, 33, kMaxCount};

PeerHash At(int i) { return static_cast<PeerHash>(i); }

std::string_view View(const uint8_t* at, size_t size) {
  return {reinterpret_cast<const char*>(at), size};
}

// Calls check() for every target, as if this CPU had no better one.
template <class Check>
void ForEachTarget(Check check) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    check();
    hwy::SetSupportedTargetsForTest(0);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Checks a batch, given as batch(hashes), and that it wrote nothing past its
// end.
template <class Out, class RunBatch>
void CheckBatch(PeerHash hash, const std::vector<uint64_t>& expected,
                RunBatch batch) {
  constexpr Out kUntouched = 0xABCDEF01;
  std::vector<Out> hashes(expected.size() + 1, kUntouched);
  batch(hashes.data());
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto whole = expected[i];
    ASSERT_EQ(hashes[i],
              static_cast<Out>(sizeof(Out) == 8 ? whole : whole >> 32))
        << PeerHashName(hash) << ", key " << i << " of " << expected.size()
        << ", " << sizeof(Out) << " bytes a hash";
  }
  ASSERT_EQ(hashes.back(), kUntouched);
}

void CheckViews(PeerHash hash, const std::vector<std::string_view>& keys) {
  std::vector<uint64_t> expected;
  for (const auto key : keys) expected.push_back(PeerHashOf(hash, key));
  const auto batch = [&](auto* hashes) {
    PeerHashBatch(hash, keys.data(), keys.size(), hashes);
  };
  CheckBatch<uint64_t>(hash, expected, batch);
  CheckBatch<uint32_t>(hash, expected, batch);
}

void CheckFixed(PeerHash hash, FixedKeys keys) {
  std::vector<uint64_t> expected;
  const auto* data = static_cast<const uint8_t*>(keys.data);
  for (size_t i = 0; i < keys.count; ++i) {
    expected.push_back(
        PeerHashOf(hash, View(data + i * keys.stride, keys.size)));
  }
  const auto batch = [&](auto* hashes) { PeerHashBatch(hash, keys, hashes); };
  CheckBatch<uint64_t>(hash, expected, batch);
  CheckBatch<uint32_t>(hash, expected, batch);
}

// Batches of every count that begin right after a protected page, and that end
// right before one.
void CheckShape(PeerHash hash, size_t size, size_t stride,
                const GuardedBytes& bytes) {
  for (const size_t count : kCounts) {
    CheckFixed(hash, {bytes.begin(), size, stride, count});
    const size_t span = count == 0 ? 0 : (count - 1) * stride + size;
    CheckFixed(hash, {bytes.end() - span, size, stride, count});
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Keys of all lengths, in an order that mixes them, against the pages.
std::vector<std::string_view> MixedKeys(const GuardedBytes& bytes) {
  std::vector<std::string_view> keys = {{}};
  for (size_t size = 0; size <= kMostBytes; ++size) {
    keys.push_back(View(bytes.begin(), size));
    keys.push_back(View(bytes.end() - size, size));
    keys.push_back(View(bytes.begin() + 1 + size % 63, size));
  }
  std::shuffle(keys.begin(), keys.end(), std::mt19937(7));
  return keys;
}

// Calls check(hash) for every hash, and every target for those that have
// kernels.
template <class Check>
void ForEachHash(Check check) {
  constexpr PeerHash kWithKernels[] = {PeerHash::kMd5Word, PeerHash::kMd5High64,
                                       PeerHash::kRedisSlot};
  for (int i = 0; i < kPeerHashes; ++i) {
    const PeerHash hash = At(i);
    if (std::count(std::begin(kWithKernels), std::end(kWithKernels), hash)) {
      ForEachTarget([&] { check(hash); });
    } else {
      check(hash);
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(CompatHashBatchTest, ViewsOfMixedLengthsEqualSingles) {
  const GuardedBytes bytes(4096);
  const auto keys = MixedKeys(bytes);
  ForEachHash([&](PeerHash hash) { CheckViews(hash, keys); });
}

TEST(CompatHashBatchTest, ViewsOfEveryCountEqualSingles) {
  const GuardedBytes bytes(4096);
  const auto keys = MixedKeys(bytes);
  ForEachHash([&](PeerHash hash) {
    for (const size_t count : kCounts) {
      CheckViews(hash, {keys.data(), keys.data() + count});
    }
  });
}

TEST(CompatHashBatchTest, FixedKeysOfEveryLengthEqualSingles) {
  const GuardedBytes bytes(kMaxCount * (kMostBytes + 3));
  ForEachHash([&](PeerHash hash) {
    for (size_t size = 0; size <= kMostBytes; ++size) {
      CheckShape(hash, size, size + (size % 2) * 3, bytes);
      if (HasFatalFailure()) return;
    }
  });
}

// One long key must hold up no other, and others not it.
TEST(CompatHashBatchTest, LongKeysAmongShortOnes) {
  std::vector<std::string> texts;
  std::mt19937 random(11);
  for (size_t i = 0; i < 600; ++i) {
    const size_t size = i % 97 == 0 ? 20000 + i : random() % 120;
    texts.emplace_back(size, static_cast<char>('a' + i % 26));
  }
  const std::vector<std::string_view> keys(texts.begin(), texts.end());
  ForEachTarget([&] {
    CheckViews(PeerHash::kMd5Word, keys);
    CheckViews(PeerHash::kMd5High64, keys);
    CheckViews(PeerHash::kRedisSlot, keys);
  });
}

TEST(CompatHashBatchTest, WholeDigestsEqualLibmd) {
  const GuardedBytes bytes(4096);
  const auto keys = MixedKeys(bytes);
  ForEachTarget([&] {
    std::vector<Md5Digest> digests(keys.size());
    Md5Batch(Texts(keys.data(), keys.size()), digests.data());
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(digests[i], Md5(keys[i])) << keys[i].size() << " bytes";
    }
  });
}

// Slots of keys with braces anywhere.
TEST(CompatHashBatchTest, SlotsOfKeysWithTagsEqualSingles) {
  std::mt19937 random(3);
  std::vector<std::string> texts;
  for (size_t i = 0; i < 4000; ++i) {
    std::string text(random() % 40, 'x');
    for (char& c : text) c = "{}abcdefgh"[random() % 10];
    texts.push_back(text);
  }
  const std::vector<std::string_view> keys(texts.begin(), texts.end());
  ForEachTarget([&] { CheckViews(PeerHash::kRedisSlot, keys); });
}

TEST(CompatHashBatchTest, EmptyBatchesAndEmptyKeysNeedNoPointer) {
  uint64_t hashes[9] = {};
  for (int i = 0; i < kPeerHashes; ++i) {
    PeerHashBatch(At(i), FixedKeys{}, hashes);
    PeerHashBatch(At(i), nullptr, 0, hashes);
    PeerHashBatch(At(i), FixedKeys{nullptr, 0, 0, 9}, hashes);
    for (const uint64_t hash : hashes) EXPECT_EQ(hash, PeerHashOf(At(i), {}));
  }
}

}  // namespace
}  // namespace clockwise
