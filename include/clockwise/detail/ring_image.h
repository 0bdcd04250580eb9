// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The bytes of a built ring, described once.
//
//   | header | search | starts | positions | owners |
//
// Each part begins on a cache line.
//
// An image holds no pointer and never changes, so a plain copy of its bytes, on
// another NUMA node or in a mapping, is a valid ring. Integers are in the byte
// order of the machine. Bytes that no field needs are zero: equal rings have
// equal images.
//
// `positions` ascend; `owners[i]` is the slot that owns positions[i], and
// owners[points] = owners[0] closes the circle. Both are kept by every layout:
// replicas walk them and changes merge them. `search` is what the layout adds:
//
//   sorted     nothing
//   eytzinger  positions in breadth-first order, then their owners
//   splus      levels of 64-byte nodes over `positions`, which are the leaves
//   line       one 64-byte line per bucket of the circle; `starts[b]` is the
//              first point of bucket b. Then, where many lines overflow, the
//              levels of a splus tree that answers for them
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace clockwise {

// Arrangement of a ring in memory. All answer alike; they differ in speed.
enum class Layout : uint8_t {
  kSorted = 0,     // branchless binary search: the smallest
  kEytzinger = 1,  // breadth-first order with prefetch
  kSplus = 2,      // static B+ tree: fastest where positions are not uniform
  kLine = 3,       // one cache line per lookup: fastest on any hashed ring
};

// How a ring hashes keys; part of its digest.
enum class KeyHash : uint8_t {
  kXxh3 = 0,        // XXH3-64
  kFnv1aFmix = 1,   // FNV-1a with fmix, 64 or 32 bits as the ring is wide
  kMurmur3_32 = 2,  // MurmurHash3 x86_32: 32-bit rings only
  // From 32 on: see key_hasher.h.
};

namespace detail {
inline namespace image_1 {

// One bucket of the circle: the remainders of its points in ascending order,
// who owns them, and who owns what comes after them.
//
// keys: remainder xor 0x8000, so that a signed compare orders them; unused
// lanes hold 0x7FFF, and lane 15 is never used. owners[rank] answers a key with
// `rank` remainders below it; unused ones hold the owner of the first point
// after the bucket. A bucket of more than 15 points has 0xFFFF in all owners.
struct alignas(64) Line {
  int16_t keys[16];
  uint16_t owners[16];
};
static_assert(sizeof(Line) == 64, "one line is one cache line");

// The same for rings of more than 65,534 slots: 13 points, 14 owners of 20 bits
// (the first in the low bits, bytes little-endian), 0xFFFFF where it overflows.
struct alignas(64) WideLine {
  int16_t keys[14];
  uint8_t owners[36];
};
static_assert(sizeof(WideLine) == 64, "one line is one cache line");

inline constexpr uint32_t kLineKeys = 15;
inline constexpr uint32_t kWideLineKeys = 13;
inline constexpr uint16_t kOverflow = 0xFFFF;
inline constexpr uint32_t kWideOverflow = 0xFFFFF;
inline constexpr int16_t kUnusedKey = 0x7FFF;
inline constexpr uint32_t kMaxNarrowSlots = 65534;

// 9 children a node (64-bit positions) reach 2^27 points in 9 levels.
inline constexpr int kMaxSplusLevels = 9;

struct alignas(64) RingImage {
  static constexpr uint64_t kMagic = 0x31474E495257431Au;

  uint64_t magic;
  uint64_t bytes;  // of the whole image
  uint64_t epoch;  // 0: never published
  uint64_t seed;
  uint64_t digest[2];       // high, low: what placement depends on
  uint64_t base_digest[2];  // of the ring before health changed it
  uint64_t local;           // how often it did; 0: base_digest is digest
  uint32_t points;
  uint32_t slots;       // holes included
  uint32_t nodes;       // that have points
  uint32_t collisions;  // points whose position equals the one before
  uint32_t lines;       // layout line: buckets of the circle
  uint32_t overflowed;  // points in lines that overflow
  uint8_t width;        // 32 or 64
  Layout layout;
  KeyHash key_hash;
  uint8_t is_wide;        // 1: owners of 32 bits, wide lines
  uint32_t splus_levels;  // above the leaves; 0: no tree
  uint64_t search_at;     // byte offsets from the image's first byte; 0: absent
  uint64_t starts_at;
  uint64_t positions_at;
  uint64_t owners_at;
  uint64_t search_owners_at;           // eytzinger
  uint64_t splus_at[kMaxSplusLevels];  // root first
  uint64_t reserved[5];

  template <typename T>
  [[nodiscard]] const T* At(uint64_t offset) const noexcept {
    return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(this) +
                                      offset);
  }
};
static_assert(sizeof(RingImage) % 64 == 0, "parts begin on cache lines");
static_assert(std::has_unique_object_representations_v<RingImage>,
              "no padding: equal rings have equal bytes");

// A position as a ring of this width stores and compares it.
template <int kWidth>
struct PositionOf;
template <>
struct PositionOf<32> {
  using Type = uint32_t;
};
template <>
struct PositionOf<64> {
  using Type = uint64_t;
};
template <int kWidth>
using Position = typename PositionOf<kWidth>::Type;

template <bool kWide>
struct OwnerOf {
  using Type = uint16_t;
  using LineType = Line;
};
template <>
struct OwnerOf<true> {
  using Type = uint32_t;
  using LineType = WideLine;
};

// `hash` is left-aligned.
template <int kWidth>
constexpr Position<kWidth> ToPosition(uint64_t hash) noexcept {
  if constexpr (kWidth == 32) {
    return static_cast<uint32_t>(hash >> 32);
  } else {
    return hash;
  }
}

// The inverse: a position, or a hash of 32 bits, left-aligned.
constexpr uint64_t ToLeftAligned(uint64_t hash) noexcept { return hash; }
constexpr uint64_t ToLeftAligned(uint32_t hash) noexcept {
  return uint64_t{hash} << 32;
}

// Where a hash falls when the circle is cut into equal buckets: the bucket, and
// how far through it, as the keys of a line tell it.
struct Bucket {
  uint64_t line;
  int16_t key;  // the top 16 bits of the way, xor 0x8000
};

// hash * lines, in fixed point: the line is the whole part, the key comes from
// the top of the fraction. Monotone in `hash`, so buckets are arcs.
template <int kWidth>
constexpr Bucket BucketOf(uint64_t hash, uint64_t lines) noexcept {
  if constexpr (kWidth == 32) {
    const uint64_t t = (hash >> 32) * lines;
    const uint32_t fraction = static_cast<uint32_t>(t) ^ 0x80000000u;
    return {t >> 32, static_cast<int16_t>(fraction >> 16)};
  } else {
    __extension__ using Uint128 = unsigned __int128;
    const Uint128 t = static_cast<Uint128>(hash) * lines;
    const uint64_t fraction = static_cast<uint64_t>(t) ^ (uint64_t{1} << 63);
    return {static_cast<uint64_t>(t >> 64),
            static_cast<int16_t>(fraction >> 48)};
  }
}

}  // namespace image_1
}  // namespace detail
}  // namespace clockwise
