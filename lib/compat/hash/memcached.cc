// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/memcached.h"

#include "base/endian.h"
#include "compat/hash/bytes.h"
#include "compat/hash/crc32.h"
#include "compat/hash/tail.h"
#include "hash/fnv.h"
#include "hash/murmur3.h"

namespace clockwise::compat_internal {
namespace {

using hash_internal::kFnvBasis32;
using hash_internal::kFnvPrime32;

// Of the 64-bit hashes only the low half is returned, and the low half of a
// product depends on low halves alone.
constexpr uint32_t kFnvBasisLow = 0x84222325;
constexpr uint32_t kFnvPrimeLow = 0x000001B3;
static_assert(kFnvBasisLow == (hash_internal::kFnvBasis64 & 0xFFFFFFFF));
static_assert(kFnvPrimeLow == (hash_internal::kFnvPrime64 & 0xFFFFFFFF));

uint32_t Fnv1(std::string_view key, uint32_t h, uint32_t prime) noexcept {
  const uint8_t* bytes = Bytes(key);
  for (size_t i = 0; i < key.size(); ++i) {
    h = (h * prime) ^ SignExtend32(bytes[i]);
  }
  return h;
}

uint32_t Fnv1a(std::string_view key, uint32_t h, uint32_t prime) noexcept {
  const uint8_t* bytes = Bytes(key);
  for (size_t i = 0; i < key.size(); ++i) {
    h = (h ^ SignExtend32(bytes[i])) * prime;
  }
  return h;
}

uint32_t LoadLe16(const uint8_t* from) noexcept {
  return static_cast<uint32_t>(from[0] | from[1] << 8);
}

// The last 1 to 3 bytes of SuperFastHash.
uint32_t HsiehTail(const uint8_t* p, size_t rest, uint32_t h) noexcept {
  if (rest == 3) {
    h += LoadLe16(p);
    h ^= h << 16;
    h ^= SignExtend32(p[2]) << 18;
    return h + (h >> 11);
  }
  if (rest == 2) {
    h += LoadLe16(p);
    h ^= h << 11;
    return h + (h >> 17);
  }
  h += p[0];
  h ^= h << 10;
  return h + (h >> 1);
}

// The state of lookup3.
struct Lookup3 {
  uint32_t a, b, c;

  void Add(const uint8_t* twelve) noexcept {
    a += LoadLe32(twelve);
    b += LoadLe32(twelve + 4);
    c += LoadLe32(twelve + 8);
  }
  void Mix() noexcept {
    a = (a - c) ^ std::rotl(c, 4), c += b;
    b = (b - a) ^ std::rotl(a, 6), a += c;
    c = (c - b) ^ std::rotl(b, 8), b += a;
    a = (a - c) ^ std::rotl(c, 16), c += b;
    b = (b - a) ^ std::rotl(a, 19), a += c;
    c = (c - b) ^ std::rotl(b, 4), b += a;
  }
  void Finish() noexcept {
    c = (c ^ b) - std::rotl(b, 14);
    a = (a ^ c) - std::rotl(c, 11);
    b = (b ^ a) - std::rotl(a, 25);
    c = (c ^ b) - std::rotl(b, 16);
    a = (a ^ c) - std::rotl(c, 4);
    b = (b ^ a) - std::rotl(a, 14);
    c = (c ^ b) - std::rotl(b, 24);
  }
};

}  // namespace

uint32_t OneAtATime(std::string_view key) noexcept {
  const uint8_t* bytes = Bytes(key);
  uint32_t h = 0;
  for (size_t i = 0; i < key.size(); ++i) {
    h += SignExtend32(bytes[i]);
    h += h << 10;
    h ^= h >> 6;
  }
  h += h << 3;
  h ^= h >> 11;
  return h + (h << 15);
}

uint32_t Fnv1_64Signed(std::string_view key) noexcept {
  return Fnv1(key, kFnvBasisLow, kFnvPrimeLow);
}
uint32_t Fnv1a64Signed(std::string_view key) noexcept {
  return Fnv1a(key, kFnvBasisLow, kFnvPrimeLow);
}
uint32_t Fnv1_32Signed(std::string_view key) noexcept {
  return Fnv1(key, kFnvBasis32, kFnvPrime32);
}
uint32_t Fnv1a32Signed(std::string_view key) noexcept {
  return Fnv1a(key, kFnvBasis32, kFnvPrime32);
}

uint32_t Hsieh(std::string_view key) noexcept {
  const uint8_t* p = Bytes(key);
  size_t left = key.size();
  uint32_t h = 0;
  for (; left >= 4; left -= 4, p += 4) {
    h += LoadLe16(p);
    h = (h << 16) ^ (LoadLe16(p + 2) << 11) ^ h;
    h += h >> 11;
  }
  if (left != 0) h = HsiehTail(p, left, h);
  h ^= h << 3;
  h += h >> 5;
  h ^= h << 4;
  h += h >> 17;
  h ^= h << 25;
  return h + (h >> 6);
}

uint32_t Murmur2_32(std::string_view key) noexcept {
  constexpr uint32_t kFactor = 0x5BD1E995;
  const uint8_t* p = Bytes(key);
  size_t left = key.size();
  const auto length = static_cast<uint32_t>(key.size());
  uint32_t h = (0xDEADBEEF * length) ^ length;
  for (; left >= 4; left -= 4, p += 4) {
    const uint32_t word = LoadLe32(p) * kFactor;
    h = (h * kFactor) ^ ((word ^ (word >> 24)) * kFactor);
  }
  if (left != 0) h = (h ^ static_cast<uint32_t>(LoadTail(p, left))) * kFactor;
  h = (h ^ (h >> 13)) * kFactor;
  return h ^ (h >> 15);
}

uint32_t Murmur3Length(std::string_view key) noexcept {
  return hash_internal::Murmur3Inline(
      key.data(), key.size(), 0xDEADBEEF * static_cast<uint32_t>(key.size()));
}

uint32_t Jenkins(std::string_view key) noexcept {
  const uint8_t* p = Bytes(key);
  size_t left = key.size();
  const uint32_t start = 0xDEADBEEF + static_cast<uint32_t>(left) + 13;
  Lookup3 state = {start, start, start};
  for (; left > 12; left -= 12, p += 12) {
    state.Add(p);
    state.Mix();
  }
  if (left == 0) return state.c;  // the empty key alone
  uint8_t last[12] = {};
  std::memcpy(last, p, left);
  state.Add(last);
  state.Finish();
  return state.c;
}

uint32_t Crc15(std::string_view key) noexcept {
  return (Crc32(key) >> 16) & 0x7FFF;
}

}  // namespace clockwise::compat_internal
