// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The ring: which node owns this key?
//
// A ring never changes after it is built (RingBuilder), so any number of
// threads may use one at once, without locks. No lookup allocates, locks,
// throws or fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/detail/line.h"
#include "clockwise/detail/ring_image.h"
#include "clockwise/detail/search.h"
#include "clockwise/hash.h"
#include "clockwise/node.h"
#include "clockwise/replicas.h"
#include "clockwise/status.h"

namespace clockwise {

struct KeyHasher;

// Returns "sorted", "eytzinger", "splus" or "line".
CW_API std::string_view LayoutName(Layout layout) noexcept;
CW_API std::optional<Layout> ParseLayout(std::string_view name) noexcept;

// Returns "xxh3", "fnv1a-fmix" or "murmur3-32", or the name it was registered
// by (key_hasher.h); "unknown" where it was not.
CW_API std::string_view KeyHashName(KeyHash key_hash) noexcept;
// Returns the function that a ring of so many bits hashes keys with: one of
// HashName's, such as "xxh3-64", or the name that it was registered by. Where
// these and the seeds are equal, so are the hashes of every key.
CW_API std::string_view KeyFunctionName(KeyHash key_hash,
                                        uint32_t width) noexcept;
CW_API std::optional<KeyHash> ParseKeyHash(std::string_view name) noexcept;

// The function that a ring of this width (32 or 64) hashes with, whose key hash
// is built in.
constexpr HashKind HashKindOf(KeyHash key_hash, uint32_t width) noexcept {
  if (key_hash == KeyHash::kMurmur3_32) return HashKind::kMurmur3_32;
  if (key_hash == KeyHash::kXxh3) return HashKind::kXxh3_64;
  return width == 32 ? HashKind::kFnv1a32Fmix : HashKind::kFnv1a64Fmix;
}

// Returns 32 hex digits, as XXH128 writes its canonical form.
CW_API std::string ToHex(Hash128 digest);

// Views of layout `line` in one width, for hot loops; see RingView::line32.
// Each answers Owner(hash) inline, with no choice to make per call.
using Line32View = detail::LineView<32, false>;
using Line64View = detail::LineView<64, false>;

// The lookups of a ring, given the bytes of its image. Owns nothing: the image
// must outlive it. Cheap to copy.
class RingView {
 public:
  // `image` is that of a ring, or a plain copy of one's bytes; 64-byte aligned.
  CW_API explicit RingView(const detail::RingImage* image) noexcept;

  // Returns the node that owns `hash`: that of the first point at or after it,
  // going clockwise, where the first point follows the last. kNoNode if the
  // ring is empty. A 32-bit ring compares the high 32 bits of `hash` only.
  //
  // One cache line in layout `line`, which is inlined (rings of more than
  // 65,534 slots excepted); O(log points) in the others, through a call.
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    if (path_ == Path::kLine32) [[likely]] {
      return Line32View(lines_, line_count_, image_).Owner(hash);
    }
    if (path_ == Path::kLine64) [[likely]] {
      return Line64View(lines_, line_count_, image_).Owner(hash);
    }
    return OwnerElsewhere(hash);
  }

  // Returns the node that owns `key`, any bytes, hashed as the ring says.
  [[nodiscard]] CW_INLINE NodeIndex Owner(std::string_view key) const noexcept {
    return Owner(HashOf(key));
  }

  // Returns the hash of `key`, left-aligned, with the ring's key hash and seed.
  [[nodiscard]] CW_INLINE uint64_t HashOf(std::string_view key) const noexcept {
    if (hash_kind_ == HashKind::kXxh3_64) [[likely]] {
      return Xxh3_64(key, seed_);
    }
    return HashElsewhere(key);
  }

  // Batches: hashes[i] = HashOf(keys[i]).
  CW_API void HashesOf(const std::string_view* keys, size_t count,
                       uint64_t* hashes) const noexcept;

  // Batches: owners[i] = Owner(hashes[i]). The search is interleaved and
  // prefetched, and its SIMD width chosen once per call from what the CPU has;
  // 64 or more at a time pay best. `owners` has room for `count` and does not
  // overlap the input. 32-bit hashes stand for their value * 2^32.
  CW_API void Owners(const uint64_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  CW_API void Owners(const uint32_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  // Batches of keys: owners[i] = Owner(key i).
  CW_API void Owners(const std::string_view* keys, size_t count,
                     NodeIndex* owners) const noexcept;
  CW_API void Owners(FixedKeys keys, NodeIndex* owners) const noexcept;

  // Reads ahead what lookups will read, at most 1 MiB, in order: a few
  // nanoseconds a cache line. Where another core has just written the ring, as
  // after a publish, lookups that meet its lines one by one wait for each, a
  // hundred nanoseconds or more. For threads that mind their slowest lookups,
  // when they meet a new ring. Answers nothing, changes nothing.
  CW_API void Prefetch() const noexcept;

  // Writes the first `count` distinct nodes clockwise from `hash` to `nodes`,
  // the owner first. Returns how many it wrote: `count`, or all nodes that have
  // points where those are fewer; the answer is short by the difference.
  // Shadowed points are walked too.
  //
  // O(points walked * count) up to 16 replicas, as DistinctWalk beyond. A walk
  // is short unless few nodes hold nearly all points; it ends after one turn.
  CW_API size_t Replicas(uint64_t hash, size_t count,
                         NodeIndex* nodes) const noexcept;

  // All distinct nodes clockwise from `hash`, found as they are asked for:
  //   for (NodeIndex node : ring.Clockwise(hash)) …
  // Nodes for which `is_excluded(node)` holds are passed over; the others keep
  // their order, so a retry meets the next replica. The predicate must not
  // throw.
  [[nodiscard]] auto Clockwise(uint64_t hash) const noexcept {
    return ClockwiseRange<NoExclusion>(Walk(hash), {});
  }
  template <typename Exclude>
  [[nodiscard]] auto Clockwise(uint64_t hash,
                               Exclude is_excluded) const noexcept {
    return ClockwiseRange<Exclude>(Walk(hash), std::move(is_excluded));
  }

  // Typed views: nothing unless the ring has this layout and width.
  [[nodiscard]] std::optional<Line32View> line32() const noexcept {
    if (path_ != Path::kLine32) return std::nullopt;
    return Line32View(image_);
  }
  [[nodiscard]] std::optional<Line64View> line64() const noexcept {
    if (path_ != Path::kLine64) return std::nullopt;
    return Line64View(image_);
  }

  [[nodiscard]] Layout layout() const noexcept { return image_->layout; }
  [[nodiscard]] uint32_t width() const noexcept { return image_->width; }
  [[nodiscard]] uint64_t seed() const noexcept { return image_->seed; }
  [[nodiscard]] KeyHash key_hash() const noexcept { return image_->key_hash; }
  // Given by whoever owns the membership; 0: never published.
  [[nodiscard]] uint64_t epoch() const noexcept { return image_->epoch; }
  [[nodiscard]] uint32_t point_count() const noexcept { return image_->points; }
  // Slots are numbered below this; some may be holes (RingBuilder::From).
  [[nodiscard]] uint32_t slot_count() const noexcept { return image_->slots; }
  // Points shadowed by one with the same position; they own nothing.
  [[nodiscard]] uint32_t collisions() const noexcept {
    return image_->collisions;
  }
  // What placement depends on: name, scheme, width, seed, key hash, and of each
  // node of weight above 0 the id, weight, count of points and labels, and
  // points that were given. Hosts with equal digests agree on
  // every owner. Not of addresses, epoch, layout or the order nodes came in.
  [[nodiscard]] Hash128 digest() const noexcept {
    return {image_->digest[0], image_->digest[1]};
  }
  // Of a ring whose weights follow health on this host alone
  // (RingBuilder::BuildLocal): how often they had changed, from 1 on, and the
  // digest of the ring that all hosts were given. Else 0, and digest(). Hosts
  // with equal epochs and base digests have the same membership.
  [[nodiscard]] uint64_t local() const noexcept { return image_->local; }
  [[nodiscard]] Hash128 base_digest() const noexcept {
    return {image_->base_digest[0], image_->base_digest[1]};
  }
  // Position of a point (left-aligned) and its owner, in ring order. `i` is
  // below point_count().
  [[nodiscard]] CW_API uint64_t PositionAt(size_t i) const noexcept;
  [[nodiscard]] CW_API NodeIndex OwnerAt(size_t i) const noexcept;
  // Returns the index of the first point at or after `hash`, 0 past the last
  // one and in an empty ring.
  [[nodiscard]] CW_API size_t PointAt(uint64_t hash) const noexcept;

  [[nodiscard]] const detail::RingImage* image() const noexcept {
    return image_;
  }

 private:
  // How Owner() searches.
  enum class Path : uint8_t { kCall = 0, kLine32 = 1, kLine64 = 2 };
  [[nodiscard]] CW_API NodeIndex OwnerElsewhere(uint64_t hash) const noexcept;
  [[nodiscard]] CW_API uint64_t
  HashElsewhere(std::string_view key) const noexcept;
  // Null where the key hash is built in.
  [[nodiscard]] const KeyHasher* hasher() const noexcept;
  [[nodiscard]] CW_API DistinctWalk Walk(uint64_t hash) const noexcept;

  const void* lines_;
  uint64_t line_count_;
  const detail::RingImage* image_;
  uint64_t seed_;
  HashKind hash_kind_;
  Path path_;
};

// A built ring with its nodes. Moved, never copied: views of it stay valid, and
// a moved-from ring may only be assigned to or destroyed.
class Ring : public RingView {
 public:
  CW_API Ring(Ring&&) noexcept;
  CW_API Ring& operator=(Ring&&) noexcept;
  CW_API ~Ring();

  [[nodiscard]] CW_API std::string_view name() const noexcept;
  // "clockwise-1", or what the builder of explicit points called it.
  [[nodiscard]] CW_API std::string_view scheme() const noexcept;
  [[nodiscard]] CW_API uint32_t vnodes() const noexcept;
  [[nodiscard]] CW_API ParamsView params() const noexcept;

  // Members, drained ones (weight 0) included.
  [[nodiscard]] CW_API uint32_t node_count() const noexcept;
  // The node of a slot; an empty id for a hole and for kNoNode.
  [[nodiscard]] CW_API NodeView node(NodeIndex slot) const noexcept;
  // The slots of all members by ascending id.
  [[nodiscard]] CW_API std::span<const NodeIndex> slots_by_id() const noexcept;
  // The slot of the member with this id, kNoNode if there is none. O(log
  // nodes).
  [[nodiscard]] CW_API NodeIndex Find(std::string_view id) const noexcept;

  // Of all that members say, addresses too: XXH3-128 of "clockwise-records-1"
  // and NUL, the high and low words of digest(), and by id for each member, of
  // weight 0 as well, what digest() has of a node, then the address. Allocates;
  // may throw std::bad_alloc.
  [[nodiscard]] CW_API Hash128 records_digest() const;
  // Bytes of the image and of the node table.
  [[nodiscard]] CW_API size_t bytes() const noexcept;

  // Returns a ring of the same bytes under another epoch, and not local, in
  // blocks of `source`
  // (DefaultBlockSource() if null); kOutOfMemory if it has none.
  [[nodiscard]] CW_API Result<Ring> Copy(uint64_t epoch,
                                         BlockSource* source = nullptr) const;

 private:
  friend class RingAssembly;
  friend struct RingAccess;
  Ring(Block image, Block table) noexcept;

  Block image_block_;
  Block table_block_;
};

}  // namespace clockwise
