// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// mcrouter's hash functions, one key at a time: furc_hash, weightedCh3Hash,
// RendezvousHashFunc (of the year when it got a loop of its own; before, it
// made a heap of all scores) and WeightedRendezvousHashFunc.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "compat/hash/murmur.h"
#include "compat/hash/spooky.h"
#include "members.h"

namespace clockwise::bench {

inline constexpr uint64_t kMcrouterSeed = 4193360111;

// The bits of a key, of which furc_hash keeps the words it has made.
class FurcBits {
 public:
  explicit FurcBits(uint64_t first) { words_[0] = first; }

  uint32_t operator()(uint32_t i) {
    const int word = static_cast<int>(i >> 6);
    for (; made_ < word; ++made_) words_[made_ + 1] = Rehash(words_[made_]);
    return words_[word] >> (i & 63) & 1;
  }

 private:
  // murmur_rehash_64A.
  static uint64_t Rehash(uint64_t k) {
    constexpr uint64_t kFactor = 0xC6A4A7935BD1E995;
    uint64_t h = kMcrouterSeed ^ sizeof k * kFactor;
    k *= kFactor;
    k ^= k >> 47;
    h = (h ^ k * kFactor) * kFactor;
    h = (h ^ h >> 47) * kFactor;
    return h ^ h >> 47;
  }

  uint64_t words_[1024];
  int made_ = 0;
};

// furc_hash, of a key's first word.
inline uint32_t McrouterFurc(uint64_t first, uint32_t m) {
  if (m <= 1) return 0;
  FurcBits bit(first);
  uint32_t d = 0;
  while (m > 1ul << d) ++d;
  uint32_t a = d;
  for (int tries = 0; tries < 32; ++tries) {
    while (bit(a) == 0) {
      if (--d == 0) return 0;
      a = d;
    }
    a += 23;
    uint32_t number = 1;
    for (uint32_t i = 0; i + 1 < d; ++i) {
      number = number << 1 | bit(a);
      a += 23;
    }
    if (number < m) return number;
  }
  return 0;
}

class McrouterCh3 {
 public:
  using Hash = uint64_t;

  static Members MembersOf() { return PeerMembers("mcrouter-ch3"); }

  explicit McrouterCh3(const Members& members)
      : nodes_(static_cast<uint32_t>(members.nodes.size())) {}

  static Hash HashOf(std::string_view key) {
    return compat_internal::Murmur2_64(key, kMcrouterSeed);
  }
  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    return McrouterFurc(hash, nodes_);
  }

 private:
  uint32_t nodes_;
};

// Of node i; from 0.25 to 1.
inline Weight McrouterWeight(NodeIndex i) {
  return Weight::Thousandths(250 * (1 + i % 4));
}
inline double McrouterWeightValue(NodeIndex i) { return 0.25 * (1 + i % 4); }

inline Members McrouterWeighted(std::string_view scheme) {
  Members members = PeerMembers(scheme);
  for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
    members.nodes[i].weight = McrouterWeight(i);
  }
  return members;
}

class McrouterWeightedCh3 {
 public:
  using Hash = uint64_t;

  static Members MembersOf() { return McrouterWeighted("mcrouter-wch3"); }

  explicit McrouterWeightedCh3(const Members& members) {
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      weights_.push_back(McrouterWeightValue(i));
    }
  }

  [[nodiscard]] NodeIndex OwnerOfKey(std::string_view original) const {
    std::string_view key = original;
    std::string salted;
    size_t salt = 0;
    NodeIndex index = 0;
    for (int tries = 0; tries < 32; ++tries) {
      index = McrouterFurc(compat_internal::Murmur2_64(key, kMcrouterSeed),
                           static_cast<uint32_t>(weights_.size()));
      const uint64_t p =
          compat_internal::Spooky32(key, compat_internal::kSpookySeedMcrouter);
      const auto w = static_cast<uint64_t>(
          weights_[index] * std::numeric_limits<uint32_t>::max());
      if (p < w) return index;
      size_t s = salt++;
      salted = original;
      do {
        salted.push_back(static_cast<char>('0' + s % 10));
        s /= 10;
      } while (s > 0);
      key = salted;
    }
    return index;
  }

 private:
  std::vector<double> weights_;
};

// Of a node's hash and a key's.
inline uint64_t McrouterScore(uint64_t upper, uint64_t lower) {
  constexpr uint64_t kFactor = 0x9DDFEA08EB382D69;
  uint64_t a = (lower ^ upper) * kFactor;
  a ^= a >> 47;
  uint64_t b = (upper ^ a) * kFactor;
  b ^= b >> 47;
  return b * kFactor;
}

class McrouterRendezvous {
 public:
  using Hash = uint64_t;
  static constexpr size_t kItems = size_t{1} << 16;

  static Members MembersOf() { return PeerMembers("mcrouter-rendezvous"); }

  explicit McrouterRendezvous(const Members& members) {
    for (const Node& node : members.nodes) {
      hashes_.push_back(compat_internal::Murmur2_64(node.id, kMcrouterSeed));
    }
  }

  static Hash HashOf(std::string_view key) {
    return compat_internal::Murmur2_64(key, 2718281828);
  }
  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    double most = -1;
    size_t best = 0;
    for (size_t i = 0; i < hashes_.size(); ++i) {
      const auto score = static_cast<double>(McrouterScore(hashes_[i], hash));
      if (score > most || (score == most && i > best)) {
        most = score;
        best = i;
      }
    }
    return static_cast<NodeIndex>(best);
  }

 private:
  std::vector<uint64_t> hashes_;
};

class McrouterWeightedRendezvous {
 public:
  using Hash = uint64_t;
  static constexpr size_t kItems = size_t{1} << 14;

  static Members MembersOf() {
    return McrouterWeighted("mcrouter-weighted-rendezvous");
  }

  explicit McrouterWeightedRendezvous(const Members& members) {
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      hashes_.push_back(
          compat_internal::Murmur2_64(members.nodes[i].id, kMcrouterSeed));
      weights_.push_back(McrouterWeightValue(i));
    }
  }

  static Hash HashOf(std::string_view key) {
    return McrouterRendezvous::HashOf(key);
  }
  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    constexpr uint64_t kMask = (uint64_t{1} << 53) - 1;
    double most = 0;
    size_t best = 0;
    for (size_t i = 0; i < hashes_.size(); ++i) {
      const uint64_t bits = McrouterScore(hashes_[i], hash) & kMask;
      const double u = static_cast<double>(bits) / 9007199254740992.0;
      const double score = weights_[i] * (1.0 / -std::log(u));
      if (score > most) {
        most = score;
        best = i;
      }
    }
    return static_cast<NodeIndex>(best);
  }

 private:
  std::vector<uint64_t> hashes_;
  std::vector<double> weights_;
};

}  // namespace clockwise::bench
