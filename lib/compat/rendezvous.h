// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// mcrouter's Rendezvous: the node whose score for a key, as a double, is
// largest; of equal doubles the node that is listed last.
//
// Scores have 64 bits, doubles 53. So the kernels round as mcrouter does, and
// compare the bits of doubles, which for those from 0 up have their order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/node.h"

namespace clockwise::compat_internal {

inline constexpr uint64_t kMcrouterFactor = 0x9DDFEA08EB382D69;

// Returns the score of a node's hash and a key's.
CW_INLINE uint64_t McrouterScore(uint64_t node, uint64_t key) noexcept {
  uint64_t a = (key ^ node) * kMcrouterFactor;
  a ^= a >> 47;
  uint64_t b = (node ^ a) * kMcrouterFactor;
  b ^= b >> 47;
  return b * kMcrouterFactor;
}

// Returns `n` as a double, rounded once, by signed conversions: that of an
// unsigned number is a branch on x86, taken at random.
CW_INLINE double AsDouble(uint64_t n) noexcept {
  const auto high = static_cast<double>(static_cast<int64_t>(n >> 32));
  const auto low = static_cast<double>(static_cast<int64_t>(n & 0xFFFFFFFF));
  return high * 4294967296.0 + low;
}

class RendezvousNodes {
 public:
  // Hashes of the nodes' names.
  explicit RendezvousNodes(const std::vector<uint64_t>& hashes);

  [[nodiscard]] size_t size() const noexcept { return count_; }
  [[nodiscard]] size_t bytes() const noexcept {
    return reversed_.size() * sizeof reversed_[0];
  }
  [[nodiscard]] double Score(NodeIndex node, uint64_t key) const noexcept {
    return AsDouble(McrouterScore(reversed_[count_ - 1 - node], key));
  }

  // Returns the best node; kNoNode if there is none. SIMD lanes over the nodes.
  [[nodiscard]] NodeIndex Best(uint64_t key) const noexcept;
  // owners[i] = Best(keys[i]). SIMD lanes over the keys.
  void Best(const uint64_t* keys, size_t count,
            NodeIndex* owners) const noexcept;

 private:
  // The last node first, since the kernels keep the first of equals; then
  // copies of it, up to a multiple of kScorePadding.
  std::vector<uint64_t> reversed_;
  size_t count_;
};

}  // namespace clockwise::compat_internal
