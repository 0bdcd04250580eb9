// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What every placement answers, ring or not, as concepts; and what those that
// are not rings share: options, nodes, hashes of keys, digest.
//
// A placement never changes after it is built. Any number of threads may ask it
// at once; no lookup allocates, locks, throws or fails. Moving or destroying it
// is for one thread, when no other uses it.
//
// The placements beside Ring, each in its header: Modulo, Jump, Rendezvous,
// Maglev, MultiProbe, Anchor, Slots. Each is made by its
//
//   static Result<T> Build(std::span<const Node> nodes, options, source)
//
// Nodes of weight 0 are drained: left out, as if they were not listed (Anchor
// alone keeps their place). Build refuses, naming the node or option and the
// limit: kBadNodeId, kBadNode and kBadWeight as node.h says; kBadWeight also
// where the scheme has no weights and a node has another than 0 and 1;
// kDuplicateNode where an id is listed twice; kTooManyNodes above 2^20 nodes;
// kInvalidOptions; kOutOfMemory if `source` (DefaultBlockSource() if null) or
// the heap has none. A placement without nodes is one: it answers kNoNode.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/hash.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"

namespace clockwise {

// Which node owns a hash (left-aligned 64 bits), a key, and many of either.
// RingView, Ring and all placements of this library are such.
template <typename T>
concept Placement = requires(const T& placement, uint64_t hash,
                             std::string_view key, const uint64_t* hashes,
                             const std::string_view* keys, FixedKeys fixed_keys,
                             size_t count, NodeIndex* owners,
                             uint64_t* hash_room) {
  { placement.Owner(hash) }
  noexcept->std::same_as<NodeIndex>;
  { placement.Owner(key) }
  noexcept->std::same_as<NodeIndex>;
  { placement.HashOf(key) }
  noexcept->std::same_as<uint64_t>;
  { placement.HashesOf(keys, count, hash_room) }
  noexcept;
  { placement.Owners(hashes, count, owners) }
  noexcept;
  { placement.Owners(keys, count, owners) }
  noexcept;
  { placement.Owners(fixed_keys, owners) }
  noexcept;
  { placement.seed() }
  noexcept->std::same_as<uint64_t>;
  { placement.key_hash() }
  noexcept->std::same_as<KeyHash>;
  { placement.digest() }
  noexcept->std::same_as<Hash128>;
};

// One that knows its nodes as well: all but RingView.
template <typename T>
concept NamedPlacement = Placement<T> &&
    requires(const T& placement, NodeIndex node, std::string_view id) {
  { placement.name() }
  noexcept->std::same_as<std::string_view>;
  { placement.scheme() }
  noexcept->std::same_as<std::string_view>;
  { placement.node_count() }
  noexcept->std::same_as<uint32_t>;
  { placement.node(node) }
  noexcept->std::same_as<NodeView>;
  { placement.Find(id) }
  noexcept->std::same_as<NodeIndex>;
  { placement.bytes() }
  noexcept->std::same_as<size_t>;
};

// One that has n distinct nodes for a hash: rings, Rendezvous and Slots. The
// others have an owner only.
template <typename T>
concept ReplicatedPlacement = Placement<T> &&
    requires(const T& placement, uint64_t hash, size_t count,
             NodeIndex* nodes) {
  { placement.Replicas(hash, count, nodes) }
  noexcept->std::same_as<size_t>;
};

static_assert(Placement<RingView>);
static_assert(NamedPlacement<Ring> && ReplicatedPlacement<Ring>);

// What all placements but rings are built with. Part of the digest.
struct PlacementOptions {
  std::string name;                   // at most 255 bytes
  uint64_t seed = 0;                  // one per cluster keeps them apart
  KeyHash key_hash = KeyHash::kXxh3;  // kXxh3 or kFnv1aFmix: placements take
                                      // remainders of 64 bits
};

// The nodes of a placement, and how it hashes keys. A base of placements.
class PlacedNodes {
 public:
  // Returns the hash of `key`, left-aligned, with its key hash and seed.
  [[nodiscard]] CW_INLINE uint64_t HashOf(std::string_view key) const noexcept {
    if (key_hash_ == KeyHash::kXxh3) [[likely]] {
      return Xxh3_64(key, seed_);
    }
    return HashElsewhere(key);
  }
  // Batches: hashes[i] = HashOf(keys[i]).
  CW_API void HashesOf(const std::string_view* keys, size_t count,
                       uint64_t* hashes) const noexcept;

  [[nodiscard]] CW_API std::string_view name() const noexcept;
  // The scheme's id: "modulo" and so on.
  [[nodiscard]] CW_API std::string_view scheme() const noexcept;
  // Nodes are numbered below this, by ascending id or as the scheme says.
  [[nodiscard]] uint32_t node_count() const noexcept { return node_count_; }
  // A node; an empty id for node_count() and above, kNoNode included.
  [[nodiscard]] CW_API NodeView node(NodeIndex node) const noexcept;
  // The node with this id, kNoNode if there is none. O(log nodes).
  [[nodiscard]] CW_API NodeIndex Find(std::string_view id) const noexcept;

  [[nodiscard]] uint64_t seed() const noexcept { return seed_; }
  [[nodiscard]] KeyHash key_hash() const noexcept { return key_hash_; }
  // Bits of the hashes of keys: 64, or 32 where a key hash has no more.
  [[nodiscard]] uint32_t width() const noexcept { return width_; }
  // What placement depends on: name, scheme and its parameters, seed, key hash,
  // and of each node id, weight, labels and parameters. Hosts with equal
  // digests agree on every owner. Not of addresses.
  [[nodiscard]] Hash128 digest() const noexcept { return digest_; }
  // Bytes of the node table.
  [[nodiscard]] CW_API size_t bytes() const noexcept;

 protected:
  // Answers a block of hashes of a placement.
  using AnswerBlock = void (*)(const PlacedNodes& placement,
                               const uint64_t* hashes, size_t count,
                               NodeIndex* owners) noexcept;

  // Hash keys a block at a time, so that lookups of some go on while the next
  // come from memory.
  CW_API void AnswerKeys(const std::string_view* keys, size_t count,
                         NodeIndex* owners, AnswerBlock answer) const noexcept;
  CW_API void AnswerKeys(FixedKeys keys, NodeIndex* owners,
                         AnswerBlock answer) const noexcept;

 private:
  friend struct PlacedNodesMaker;
  PlacedNodes() = default;
  [[nodiscard]] CW_API uint64_t
  HashElsewhere(std::string_view key) const noexcept;

  Block table_;
  uint64_t seed_ = 0;
  Hash128 digest_;
  uint32_t node_count_ = 0;
  KeyHash key_hash_ = KeyHash::kXxh3;
  uint8_t width_ = 64;
};

// Lookups of keys for `Self`, a placement that has those of hashes.
template <typename Self>
class KeyLookups : public PlacedNodes {
 public:
  // Returns the node that owns `key`, any bytes.
  [[nodiscard]] CW_INLINE NodeIndex Owner(std::string_view key) const noexcept {
    return static_cast<const Self&>(*this).Owner(HashOf(key));
  }
  // Batches of keys: owners[i] = Owner(key i). `owners` has room for all and
  // does not overlap the keys.
  void Owners(const std::string_view* keys, size_t count,
              NodeIndex* owners) const noexcept {
    AnswerKeys(keys, count, owners, &Answer);
  }
  void Owners(FixedKeys keys, NodeIndex* owners) const noexcept {
    AnswerKeys(keys, owners, &Answer);
  }

 protected:
  explicit KeyLookups(PlacedNodes&& nodes) noexcept
      : PlacedNodes(std::move(nodes)) {}

 private:
  static void Answer(const PlacedNodes& placement, const uint64_t* hashes,
                     size_t count, NodeIndex* owners) noexcept {
    static_cast<const Self&>(placement).Owners(hashes, count, owners);
  }
};

}  // namespace clockwise
