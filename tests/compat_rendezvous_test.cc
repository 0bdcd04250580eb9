// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The kernels of mcrouter's Rendezvous, with every target, against its loop.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "compat/rendezvous.h"
#include "placement_maker.h"

namespace clockwise::compat_internal {
namespace {

// What mcrouter does. The conversion is the compiler's.
NodeIndex SlowBest(const std::vector<uint64_t>& nodes, uint64_t key) {
  double most = -1;
  size_t best = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto score = static_cast<double>(McrouterScore(nodes[i], key));
    if (score >= most) best = i, most = score;
  }
  return static_cast<NodeIndex>(best);
}

void ExpectBest(const std::vector<uint64_t>& hashes,
                const std::vector<uint64_t>& keys) {
  const RendezvousNodes nodes(hashes);
  std::vector<NodeIndex> owners(keys.size());
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    nodes.Best(keys.data(), keys.size(), owners.data());
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(nodes.Best(keys[i]), SlowBest(hashes, keys[i])) << i;
      ASSERT_EQ(owners[i], SlowBest(hashes, keys[i])) << i;
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

// The number that times McrouterScore's factor is 1 (mod 2^64).
uint64_t Inverse() {
  uint64_t inverse = kMcrouterFactor;
  for (int i = 0; i < 5; ++i) inverse *= 2 - kMcrouterFactor * inverse;
  return inverse;
}

// Undoes a score step by step. With x = key ^ node and m = x * factor, what is
// left is x ^ m = sought ^ m >> 47: the 17 bits of m >> 47 are guessed, and the
// bits of x then tried from the lowest on, since bit i of x ^ m hangs on the
// bits below alone.
class NodeSearch {
 public:
  NodeSearch(uint64_t score, uint64_t key) : score_(score), key_(key) {
    const uint64_t inverse = Inverse();
    const uint64_t b = score * inverse;
    sought_ = (b ^ b >> 47) * inverse ^ key;
  }

  // A node that scores so for the key, if there is one.
  std::optional<uint64_t> Find() {
    for (uint64_t guess = sought_ & 7; guess < uint64_t{1} << 17; guess += 8) {
      Extend(sought_ ^ guess, 0, 0);
      if (found_) break;
    }
    return found_;
  }

 private:
  void Extend(uint64_t wanted, uint64_t x, int bit) {
    if (bit == 64) {
      if (McrouterScore(key_ ^ x, key_) == score_) found_ = key_ ^ x;
      return;
    }
    if ((x ^ x * kMcrouterFactor ^ wanted) >> bit & 1) return;
    Extend(wanted, x, bit + 1);
    if (!found_) Extend(wanted, x | uint64_t{1} << bit, bit + 1);
  }

  uint64_t score_, key_, sought_;
  std::optional<uint64_t> found_;
};

// The first nodes that there are with scores from `score` on.
std::vector<uint64_t> NodesFrom(uint64_t score, uint64_t key, size_t count) {
  std::vector<uint64_t> nodes;
  for (; nodes.size() < count; ++score) {
    if (const auto node = NodeSearch(score, key).Find()) nodes.push_back(*node);
  }
  return nodes;
}

TEST(CompatRendezvousTest, EveryTargetAtEverySize) {
  for (size_t count = 1; count < 140; count += 1 + count / 70 * 11) {
    SCOPED_TRACE(count);
    auto hashes = RandomHashes(count, count);
    for (size_t twin = 0; twin < count; twin += 3) {
      hashes[count - 1 - twin] = hashes[twin];
    }
    auto keys = RandomHashes(count + 1, 100);
    // One that scores 0 with a node of hash 0.
    keys.push_back(0);
    hashes[count / 2] = 0;
    ExpectBest(hashes, keys);
  }
}

TEST(CompatRendezvousTest, AllScoresAreZero) {
  ExpectBest(std::vector<uint64_t>(40), {0});
}

TEST(CompatRendezvousTest, NoNodes) {
  const RendezvousNodes none({});
  NodeIndex owners[3];
  const uint64_t keys[3] = {1, 2, 3};
  none.Best(keys, 3, owners);
  for (NodeIndex owner : owners) EXPECT_EQ(owner, kNoNode);
  EXPECT_EQ(none.Best(1), kNoNode);
}

// Scores from 2^64 - 1,024 up are 2^64 as doubles, and those below no longer.
TEST(CompatRendezvousTest, LastOfEqualDoubles) {
  const uint64_t key = 0x0123456789ABCDEF;
  const auto equal = NodesFrom(uint64_t{0} - 1024, key, 3);
  const auto below = NodesFrom(uint64_t{0} - 1040, key, 3);
  ASSERT_LT(McrouterScore(below[0], key), uint64_t{0} - 1024);
  const size_t places[] = {1, 2, 7, 8, 17, 31, 32, 49, 69};
  for (size_t first : places) {
    for (size_t last : places) {
      if (first >= last) continue;
      auto hashes = RandomHashes(first, 70);
      hashes[first] = equal[2];
      hashes[last] = equal[0];
      ASSERT_EQ(SlowBest(hashes, key), last);
      ExpectBest(hashes, std::vector<uint64_t>(33, key));
      hashes[last] = below[0];
      ASSERT_EQ(SlowBest(hashes, key), first);
      ExpectBest(hashes, std::vector<uint64_t>(33, key));
    }
  }
}

TEST(CompatRendezvousTest, DoublesAreRoundedAsByTheCompiler) {
  std::vector<uint64_t> numbers = RandomHashes(5, 1000);
  for (int bit = 0; bit < 64; ++bit) {
    for (int half = 0; half <= bit; ++half) {
      const uint64_t n = uint64_t{1} << bit | uint64_t{1} << half;
      numbers.insert(numbers.end(), {n - 1, n, n + 1, uint64_t{0} - n});
    }
  }
  for (uint64_t n : numbers) ASSERT_EQ(AsDouble(n), static_cast<double>(n));
}

}  // namespace
}  // namespace clockwise::compat_internal
