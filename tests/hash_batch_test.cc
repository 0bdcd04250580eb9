// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <string>
#include <vector>

#include "clockwise/hash.h"
#include "guarded_bytes.h"
#include "hash_reference.h"

namespace clockwise {
namespace {

constexpr uint64_t kSeed = 0xFEDCBA9876543210;
// XXH3 adds the seed to some words and subtracts it from others.
constexpr uint64_t kXxh3Seeds[] = {0, 1, (1ull << 63) + 5, UINT64_MAX};
constexpr size_t kMaxCount = 199;
constexpr size_t kCounts[] = {0,  1,  2,  3,  4,   5,   7,
                              8,  15, 16, 17, 20,  31,  32,
                              33, 63, 64, 65, 100, 127, kMaxCount};
constexpr HashKind kWithLanes[] = {HashKind::kFnv1a32, HashKind::kFnv1a32Fmix,
                                   HashKind::kMurmur3_32, HashKind::kXxh3_64};
constexpr HashKind kWithoutLanes[] = {
    HashKind::kFnv1a64, HashKind::kFnv1a64Fmix, HashKind::kCrc32cFmix};

uint64_t Narrow(uint64_t hash, uint64_t) { return hash; }
uint32_t Narrow(uint64_t hash, uint32_t) {
  return static_cast<uint32_t>(hash >> 32);
}

// Checks one batch, and that it wrote nothing past its end.
template <class Out, class Expected>
void CheckBatch(HashKind kind, uint64_t seed, FixedKeys keys,
                Expected expected) {
  constexpr Out kUntouched = 0xABCDEF01;
  std::vector<Out> hashes(keys.count + 1, kUntouched);
  HashBatch(kind, seed, keys, hashes.data());
  for (size_t i = 0; i < keys.count; ++i) {
    ASSERT_EQ(hashes[i], Narrow(expected(i), Out{}))
        << HashName(kind) << ", key " << i << " of " << keys.count << ", size "
        << keys.size << ", stride " << keys.stride << ", at " << keys.data
        << ", seed " << seed << ", " << sizeof(Out) << " bytes a hash";
  }
  ASSERT_EQ(hashes[keys.count], kUntouched);
}

// Checks batches of every count that begin right after a protected page, and
// that end right before one.
void CheckShape(HashKind kind, uint64_t seed, size_t size, size_t stride,
                const GuardedBytes& bytes) {
  std::vector<uint64_t> from_begin, from_end;
  for (size_t i = 0; i < kMaxCount; ++i) {
    from_begin.push_back(
        reference::Hash(kind, bytes.begin() + i * stride, size, seed));
    from_end.push_back(
        reference::Hash(kind, bytes.end() - i * stride - size, size, seed));
  }
  for (const size_t count : kCounts) {
    FixedKeys keys = {bytes.begin(), size, stride, count};
    const auto begin = [&](size_t i) { return from_begin[i]; };
    CheckBatch<uint64_t>(kind, seed, keys, begin);
    CheckBatch<uint32_t>(kind, seed, keys, begin);
    keys.data = bytes.end() - size - (count == 0 ? 0 : (count - 1) * stride);
    const auto end = [&](size_t i) { return from_end[count - 1 - i]; };
    CheckBatch<uint64_t>(kind, seed, keys, end);
    CheckBatch<uint32_t>(kind, seed, keys, end);
  }
}

void CheckShapes(HashKind kind, uint64_t seed, size_t first_size,
                 size_t last_size) {
  const GuardedBytes bytes(kMaxCount * (last_size + 64));
  for (size_t size = first_size; size <= last_size; ++size) {
    for (const size_t stride : {size, size + 1, size + 3, size_t{64}}) {
      if (stride >= size) CheckShape(kind, seed, size, stride, bytes);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// Calls check() for every target, as if this CPU had no better one.
template <class Check>
void ForEachTarget(Check check) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    check();
    hwy::SetSupportedTargetsForTest(0);
  }
}

TEST(HashBatchTest, LanesOfEveryTargetEqualTheReference) {
  ForEachTarget([] {
    for (const HashKind kind : kWithLanes) CheckShapes(kind, kSeed, 0, 80);
  });
}

TEST(HashBatchTest, Xxh3LanesEqualTheReferenceWithAnySeed) {
  ForEachTarget([] {
    for (const uint64_t seed : kXxh3Seeds) {
      CheckShapes(HashKind::kXxh3_64, seed, 8, 40);
    }
  });
}

TEST(HashBatchTest, Xxh3LanesEqualTheReferenceUpTo128Bytes) {
  ForEachTarget([] { CheckShapes(HashKind::kXxh3_64, kSeed, 81, 130); });
}

TEST(HashBatchTest, OtherKindsEqualTheReference) {
  for (const HashKind kind : kWithoutLanes) CheckShapes(kind, kSeed, 0, 80);
}

TEST(HashBatchTest, LongKeysEqualTheReference) {
  const GuardedBytes bytes(kMaxCount * 300);
  for (int k = 0; k < kHashKinds; ++k) {
    for (const size_t size : {240u, 241u, 256u, 300u}) {
      CheckShape(HashKind{static_cast<uint8_t>(k)}, kSeed, size, size, bytes);
    }
  }
}

TEST(HashBatchTest, ViewsOfAnyLengthEqualTheReference) {
  const GuardedBytes bytes(4096);
  std::vector<std::string_view> keys = {{}};
  for (size_t i = 0; i < 300; ++i) {
    const uint8_t* key = i % 2 ? bytes.begin() : bytes.end() - i;
    keys.emplace_back(reinterpret_cast<const char*>(key), i);
  }
  std::vector<uint64_t> wide(keys.size());
  std::vector<uint32_t> narrow(keys.size());
  for (int k = 0; k < kHashKinds; ++k) {
    const HashKind kind{static_cast<uint8_t>(k)};
    HashBatch(kind, kSeed, keys.data(), keys.size(), wide.data());
    HashBatch(kind, kSeed, keys.data(), keys.size(), narrow.data());
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto* key = reinterpret_cast<const uint8_t*>(keys[i].data());
      const uint64_t hash = reference::Hash(kind, key, keys[i].size(), kSeed);
      ASSERT_EQ(wide[i], hash) << HashName(kind) << " of " << i;
      ASSERT_EQ(narrow[i], hash >> 32) << HashName(kind) << " of " << i;
    }
  }
}

TEST(HashBatchTest, EmptyBatchesAndEmptyKeysNeedNoPointer) {
  uint64_t hashes[9] = {};
  for (int k = 0; k < kHashKinds; ++k) {
    const HashKind kind{static_cast<uint8_t>(k)};
    HashBatch(kind, kSeed, FixedKeys{}, hashes);
    HashBatch(kind, kSeed, nullptr, 0, hashes);
    HashBatch(kind, kSeed, FixedKeys{nullptr, 0, 0, 9}, hashes);
    for (const uint64_t hash : hashes) EXPECT_EQ(hash, Hash(kind, {}, kSeed));
  }
}

}  // namespace
}  // namespace clockwise
