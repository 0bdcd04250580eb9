// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Hashes of keys: one key at a time, and batches.
//
// Every function gives the same value on every CPU, byte order, alignment and
// length, reads no byte outside the key (a batch of FixedKeys: none outside the
// span of its keys), allocates nothing, cannot fail, and may be called by any
// thread. A key of length 0 may have a null pointer.
//
// None of these resists an attacker who chooses keys; use them on trusted keys.
//
// Which to take: XXH3-64, 64 bits for keys of any length. Batches of fixed-size
// keys run in SIMD lanes: MurmurHash3-32 and FNV-1a + fmix32 at any size, XXH3
// from 9 to 128 bytes where there is AVX2. On flow tuples MurmurHash3-32 is
// then as fast or faster, from 64 bytes on XXH3 is (bench/README.md). FNV-1a
// alone clusters on similar keys: never place with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "clockwise/detail/api.h"

namespace clockwise {

// The values are pinned by tests: they may be stored.
enum class HashKind : uint8_t {
  kXxh3_64 = 0,      // XXH3-64 with seed
  kFnv1a32 = 1,      // FNV-1a 32, offset basis xor low 32 bits of the seed
  kFnv1a32Fmix = 2,  // fmix32 of it
  kFnv1a64 = 3,      // FNV-1a 64, offset basis xor seed
  kFnv1a64Fmix = 4,  // fmix64 of it
  kMurmur3_32 = 5,   // MurmurHash3 x86_32, seed = low 32 bits
  kCrc32cFmix = 6,   // fmix32(CRC-32C), initial register ~(low 32 bits of seed)
};
inline constexpr int kHashKinds = 7;

// Returns "xxh3-64", "fnv1a-32", "fnv1a-32-fmix", "fnv1a-64", "fnv1a-64-fmix",
// "murmur3-32" or "crc32c-fmix".
CW_API std::string_view HashName(HashKind kind) noexcept;

// Whether the hash has 32 bits; the others have 64.
constexpr bool IsHash32(HashKind kind) noexcept {
  return kind != HashKind::kXxh3_64 && kind != HashKind::kFnv1a64 &&
         kind != HashKind::kFnv1a64Fmix;
}

struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

// The finalizers of MurmurHash3 (Appleby): bijections that spread every input
// bit over the whole word.
constexpr uint32_t Fmix32(uint32_t h) noexcept {
  h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
  h = (h ^ (h >> 13)) * 0xC2B2AE35u;
  return h ^ (h >> 16);
}
constexpr uint64_t Fmix64(uint64_t h) noexcept {
  h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDu;
  h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53u;
  return h ^ (h >> 33);
}

// One key. XXH3 as in xxHash 0.8 (Collet); FNV-1a as in draft-eastlake-fnv;
// CRC-32C as in RFC 3720, where Crc32c("123456789", 0) = 0xE3069283 and a
// `crc` of an earlier part continues it.
CW_API uint64_t Xxh3_64(std::string_view key, uint64_t seed = 0) noexcept;
CW_API Hash128 Xxh3_128(std::string_view key, uint64_t seed = 0) noexcept;
CW_API uint32_t Fnv1a32(std::string_view key, uint32_t seed = 0) noexcept;
CW_API uint64_t Fnv1a64(std::string_view key, uint64_t seed = 0) noexcept;
CW_API uint32_t Murmur3_32(std::string_view key, uint32_t seed = 0) noexcept;
CW_API uint32_t Crc32c(std::string_view key, uint32_t crc = 0) noexcept;

// The hash of one key as rings take it: 64 bits, left-aligned (a 32-bit hash h
// is returned as h * 2^32).
CW_API uint64_t Hash(HashKind kind, std::string_view key,
                     uint64_t seed = 0) noexcept;

// `count` keys of `size` bytes each, the first at `data`, each `stride` bytes
// after the one before. `stride` is at least `size` (the keys do not overlap;
// 0 is allowed where count < 2). No byte before the first key or after the
// last one is read; bytes between keys may be, and do not count.
struct FixedKeys {
  const void* data = nullptr;
  size_t size = 0;
  size_t stride = 0;
  size_t count = 0;
};

// Batches: hashes[i] = Hash(kind, key i, seed), left-aligned. Which code runs
// (its SIMD width) is chosen once per call from what the CPU has.
CW_API void HashBatch(HashKind kind, uint64_t seed,
                      const std::string_view* keys, size_t count,
                      uint64_t* hashes) noexcept;
CW_API void HashBatch(HashKind kind, uint64_t seed, FixedKeys keys,
                      uint64_t* hashes) noexcept;

// The same for 32-bit kinds (IsHash32), not shifted: hashes[i] is the hash
// itself. For a 64-bit kind, its high 32 bits: what a 32-bit ring compares.
CW_API void HashBatch(HashKind kind, uint64_t seed,
                      const std::string_view* keys, size_t count,
                      uint32_t* hashes) noexcept;
CW_API void HashBatch(HashKind kind, uint64_t seed, FixedKeys keys,
                      uint32_t* hashes) noexcept;

}  // namespace clockwise
