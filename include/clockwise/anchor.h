// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placement `anchor`: AnchorHash (Mendelson, Vargaftik, Barabash, Lorenz,
// Keslassy and Orda, "AnchorHash: A Scalable Consistent Hash", 2020). Even
// shares, any node may leave and only its keys move, and eight bytes of memory
// a bucket; but there is a capacity, and the order of removals is part of the
// placement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clockwise/detail/modulus.h"
#include "clockwise/placement.h"

namespace clockwise {

inline constexpr uint32_t kDefaultAnchorCapacity = 1024;

struct AnchorOptions : PlacementOptions {
  // The most nodes that there may ever be, up to 2^20. The nearer it is to the
  // number of nodes, the fewer steps a lookup takes.
  uint32_t capacity = kDefaultAnchorCapacity;
  // Buckets (places in the list of nodes) that were removed, the first to go
  // first.
  std::vector<uint32_t> removed = {};
};

// Node i of the list is bucket i, and its number: the list keeps the places of
// removed nodes. Buckets between the list and the capacity were never used. A
// node of weight 0 that `removed` does not name is removed too, after those, in
// list order. To add a node, put it in the place that was removed last and take
// that from `removed`, or append it where none is.
//
// The first bucket of a key is hash mod capacity. While that bucket b was
// removed, A[b] being how many were left then, the next is
// fmix64(hash + (b + 1) * 0x9E3779B97F4A7C15) mod A[b], and if that one had
// been removed before b, what the paper's table K says instead, as often as
// needed. No weights, no replicas.
class Anchor : public KeyLookups<Anchor> {
 public:
  // As placement.h says; also kInvalidOptions if the capacity is 0 or above
  // 2^20 or `removed` names a bucket twice or one that is not in the list,
  // kTooManyNodes if the list is longer than the capacity. O(capacity).
  CW_API static Result<Anchor> Build(std::span<const Node> nodes,
                                     const AnchorOptions& options = {},
                                     BlockSource* source = nullptr);

  // Returns the owner; kNoNode if no node works. Some 1 + ln(capacity / nodes
  // that work) steps; inlined.
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    if (working_count_ == 0) return kNoNode;
    const auto* buckets = static_cast<const Bucket*>(buckets_.data());
    uint32_t b = modulus_.Of(hash);
    while (buckets[b].left != 0) {
      const uint32_t left = buckets[b].left;
      uint32_t next = static_cast<uint32_t>(
          Fmix64(hash + (b + uint64_t{1}) * 0x9E3779B97F4A7C15u) % left);
      while (buckets[next].left >= left) next = buckets[next].successor;
      b = next;
    }
    return b;
  }
  // owners[i] = Owner(hashes[i]).
  CW_API void Owners(const uint64_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  using KeyLookups::Owner;
  using KeyLookups::Owners;

  [[nodiscard]] uint32_t capacity() const noexcept {
    return modulus_.divisor();
  }
  // Nodes that are not removed.
  [[nodiscard]] uint32_t working_count() const noexcept {
    return working_count_;
  }
  // Bytes of the node table and of the buckets.
  [[nodiscard]] size_t bytes() const noexcept {
    return PlacedNodes::bytes() + buckets_.bytes();
  }

  // A bucket as lookups see it.
  struct Bucket {
    uint32_t left;       // A: 0 if it works, else how many were left without it
    uint32_t successor;  // K: who took its place among those
  };

 private:
  Anchor(PlacedNodes&& nodes, Block&& buckets, uint32_t capacity,
         uint32_t working_count) noexcept
      : KeyLookups(std::move(nodes)),
        buckets_(std::move(buckets)),
        modulus_(capacity),
        working_count_(working_count) {}

  Block buckets_;
  detail::Modulus modulus_;
  uint32_t working_count_;
};

static_assert(NamedPlacement<Anchor>);

}  // namespace clockwise
