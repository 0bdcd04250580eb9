// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/kinds.h"

#include "compat/hash/bytes.h"
#include "compat/hash/crc16.h"
#include "compat/hash/crc32.h"
#include "compat/hash/haproxy.h"
#include "compat/hash/md5_digest.h"
#include "compat/hash/memcached.h"
#include "compat/hash/murmur.h"
#include "compat/hash/spooky.h"
#include "compat/hash/utf16.h"
#include "hash/fnv.h"
#include "hash/placed.h"
#include "hash/xxh_inline.h"

namespace clockwise::compat_internal {
namespace {

using Key = std::string_view;

uint32_t Md5Word(Key key) noexcept { return Md5(key).words[0]; }
uint64_t Md5High64(Key key) noexcept { return Md5(key).High64(); }
uint32_t WholeCrc32(Key key) noexcept { return Crc32(key); }
uint32_t Crc31(Key key) noexcept { return Crc32(key) & 0x7FFFFFFF; }
uint32_t Fnv1a32Utf16Fmix(Key key) noexcept {
  return Fmix32(Fnv1a32Utf16(key));
}
uint32_t Fnv1a32Bytes(Key key) noexcept {
  return hash_internal::Fnv1a32Inline(key.data(), key.size(), 0);
}
uint32_t Xxh32(Key key) noexcept {
  return hash_internal::Xxh32Inline(key.data(), key.size(), 0);
}
uint64_t Xxh64(Key key) noexcept {
  return hash_internal::Xxh64Inline(key.data(), key.size(), 0);
}
uint64_t Murmur3First64(Key key) noexcept { return Murmur3_128(key, 0); }
uint64_t Token(Key key) noexcept {
  return static_cast<uint64_t>(CassandraToken(key));
}
uint32_t SpookyMcrouter(Key key) noexcept {
  return Spooky32(key, kSpookySeedMcrouter);
}

template <auto kHash>
uint64_t Left(Key key) noexcept {
  return hash_internal::Placed<uint64_t>(kHash(key));
}

// HAProxy's `avalanche`.
template <uint32_t (*kHash)(Key) noexcept>
uint64_t LeftMixed(Key key) noexcept {
  return hash_internal::Placed<uint64_t>(FullHash(kHash(key)));
}

template <uint64_t kSeed>
uint64_t Murmur2(Key key) noexcept {
  return Murmur2_64(key, kSeed);
}

// In the order of PeerHash.
constexpr PeerHashKind kKinds[] = {
    {"one-at-a-time", Left<OneAtATime>},
    {"md5-32", Left<Md5Word>},
    {"crc-15", Left<Crc15>},
    {"fnv1-64-signed", Left<Fnv1_64Signed>},
    {"fnv1a-64-signed", Left<Fnv1a64Signed>},
    {"fnv1-32-signed", Left<Fnv1_32Signed>},
    {"fnv1a-32-signed", Left<Fnv1a32Signed>},
    {"hsieh", Left<Hsieh>},
    {"murmur2-32", Left<Murmur2_32>},
    {"murmur3-32-length", Left<Murmur3Length>},
    {"jenkins", Left<Jenkins>},
    {"crc-16-shifted", Left<Crc16Shifted>},
    {"crc-32", Left<WholeCrc32>},
    {"sdbm", Left<Sdbm>},
    {"sdbm-avalanche", LeftMixed<Sdbm>},
    {"djb2", Left<Djb2>},
    {"djb2-avalanche", LeftMixed<Djb2>},
    {"wt6", Left<Wt6>},
    {"wt6-avalanche", LeftMixed<Wt6>},
    {"crc-32-avalanche", LeftMixed<WholeCrc32>},
    {"decimal", Left<DecimalKey>},
    {"decimal-avalanche", LeftMixed<DecimalKey>},
    {"xxh64", Left<Xxh64>},
    {"murmur2-64-std", Murmur2<kMurmurSeedStd>},
    {"java-hash-code", Left<JavaHashCode>},
    {"fnv1-64-utf16", Left<Fnv1_64Utf16>},
    {"fnv1a-64-utf16", Left<Fnv1a64Utf16>},
    {"fnv1-32-utf16", Left<Fnv1_32Utf16>},
    {"fnv1a-32-utf16", Left<Fnv1a32Utf16>},
    {"fnv1a-32-utf16-fmix", Left<Fnv1a32Utf16Fmix>},
    {"md5-64", Left<Md5High64>},
    {"fnv1a-32", Left<Fnv1a32Bytes>},
    {"redis-slot", Left<RedisSlot>},
    {"cassandra-token", Left<Token>},
    {"murmur2-64-mcrouter", Murmur2<kMurmurSeedMcrouter>},
    {"murmur2-64-rendezvous", Murmur2<kMurmurSeedRendezvous>},
    {"crc-31", Left<Crc31>},
    {"spooky-32", Left<SpookyMcrouter>},
    {"murmur3-128", Left<Murmur3First64>},
    {"xxh32", Left<Xxh32>},
};
static_assert(std::size(kKinds) == kPeerHashes);

constexpr PeerHashKind kUnknown = {"unknown",
                                   [](Key) noexcept { return uint64_t{0}; }};

}  // namespace

const PeerHashKind& KindOf(PeerHash hash) noexcept {
  const auto i = static_cast<size_t>(hash);
  return i < std::size(kKinds) ? kKinds[i] : kUnknown;
}

}  // namespace clockwise::compat_internal
