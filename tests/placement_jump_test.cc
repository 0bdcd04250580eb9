// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "clockwise/jump.h"
#include "clockwise/modulo.h"
#include "placement_maker.h"

namespace clockwise {
namespace {

uint64_t Number(const nlohmann::json& text) {
  return std::stoull(text.get<std::string>());
}

TEST(JumpTest, AnswersAsTheReferenceOnEveryRow) {
  const auto file = GoldenFile("jump_hash.json");
  const auto& rows = file["rows_key_buckets_result"];
  ASSERT_GT(rows.size(), 1000u);
  for (const auto& row : rows) {
    ASSERT_EQ(JumpHash(Number(row[0]), row[1].get<int32_t>()), row[2]) << row;
  }
}

TEST(JumpTest, GuavaAnswersAsTheReferenceOnEveryRow) {
  const auto file = GoldenFile("guava_consistent_hash.json");
  const auto& rows = file["rows_key_buckets_guava_jump"];
  ASSERT_GT(rows.size(), 1000u);
  int differing = 0;
  for (const auto& row : rows) {
    const uint64_t key = Number(row[0]);
    const auto buckets = row[1].get<int32_t>();
    ASSERT_EQ(GuavaConsistentHash(key, buckets), row[2]) << row;
    ASSERT_EQ(JumpHash(key, buckets), row[3]) << row;
    differing += row[2] != row[3];
  }
  EXPECT_GT(differing, 0);
}

// A state whose 31 bits are all ones, found by undoing the generator.
TEST(JumpTest, GuavaStaysWhereItsSumOverflows) {
  uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - 2862933555777941757u * inverse;
  const uint64_t first = ~uint64_t{0} << 33;  // the state after one step
  const uint64_t key = (first - 1) * inverse;
  ASSERT_EQ(key * 2862933555777941757u + 1, first);
  EXPECT_EQ(GuavaConsistentHash(key, 1000), 0);
  EXPECT_GT(JumpHash(key, 1000), 0);
}

TEST(JumpTest, KnownAnswers) {
  EXPECT_EQ(JumpHash(42, 57), 43);
  EXPECT_EQ(JumpHash(0xDEAD10CC, 666), 361);
  EXPECT_EQ(JumpHash(256, 1024), 520);
  EXPECT_EQ(JumpHash(1, 1), 0);
  EXPECT_EQ(JumpHash(0, 0x7FFFFFFF), 0);
  EXPECT_EQ(JumpHash(~uint64_t{0}, 10), 9);
  for (int32_t none : {0, -1, -0x7FFFFFFF}) {
    EXPECT_EQ(JumpHash(5, none), -1);
    EXPECT_EQ(GuavaConsistentHash(5, none), -1);
  }
}

// The paper's figure, with its own types.
int32_t Paper(uint64_t key, int32_t num_buckets) {
  int64_t b = -1, j = 0;
  while (j < num_buckets) {
    b = j;
    key = key * 2862933555777941757ULL + 1;
    j = static_cast<int64_t>(static_cast<double>(b + 1) *
                             (static_cast<double>(1LL << 31) /
                              static_cast<double>((key >> 33) + 1)));
  }
  return static_cast<int32_t>(b);
}

TEST(JumpTest, PlacesByListOrderAsThePaperCounts) {
  std::mt19937_64 random(5);
  for (size_t count : {1u, 2u, 5u, 64u, 100u}) {
    for (KeyHash key_hash : kWideKeyHashes) {
      PlacementOptions options;
      options.key_hash = key_hash;
      options.seed = random();
      const auto nodes = SomeDrained(random, count, 4);
      const auto ids = PlacedIds(nodes);
      const auto jump = Built(Jump::Build(nodes, options));
      ASSERT_EQ(jump.node_count(), ids.size());
      if (ids.empty()) continue;
      for (const std::string& key : Keys("key-", 0, 500)) {
        const int32_t bucket =
            Paper(jump.HashOf(key), static_cast<int32_t>(ids.size()));
        ASSERT_EQ(IdOfOwner(jump, std::string_view(key)),
                  ids[static_cast<size_t>(bucket)]);
      }
      ExpectBatchesAgree(jump, 1);
    }
  }
}

TEST(JumpTest, LanesAnswerAsThePaperAtManySizes) {
  const auto hashes = RandomHashes(6, 4096);
  for (int count : {1, 2, 1000, 100000}) {
    const auto jump = Built(Jump::Build(NumberedNodes("n", 0, count)));
    std::vector<NodeIndex> owners(hashes.size());
    for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      jump.Owners(hashes.data(), hashes.size(), owners.data());
      for (size_t i = 0; i < hashes.size(); ++i) {
        ASSERT_EQ(static_cast<int>(owners[i]), Paper(hashes[i], count))
            << hwy::TargetName(target);
      }
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

TEST(JumpTest, AppendingMovesOnlyToTheNewNode) {
  const auto before = Built(Jump::Build(NumberedNodes("n", 0, 10)));
  const auto after = Built(Jump::Build(NumberedNodes("n", 0, 11)));
  int moved = 0;
  for (uint64_t hash : RandomHashes(8, 100000)) {
    if (before.Owner(hash) == after.Owner(hash)) continue;
    ASSERT_EQ(after.Owner(hash), 10u);
    ++moved;
  }
  EXPECT_NEAR(moved, 100000 / 11.0, 400);
}

TEST(JumpTest, TheOrderOfTheListIsInTheDigest) {
  const std::vector<Node> nodes = {MakeNode("a"), MakeNode("b")};
  const std::vector<Node> turned = {MakeNode("b"), MakeNode("a")};
  EXPECT_FALSE(Built(Jump::Build(nodes)).digest() ==
               Built(Jump::Build(turned)).digest());
}

TEST(JumpTest, HasNoWeights) {
  const auto refused =
      Jump::Build(std::vector<Node>{MakeNode("heavy", Weight::Whole(2))});
  EXPECT_EQ(refused.status().code(), Code::kBadWeight);
  EXPECT_NE(refused.status().message().find("heavy"), std::string::npos);
}

TEST(ModuloTest, TakesTheRemainderById) {
  std::mt19937_64 random(7);
  for (size_t count : {1u, 2u, 3u, 7u, 64u, 255u, 1000u}) {
    for (KeyHash key_hash : kWideKeyHashes) {
      PlacementOptions options;
      options.key_hash = key_hash;
      options.seed = random();
      const auto nodes = SomeDrained(random, count, 5);
      const auto ids = SortedIds(nodes);
      const auto modulo = Built(Modulo::Build(nodes, options));
      if (ids.empty()) continue;
      for (const std::string& key : Keys("key-", 0, 300)) {
        ASSERT_EQ(IdOfOwner(modulo, std::string_view(key)),
                  ids[modulo.HashOf(key) % ids.size()]);
      }
      for (uint64_t hash : RandomHashes(random(), 300)) {
        ASSERT_EQ(modulo.Owner(hash), hash % ids.size());
      }
    }
  }
}

// Quotients at their edges, by every small divisor and some large ones.
TEST(ModuloTest, RemaindersAreExact) {
  std::vector<uint32_t> divisors = {65536,      65537,      0x7FFFFFFF,
                                    0x80000000, 0xFFFFFFFB, 0xFFFFFFFF};
  for (uint32_t d = 1; d < 300; ++d) divisors.push_back(d);
  for (uint32_t d : divisors) {
    const detail::Modulus modulus(d);
    const uint64_t last = ~uint64_t{0} / d * d;
    for (uint64_t n : {uint64_t{0}, uint64_t{1}, uint64_t{d} - 1, uint64_t{d},
                       last - 1, last, ~uint64_t{0}, ~uint64_t{0} - 1}) {
      ASSERT_EQ(modulus.Of(n), n % d) << n << " mod " << d;
    }
    for (uint64_t n : RandomHashes(d, 200)) {
      ASSERT_EQ(modulus.Of(n), n % d) << n << " mod " << d;
      ASSERT_EQ(modulus.Of(n / d * d), 0u);
    }
  }
}

TEST(ModuloTest, ListOrderDoesNotMatter) {
  const std::vector<Node> nodes = {MakeNode("a"), MakeNode("b"), MakeNode("c")};
  const std::vector<Node> turned = {MakeNode("c"), MakeNode("a"),
                                    MakeNode("b")};
  const auto one = Built(Modulo::Build(nodes));
  const auto other = Built(Modulo::Build(turned));
  EXPECT_EQ(one.digest(), other.digest());
  for (uint64_t hash : RandomHashes(9, 100)) {
    EXPECT_EQ(one.Owner(hash), other.Owner(hash));
  }
  EXPECT_EQ(Modulo::Build(std::vector<Node>{MakeNode("h", Weight::Whole(2))})
                .status()
                .code(),
            Code::kBadWeight);
}

}  // namespace
}  // namespace clockwise
