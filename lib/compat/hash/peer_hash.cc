// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/compat_hash.h"
#include "compat/hash/kinds.h"

namespace clockwise {
namespace {

// What a peer calls a hash.
struct PeerName {
  std::string_view peer, name;
  PeerHash hash;
};

constexpr PeerName kPeerNames[] = {
    {"libmemcached", "default", PeerHash::kOneAtATime},
    {"libmemcached", "md5", PeerHash::kMd5Word},
    {"libmemcached", "crc", PeerHash::kCrc15},
    {"libmemcached", "fnv1_64", PeerHash::kFnv1_64Signed},
    {"libmemcached", "fnv1a_64", PeerHash::kFnv1a64Signed},
    {"libmemcached", "fnv1_32", PeerHash::kFnv1_32Signed},
    {"libmemcached", "fnv1a_32", PeerHash::kFnv1a32Signed},
    {"libmemcached", "hsieh", PeerHash::kHsieh},
    {"libmemcached", "murmur", PeerHash::kMurmur2_32},
    {"libmemcached", "jenkins", PeerHash::kJenkins},
    {"libmemcached", "murmur3", PeerHash::kMurmur3_32},
    {"twemproxy", "one_at_a_time", PeerHash::kOneAtATime},
    {"twemproxy", "md5", PeerHash::kMd5Word},
    {"twemproxy", "crc16", PeerHash::kCrc16Shifted},
    {"twemproxy", "crc32", PeerHash::kCrc15},
    {"twemproxy", "crc32a", PeerHash::kCrc32},
    {"twemproxy", "fnv1_64", PeerHash::kFnv1_64Signed},
    {"twemproxy", "fnv1a_64", PeerHash::kFnv1a64Signed},
    {"twemproxy", "fnv1_32", PeerHash::kFnv1_32Signed},
    {"twemproxy", "fnv1a_32", PeerHash::kFnv1a32Signed},
    {"twemproxy", "hsieh", PeerHash::kHsieh},
    {"twemproxy", "murmur", PeerHash::kMurmur2_32},
    {"twemproxy", "jenkins", PeerHash::kJenkins},
    {"haproxy", "sdbm", PeerHash::kSdbm},
    {"haproxy", "sdbm avalanche", PeerHash::kSdbmAvalanche},
    {"haproxy", "djb2", PeerHash::kDjb2},
    {"haproxy", "djb2 avalanche", PeerHash::kDjb2Avalanche},
    {"haproxy", "wt6", PeerHash::kWt6},
    {"haproxy", "wt6 avalanche", PeerHash::kWt6Avalanche},
    {"haproxy", "crc32", PeerHash::kCrc32},
    {"haproxy", "crc32 avalanche", PeerHash::kCrc32Avalanche},
    {"haproxy", "none", PeerHash::kDecimal},
    {"haproxy", "none avalanche", PeerHash::kDecimalAvalanche},
    {"envoy", "xx_hash", PeerHash::kXxh64},
    {"envoy", "murmur_hash_2", PeerHash::kMurmur2_64Std},
    {"spymemcached", "native_hash", PeerHash::kJavaHashCode},
    {"spymemcached", "crc_hash", PeerHash::kCrc15},
    {"spymemcached", "fnv1_64_hash", PeerHash::kFnv1_64Utf16},
    {"spymemcached", "fnv1a_64_hash", PeerHash::kFnv1a64Utf16},
    {"spymemcached", "fnv1_32_hash", PeerHash::kFnv1_32Utf16},
    {"spymemcached", "fnv1a_32_hash", PeerHash::kFnv1a32Utf16},
    {"spymemcached", "ketama_hash", PeerHash::kMd5Word},
    {"mcrouter", "ch3", PeerHash::kMurmur2_64Mcrouter},
    {"mcrouter", "crc32", PeerHash::kCrc31},
    {"mcrouter", "rendezvous", PeerHash::kMurmur2_64Rendezvous},
    {"nginx", "consistent", PeerHash::kCrc32},
    {"nginx", "plain", PeerHash::kCrc15},
    {"libketama", "default", PeerHash::kMd5Word},
    {"hashring", "default", PeerHash::kMd5Word},
    {"uhashring", "default", PeerHash::kMd5High64},
    {"uhashring", "ketama", PeerHash::kMd5Word},
    {"groupcache", "default", PeerHash::kCrc32},
    {"redis", "default", PeerHash::kRedisSlot},
    {"cassandra", "default", PeerHash::kCassandraToken},
    {"katran", "default", PeerHash::kMurmur3_128},
    {"python", "default", PeerHash::kMd5High64},
    {"node", "default", PeerHash::kFnv1a32Utf16Fmix},
    {"go", "default", PeerHash::kCrc32},
    {"cpp", "default", PeerHash::kFnv1a32},
};

constexpr char Lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Whether `text` is `lower`, letter case aside.
bool IsName(std::string_view text, std::string_view lower) noexcept {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (Lower(text[i]) != lower[i]) return false;
  }
  return true;
}

}  // namespace

std::string_view PeerHashName(PeerHash hash) noexcept {
  return compat_internal::KindOf(hash).name;
}

std::optional<PeerHash> ParsePeerHash(std::string_view peer,
                                      std::string_view name) noexcept {
  for (const PeerName& known : kPeerNames) {
    if (IsName(peer, known.peer) && IsName(name, known.name)) return known.hash;
  }
  return std::nullopt;
}

std::optional<PeerHash> ParsePeerHash(std::string_view name) noexcept {
  for (int i = 0; i < kPeerHashes; ++i) {
    const auto hash = static_cast<PeerHash>(i);
    if (PeerHashName(hash) == name) return hash;
  }
  return std::nullopt;
}

uint64_t PeerHashOf(PeerHash hash, std::string_view key) noexcept {
  return compat_internal::KindOf(hash).hash(key);
}

}  // namespace clockwise
