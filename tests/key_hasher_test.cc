// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings that hash keys by a program's own function.
#include "clockwise/key_hasher.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "router_maker.h"

namespace clockwise {
namespace {

// Of 32 bits: the sum of the bytes, spread.
uint64_t Sum(std::string_view key, uint64_t seed) noexcept {
  auto sum = static_cast<uint32_t>(seed);
  for (char c : key) sum += static_cast<uint8_t>(c);
  return uint64_t{Fmix32(sum)} << 32;
}
void SumMany(const std::string_view* keys, size_t count, uint64_t seed,
             uint64_t* hashes) noexcept {
  for (size_t i = 0; i < count; ++i) hashes[i] = Sum(keys[i], seed);
}
void SumFixed(FixedKeys keys, uint64_t seed, uint64_t* hashes) noexcept {
  const char* key = static_cast<const char*>(keys.data);
  for (size_t i = 0; i < keys.count; ++i) {
    hashes[i] = Sum({key + i * keys.stride, keys.size}, seed);
  }
}

constexpr KeyHasher kSum = {"test-sum", Sum, SumMany, SumFixed};
constexpr auto kNumber = static_cast<KeyHash>(200);

TEST(KeyHasherTest, HashesTheKeysOfRings) {
  ASSERT_TRUE(RegisterKeyHasher(kNumber, kSum).ok());
  ASSERT_TRUE(RegisterKeyHasher(kNumber, kSum).ok());
  EXPECT_EQ(FindKeyHasher(kNumber), &kSum);
  EXPECT_EQ(KeyHashName(kNumber), "test-sum");
  EXPECT_EQ(ParseKeyHash("test-sum"), kNumber);
  EXPECT_EQ(KeyFunctionName(kNumber, 32), "test-sum");
  EXPECT_EQ(KeyFunctionName(KeyHash::kXxh3, 32), "xxh3-64");
  EXPECT_EQ(KeyFunctionName(KeyHash::kFnv1aFmix, 32), "fnv1a-32-fmix");
  EXPECT_EQ(KeyFunctionName(KeyHash::kFnv1aFmix, 64), "fnv1a-64-fmix");
  constexpr size_t kKeys = 1000;
  const std::vector<std::string> keys = Keys("key-", 0, kKeys);
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  std::string fixed;
  for (size_t i = 0; i < kKeys; ++i) fixed += std::to_string(1000 + i) + "..";
  for (uint32_t width : {32u, 64u}) {
    RingOptions options = WithVnodes(50);
    options.width = width;
    options.seed = 7;
    const Ring built_in = MakeRing(options, NumberedNodes("n", 0, 20));
    options.key_hash = kNumber;
    const Ring ring = MakeRing(options, NumberedNodes("n", 0, 20));
    EXPECT_NE(ring.digest(), built_in.digest());
    EXPECT_EQ(RingBuilder::From(ring).options().key_hash, kNumber);
    std::vector<uint64_t> hashes(kKeys);
    ring.HashesOf(views.data(), kKeys, hashes.data());
    std::vector<NodeIndex> owners(kKeys), of_fixed(kKeys);
    ring.Owners(views.data(), kKeys, owners.data());
    ring.Owners(FixedKeys{fixed.data(), 4, 6, kKeys}, of_fixed.data());
    for (size_t i = 0; i < kKeys; ++i) {
      EXPECT_EQ(hashes[i], Sum(keys[i], 7));
      EXPECT_EQ(ring.HashOf(keys[i]), hashes[i]);
      // The same points, asked with another hash.
      EXPECT_EQ(owners[i], built_in.Owner(hashes[i]));
      EXPECT_EQ(ring.Owner(std::string_view(keys[i])), owners[i]);
      EXPECT_EQ(of_fixed[i], built_in.Owner(Sum(std::to_string(1000 + i), 7)));
    }
  }
}

TEST(KeyHasherTest, IsTakenOverByRouters) {
  ASSERT_TRUE(RegisterKeyHasher(kNumber, kSum).ok());
  RingOptions options = WithVnodes(5);
  const Domain domain = MakeDomain(Flavour::kMemb);
  const auto router = MakeRouter(domain);
  PublishOk(*router, MakeRing(options, NumberedNodes("n", 0, 9)));
  options.key_hash = kNumber;
  const auto refused =
      router->Publish(MakeRing(options, NumberedNodes("n", 0, 9)));
  EXPECT_EQ(refused.status().code(), Code::kRemapRefused);
  EXPECT_NE(
      refused.status().message().find("key hash 'test-sum' instead of 'xxh3'"),
      std::string::npos)
      << refused.status().message();
}

TEST(KeyHasherTest, RefusesWhatIsMissingOrTaken) {
  ASSERT_TRUE(RegisterKeyHasher(kNumber, kSum).ok());
  const auto refusal = [](int number, const KeyHasher& hasher) {
    const Status status =
        RegisterKeyHasher(static_cast<KeyHash>(number), hasher);
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    return std::string(status.message());
  };
  static const KeyHasher other = {"other", Sum, SumMany, SumFixed};
  static const KeyHasher xxh3 = {"xxh3", Sum, SumMany, SumFixed};
  static const KeyHasher half = {"half", Sum, SumMany, nullptr};
  static const KeyHasher nameless = {"", Sum, SumMany, SumFixed};
  EXPECT_EQ(refusal(31, other), "key hash 31: numbers below 32 are built in");
  EXPECT_EQ(refusal(200, other), "key hash 200: is 'test-sum' already");
  EXPECT_EQ(refusal(201, kSum), "key hash 201: 'test-sum' is key hash 200");
  EXPECT_EQ(refusal(201, xxh3), "key hash 201: 'xxh3' is key hash 0");
  EXPECT_EQ(refusal(201, half), "key hash 201: not all of its forms are there");
  EXPECT_EQ(refusal(201, nameless),
            "key hash 201: the name has 0 bytes; 1 to 255");
  EXPECT_EQ(FindKeyHasher(static_cast<KeyHash>(201)), nullptr);
  EXPECT_EQ(FindKeyHasher(KeyHash::kXxh3), nullptr);

  RingOptions options = WithVnodes(5);
  options.key_hash = static_cast<KeyHash>(201);
  const auto ring = RingBuilder::Create(options);
  EXPECT_EQ(ring.status().code(), Code::kInvalidOptions);
  EXPECT_EQ(ring.status().message(),
            "ring: key hash 201 was not registered by any library");
}

}  // namespace
}  // namespace clockwise
