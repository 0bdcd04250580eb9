// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "guarded_bytes.h"
#include "hash/crc32c.h"
#include "hash/xxh3_long.h"
#include "hash_reference.h"

namespace clockwise {
namespace {

using namespace std::string_view_literals;

constexpr uint64_t kSeeds[] = {0, 7, 0x8000000000000005, ~uint64_t{0}};

// Every length up to 600, then the neighbours of whole XXH3 blocks, then long.
std::vector<size_t> Lengths() {
  std::vector<size_t> lengths;
  for (size_t n = 0; n <= 600; ++n) lengths.push_back(n);
  for (size_t n = 601; n <= 4160; n += 37) lengths.push_back(n);
  for (size_t n = 1024; n <= 4160; n += 64) {
    lengths.insert(lengths.end(), {n - 1, n, n + 1});
  }
  return lengths;
}

std::string_view View(const uint8_t* key, size_t size) {
  return {reinterpret_cast<const char*>(key), size};
}

// Calls check(key, size) for keys against both protected pages, and at other
// alignments between them.
template <class Check>
void ForKeys(Check check) {
  const GuardedBytes bytes(8192);
  for (const size_t size : Lengths()) {
    check(bytes.begin(), size);
    check(bytes.end() - size, size);
    check(bytes.begin() + 1 + size % 63, size);
  }
}

struct Known {
  std::string_view key;
  uint32_t fnv32, fnv32_fmix;
  uint64_t fnv64, xxh3;
};

TEST(HashTest, KnownAnswers) {
  for (const Known& known : {
           Known{"", 0x811c9dc5, 0xab3e7c0b, 0xcbf29ce484222325,
                 0x2d06800538d394c2},
           Known{"foobar", 0xbf9cf968, 0x0c0da6dc, 0x85944171f73967e8,
                 0xd78fda63144c5c84},
           Known{"\0"sv, 0x050c5d1f, 0x0578ab1b, 0xaf63bd4c8601b7df,
                 0xc44bdff4074eecdb},
           Known{"\xff\0\xfe"sv, 0x8d6cb1dc, 0x428d8308, 0xf920331be414d2fc,
                 0x5ce3141893086fa4},
           Known{"\xd0\xba\xd0\xbb\xd1\x8e\xd1\x87", 0x95c4e9e1, 0x9aa1b562,
                 0x296130de6f5b7a81, 0x9a137c08c1e55ede},
       }) {
    EXPECT_EQ(Fnv1a32(known.key), known.fnv32);
    EXPECT_EQ(Fmix32(Fnv1a32(known.key)), known.fnv32_fmix);
    EXPECT_EQ(Fnv1a64(known.key), known.fnv64);
    EXPECT_EQ(Xxh3_64(known.key), known.xxh3);
  }
  EXPECT_EQ(Fnv1a32("a"), 0xe40c292cu);
  EXPECT_EQ(Fnv1a64("a"), 0xaf63dc4c8601ec8cu);
}

TEST(HashTest, KnownAnswersOfMurmur3) {
  EXPECT_EQ(Murmur3_32("", 0), 0u);
  EXPECT_EQ(Murmur3_32("", 1), 0x514e28b7u);
  EXPECT_EQ(Murmur3_32("", 0xffffffff), 0x81f16f39u);
  EXPECT_EQ(Murmur3_32("\xff\xff\xff\xff", 0), 0x76293b50u);
  EXPECT_EQ(Murmur3_32("!Ce\x87", 0), 0xf55b516bu);
  EXPECT_EQ(Murmur3_32("!Ce\x87", 0x5082edee), 0x2362f9deu);
  EXPECT_EQ(Murmur3_32("!Ce", 0), 0x7e4a8634u);
  EXPECT_EQ(Murmur3_32("!C", 0), 0xa0f7b07au);
  EXPECT_EQ(Murmur3_32("!", 0), 0x72661cf4u);
  EXPECT_EQ(Murmur3_32("Hello, world!", 0x9747b28c), 0x24884cbau);
}

TEST(HashTest, KnownAnswersOfCrc32c) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c("56789", Crc32c("1234")), 0xe3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
}

// The bytes of xxHash's own sanity check.
std::string XxhBytes(size_t size) {
  std::string bytes;
  uint64_t state = 2654435761u;
  for (; bytes.size() < size; state *= 11400714785074694797u) {
    bytes.push_back(static_cast<char>(state >> 56));
  }
  return bytes;
}

TEST(HashTest, KnownAnswersOfXxh3) {
  constexpr uint64_t kSeed = 11400714785074694797u;
  const auto hash = [](size_t size, uint64_t seed = 0) {
    return Xxh3_64(XxhBytes(size), seed);
  };
  EXPECT_EQ(hash(1), 0xc44bdff4074eecdbu);
  EXPECT_EQ(hash(6), 0x27b56a84cd2d7325u);
  EXPECT_EQ(hash(12), 0xa713daf0dfbb77e7u);
  EXPECT_EQ(hash(24), 0xa3fe70bf9d3510ebu);
  EXPECT_EQ(hash(48), 0x397da259ecba1f11u);
  EXPECT_EQ(hash(80), 0xbcdefbbb2c47c90au);
  EXPECT_EQ(hash(195), 0xcd94217ee362ec3au);
  EXPECT_EQ(hash(403), 0xcdeb804d65c6dea4u);
  EXPECT_EQ(hash(512), 0x617e49599013cb6bu);
  EXPECT_EQ(hash(2048), 0xdd59e2c3a5f038e0u);
  EXPECT_EQ(hash(0, kSeed), 0xa8a6b918b2f0364au);
  EXPECT_EQ(hash(1, kSeed), 0x032be332dd766ef8u);
  EXPECT_EQ(Xxh3_128(""), (Hash128{0x99aa06d3014798d8, 0x6001c324468d497f}));
  EXPECT_EQ(Xxh3_128(XxhBytes(1)),
            (Hash128{0xa6cd5e9392000f6a, 0xc44bdff4074eecdb}));
}

// From the golden answers of clockwise-1.
TEST(HashTest, KnownAnswersOfRings) {
  constexpr uint64_t kHighSeed = (uint64_t{1} << 63) + 5;
  const std::string_view tuple =
      "\x0a\x00\x00\x01\x0a\x00\x00\x02\xc3\x50\x00\x50\x50"sv;
  EXPECT_EQ(Hash(HashKind::kXxh3_64, "user:42"), 0x9fc1e605fa7174aau);
  EXPECT_EQ(Hash(HashKind::kXxh3_64, tuple), 0xb3be75de10d96479u);
  EXPECT_EQ(Hash(HashKind::kFnv1a64Fmix, "", 7), 0x1442483175874257u);
  EXPECT_EQ(Hash(HashKind::kFnv1a64Fmix, tuple, 7), 0xc53efbd1a129f53cu);
  EXPECT_EQ(Hash(HashKind::kFnv1a32Fmix, "", 7), 0xfa15cfca00000000u);
  EXPECT_EQ(Hash(HashKind::kFnv1a32Fmix, tuple, 7), 0xc28c616500000000u);
  EXPECT_EQ(Hash(HashKind::kMurmur3_32, "", kHighSeed), 0xcc0d53cd00000000u);
  EXPECT_EQ(Hash(HashKind::kMurmur3_32, tuple, kHighSeed), 0x5f29443300000000u);
}

TEST(HashTest, EqualsTheReferenceAndReadsNoByteOutside) {
  ForKeys([](const uint8_t* key, size_t size) {
    for (const uint64_t seed : kSeeds) {
      for (int k = 0; k < kHashKinds; ++k) {
        const HashKind kind{static_cast<uint8_t>(k)};
        ASSERT_EQ(Hash(kind, View(key, size), seed),
                  reference::Hash(kind, key, size, seed))
            << HashName(kind) << " of " << size << " bytes, seed " << seed;
      }
      ASSERT_EQ(Xxh3_128(View(key, size), seed),
                reference::Xxh3_128(key, size, seed))
          << size;
    }
  });
}

TEST(HashTest, NamedFunctionsAndHashAgree) {
  const uint64_t seed = 0x123456789abcdef0;
  const uint32_t low = 0x9abcdef0;
  const std::string_view key = "GET /index.html";
  EXPECT_EQ(Hash(HashKind::kXxh3_64, key, seed), Xxh3_64(key, seed));
  EXPECT_EQ(Hash(HashKind::kFnv1a32, key, seed) >> 32, Fnv1a32(key, low));
  EXPECT_EQ(Hash(HashKind::kFnv1a64, key, seed), Fnv1a64(key, seed));
  EXPECT_EQ(Hash(HashKind::kMurmur3_32, key, seed) >> 32, Murmur3_32(key, low));
  EXPECT_EQ(Hash(HashKind::kCrc32cFmix, key, seed) >> 32,
            Fmix32(Crc32c(key, low)));
}

TEST(HashTest, LongKeysAgree) {
  for (const size_t size : {size_t{1} << 20, size_t{5} << 20}) {
    const GuardedBytes bytes(size + 1);
    const uint8_t* key = bytes.end() - size;
    for (int k = 0; k < kHashKinds; ++k) {
      const HashKind kind{static_cast<uint8_t>(k)};
      EXPECT_EQ(Hash(kind, View(key, size), 7),
                reference::Hash(kind, key, size, 7))
          << HashName(kind);
    }
    EXPECT_EQ(Xxh3_128(View(key, size), 7), reference::Xxh3_128(key, size, 7));
  }
}

// Hash() takes the best code for this CPU: here are the others.
TEST(HashTest, EveryXxh3OfThisCpuAgrees) {
  ForKeys([](const uint8_t* key, size_t size) {
    if (size <= hash_internal::kXxh3ShortMax) return;
    for (size_t i = 0; const auto* code = hash_internal::Xxh3LongAt(i); ++i) {
      uint64_t high_low[2];
      code->hash128(key, size, kSeeds[2], high_low);
      ASSERT_EQ((Hash128{high_low[0], high_low[1]}),
                reference::Xxh3_128(key, size, kSeeds[2]))
          << code->name << " of " << size << " bytes";
      ASSERT_EQ(code->hash64(key, size, kSeeds[2]),
                reference::Hash(HashKind::kXxh3_64, key, size, kSeeds[2]))
          << code->name << " of " << size << " bytes";
    }
  });
}

TEST(HashTest, EveryCrc32cOfThisCpuAgrees) {
  ForKeys([](const uint8_t* key, size_t size) {
    for (size_t i = 0; const auto* code = hash_internal::Crc32cAt(i); ++i) {
      ASSERT_EQ(~code->one(key, size, ~7u), reference::Crc32c(key, size, 7))
          << code->name << " of " << size << " bytes";
    }
  });
}

TEST(HashTest, KeysAreBytesNeverTextOrCStrings) {
  for (int k = 0; k < kHashKinds; ++k) {
    const HashKind kind{static_cast<uint8_t>(k)};
    EXPECT_NE(Hash(kind, "a"), Hash(kind, "a\0"sv));
    EXPECT_NE(Hash(kind, "a\0"sv), Hash(kind, "a\0b"sv));
    EXPECT_NE(Hash(kind, "\xc3\xa9"), Hash(kind, "e\xcc\x81"));
    EXPECT_NE(Hash(kind, "\xc3\xa9"), Hash(kind, "\xe9"));
    EXPECT_EQ(Hash(kind, {}), Hash(kind, ""));
  }
}

TEST(HashTest, NamesAreDistinct) {
  EXPECT_EQ(HashName(HashKind::kXxh3_64), "xxh3-64");
  for (int i = 0; i < kHashKinds; ++i) {
    for (int k = 0; k < i; ++k) {
      EXPECT_NE(HashName(HashKind{static_cast<uint8_t>(i)}),
                HashName(HashKind{static_cast<uint8_t>(k)}));
    }
  }
}

}  // namespace
}  // namespace clockwise
