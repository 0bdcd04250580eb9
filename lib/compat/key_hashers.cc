// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/key_hashers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace clockwise::compat_internal {
namespace {

// Keys that a rule is applied to at a time.
constexpr size_t kBlock = 64;

KeyRule RuleOf(uint64_t seed) noexcept {
  KeyRule rule;
  rule.empty_is_zero = (seed & 1) != 0;
  rule.tag_begin = static_cast<char>(seed >> 8 & 0xFF);
  rule.tag_end = static_cast<char>(seed >> 16 & 0xFF);
  return rule;
}

// The part of the key that counts.
std::string_view Tagged(std::string_view key, KeyRule rule) noexcept {
  if (!rule.has_tag()) return key;
  const size_t begin = key.find(rule.tag_begin);
  if (begin == std::string_view::npos) return key;
  const size_t end = key.find(rule.tag_end, begin + 1);
  if (end == std::string_view::npos || end == begin + 1) return key;
  return key.substr(begin + 1, end - begin - 1);
}

uint64_t HashByRule(PeerHash hash, std::string_view key,
                    KeyRule rule) noexcept {
  if (key.empty() && rule.empty_is_zero) return 0;
  return PeerHashOf(hash, Tagged(key, rule));
}

// `key_at(i)` is key i of `count`.
template <typename KeyAt>
void HashAllByRule(PeerHash hash, KeyAt key_at, size_t count, KeyRule rule,
                   uint64_t* hashes) noexcept {
  std::array<std::string_view, kBlock> keys;
  for (size_t first = 0; first < count; first += kBlock) {
    const size_t some = std::min(kBlock, count - first);
    for (size_t i = 0; i < some; ++i) keys[i] = Tagged(key_at(first + i), rule);
    PeerHashBatch(hash, keys.data(), some, hashes + first);
    for (size_t i = 0; i < some && rule.empty_is_zero; ++i) {
      if (key_at(first + i).empty()) hashes[first + i] = 0;
    }
  }
}

template <int kHash>
struct Hasher {
  static constexpr auto kPeer = static_cast<PeerHash>(kHash);

  static uint64_t One(std::string_view key, uint64_t seed) noexcept {
    return seed == 0 ? PeerHashOf(kPeer, key)
                     : HashByRule(kPeer, key, RuleOf(seed));
  }
  static void Many(const std::string_view* keys, size_t count, uint64_t seed,
                   uint64_t* hashes) noexcept {
    if (seed == 0) return PeerHashBatch(kPeer, keys, count, hashes);
    HashAllByRule(
        kPeer, [keys](size_t i) { return keys[i]; }, count, RuleOf(seed),
        hashes);
  }
  static void Fixed(FixedKeys keys, uint64_t seed, uint64_t* hashes) noexcept {
    if (seed == 0) return PeerHashBatch(kPeer, keys, hashes);
    const auto* data = static_cast<const char*>(keys.data);
    HashAllByRule(
        kPeer,
        [&](size_t i) {
          return std::string_view(data + i * keys.stride, keys.size);
        },
        keys.count, RuleOf(seed), hashes);
  }
};

template <int... kHashes>
std::array<KeyHasher, sizeof...(kHashes)> AllOf(
    std::integer_sequence<int, kHashes...>) {
  return {KeyHasher{PeerHashName(Hasher<kHashes>::kPeer), Hasher<kHashes>::One,
                    Hasher<kHashes>::Many, Hasher<kHashes>::Fixed}...};
}

}  // namespace

uint64_t SeedOf(KeyRule rule) noexcept {
  return (rule.empty_is_zero ? 1 : 0) |
         uint64_t{static_cast<uint8_t>(rule.tag_begin)} << 8 |
         uint64_t{static_cast<uint8_t>(rule.tag_end)} << 16;
}

Status RegisterKeyHashers() {
  static const auto hashers =
      AllOf(std::make_integer_sequence<int, kPeerHashes>());
  for (int i = 0; i < kPeerHashes; ++i) {
    Status status = RegisterKeyHasher(KeyHashFor(static_cast<PeerHash>(i)),
                                      hashers[static_cast<size_t>(i)]);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace clockwise::compat_internal
