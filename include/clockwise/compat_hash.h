// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Hashes of keys as existing systems ("peers") compute them, bit for bit; in
// the library clockwise-compat.
//
// Every function gives the same value on every CPU, byte order and alignment,
// reads no byte outside the key (a batch of FixedKeys: none outside the span of
// its keys), allocates nothing, cannot fail, and may be called by any thread.
// A key of length 0 may have a null pointer. Where a peer's own answer depends
// on the CPU it runs on, it is the answer of a little-endian x86.
//
// They exist to agree with what runs already. For rings of your own take
// hash.h: most of these spread worse or cost more, and none resists an attacker
// who chooses keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "clockwise/detail/api.h"
#include "clockwise/hash.h"

namespace clockwise {

// One value for each distinct function; peers that compute the same share one.
// The values are pinned by tests: they may be stored.
//
// "Signed" hashes sign-extend each byte of the key, as a char of x86 does; the
// same peer places bytes from 0x80 on elsewhere where char is unsigned. "Utf16"
// hashes take the UTF-16 code units of a key in UTF-8. Each maximal part of it
// that is not UTF-8 counts as U+FFFD, as in the Encoding Standard and so in
// Node.js.
enum class PeerHash : uint8_t {
  // libmemcached 1.1.4 and twemproxy 0.5.0.
  kOneAtATime = 0,     // Jenkins's one-at-a-time, signed
  kMd5Word = 1,        // MD5 (RFC 1321), first 4 bytes, little-endian; also
                       // libketama, spymemcached, npm hashring, uhashring
  kCrc15 = 2,          // bits 16 to 30 of CRC-32; also spymemcached and nginx
  kFnv1_64Signed = 3,  // FNV-1 64, signed, its low 32 bits
  kFnv1a64Signed = 4,  // FNV-1a 64, signed, its low 32 bits
  kFnv1_32Signed = 5,
  kFnv1a32Signed = 6,
  kHsieh = 7,       // SuperFastHash; libmemcached may be built without it,
                    // as Debian's is, and then answers 1 for every key
  kMurmur2_32 = 8,  // MurmurHash2, initial value (0xdeadbeef * length) ^ length
  kMurmur3_32 = 9,  // MurmurHash3 x86_32, seed 0xdeadbeef * length
  kJenkins = 10,    // lookup3 hashlittle, initval 13
  kCrc16Shifted = 11,  // twemproxy crc16: CRC-16/XMODEM in a register of 32
                       // bits that is never cut to 16

  // CRC-32 of ISO 3309: nginx, HAProxy, groupcache, Go, twemproxy crc32a.
  kCrc32 = 12,

  // HAProxy 2.6 and 3.x: hash-type functions, without and with `avalanche`.
  kSdbm = 13,
  kSdbmAvalanche = 14,
  kDjb2 = 15,
  kDjb2Avalanche = 16,
  kWt6 = 17,
  kWt6Avalanche = 18,
  kCrc32Avalanche = 19,
  kDecimal = 20,  // `none`: the key as a decimal number with a sign or none,
                  // up to what is no digit; saturates at 64 bits; its low 32
  kDecimalAvalanche = 21,

  // Envoy.
  kXxh64 = 22,          // XXH64, seed 0
  kMurmur2_64Std = 23,  // MurmurHash64A, seed 0xc70f6907: MURMUR_HASH_2, and
                        // std::hash<std::string> of libstdc++ on 64 bits

  // spymemcached 2.12.3, and Node.js.
  kJavaHashCode = 24,      // String.hashCode(): NATIVE_HASH
  kFnv1_64Utf16 = 25,      // its low 32 bits
  kFnv1a64Utf16 = 26,      // its low 32 bits
  kFnv1_32Utf16 = 27,      // in 64 bits, of which the low 32
  kFnv1a32Utf16 = 28,      // each unit xor-ed whole
  kFnv1a32Utf16Fmix = 29,  // fmix32 of it

  // Rings in Python and C++.
  kMd5High64 = 30,  // MD5, first 8 bytes, big-endian: also the high half of the
                    // 128-bit number that uhashring takes
  kFnv1a32 = 31,    // FNV-1a 32

  // Redis 7 Cluster: the slot, 0 to 16383, CRC-16/XMODEM of the key or of its
  // first hash tag that is not empty.
  kRedisSlot = 32,

  // Cassandra Murmur3Partitioner: the token, in two's complement: rings compare
  // it as a signed number. 0 for the empty key, as drivers say.
  kCassandraToken = 33,

  // mcrouter.
  kMurmur2_64Mcrouter = 34,    // MurmurHash64A, seed 4193360111
  kMurmur2_64Rendezvous = 35,  // MurmurHash64A, seed 2718281828
  kCrc31 = 36,                 // low 31 bits of CRC-32
  kSpooky32 = 37,              // SpookyHash V2, 32 bits, seed 0xface2014

  kMurmur3_128 = 38,  // MurmurHash3 x64_128, seed 0, first 64 bits: Katran
  kXxh32 = 39,        // XXH32, seed 0: HAProxy
};
inline constexpr int kPeerHashes = 40;

// The bits of the word that the hash is: 32 or 64. The hashes that have fewer
// (kCrc15, kCrc31, kRedisSlot) lie in the low bits of 32.
constexpr int PeerHashBits(PeerHash hash) noexcept {
  switch (hash) {
    case PeerHash::kXxh64:
    case PeerHash::kMurmur2_64Std:
    case PeerHash::kMd5High64:
    case PeerHash::kCassandraToken:
    case PeerHash::kMurmur2_64Mcrouter:
    case PeerHash::kMurmur2_64Rendezvous:
    case PeerHash::kMurmur3_128:
      return 64;
    default:
      return 32;
  }
}

// Returns a name of our own, distinct for each: "one-at-a-time", "md5-32" ...;
// "unknown" for a number that is none.
CW_API std::string_view PeerHashName(PeerHash hash) noexcept;

// Returns the hash that a peer calls `name`, letter case aside, or nothing.
// Peers and their names:
//
//   libmemcached  default md5 crc fnv1_64 fnv1a_64 fnv1_32 fnv1a_32 hsieh
//                 murmur jenkins murmur3
//   twemproxy     one_at_a_time md5 crc16 crc32 crc32a fnv1_64 fnv1a_64 fnv1_32
//                 fnv1a_32 hsieh murmur jenkins
//   haproxy       sdbm djb2 wt6 crc32 none, each also followed by " avalanche"
//   envoy         xx_hash murmur_hash_2
//   spymemcached  native_hash crc_hash fnv1_64_hash fnv1a_64_hash fnv1_32_hash
//                 fnv1a_32_hash ketama_hash
//   mcrouter      ch3 crc32 rendezvous
//   nginx         consistent plain
//   libketama, hashring (npm), uhashring, groupcache, redis, cassandra, katran,
//   python, node, go, cpp: one hash each, "default"; uhashring also ketama
CW_API std::optional<PeerHash> ParsePeerHash(std::string_view peer,
                                             std::string_view name) noexcept;

// The same by PeerHashName.
CW_API std::optional<PeerHash> ParsePeerHash(std::string_view name) noexcept;

// The hash of one key as rings take it: 64 bits, left-aligned (a 32-bit hash h
// is returned as h * 2^32). 0 for a number that is no hash.
CW_API uint64_t PeerHashOf(PeerHash hash, std::string_view key) noexcept;

// Batches: hashes[i] = PeerHashOf(hash, key i). MD5 runs in SIMD lanes, of keys
// of any lengths; what they are is chosen once per call from what the CPU has.
CW_API void PeerHashBatch(PeerHash hash, const std::string_view* keys,
                          size_t count, uint64_t* hashes) noexcept;
CW_API void PeerHashBatch(PeerHash hash, FixedKeys keys,
                          uint64_t* hashes) noexcept;

// The same, not shifted: hashes[i] is the 32-bit hash itself; of a 64-bit one,
// the high 32 bits.
CW_API void PeerHashBatch(PeerHash hash, const std::string_view* keys,
                          size_t count, uint32_t* hashes) noexcept;
CW_API void PeerHashBatch(PeerHash hash, FixedKeys keys,
                          uint32_t* hashes) noexcept;

}  // namespace clockwise
