// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/utf16.h"

#include "hash/fnv.h"

namespace clockwise::compat_internal {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

// What may follow the first byte of a code point.
struct Lead {
  size_t more;          // bytes; 0: it begins none
  uint32_t bits;        // of the code point
  uint8_t first, last;  // bounds of the second byte: no overlong forms, no
};                      // surrogates, nothing above U+10FFFF

Lead LeadOf(uint8_t byte) noexcept {
  if (byte >= 0xC2 && byte <= 0xDF) return {1, byte & 0x1Fu, 0x80, 0xBF};
  if (byte >= 0xE0 && byte <= 0xEF) {
    const uint8_t first = byte == 0xE0 ? 0xA0 : 0x80;
    const uint8_t last = byte == 0xED ? 0x9F : 0xBF;
    return {2, byte & 0x0Fu, first, last};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    const uint8_t first = byte == 0xF0 ? 0x90 : 0x80;
    const uint8_t last = byte == 0xF4 ? 0x8F : 0xBF;
    return {3, byte & 0x07u, first, last};
  }
  return {0, 0, 0, 0};
}

// The spymemcached hashes run in 64 bits and are cut to 32 at the end, which
// all along 32 bits gives as well.
uint32_t Fnv1(std::string_view key, uint32_t h, uint32_t prime) noexcept {
  ForUtf16(key, [&](uint16_t unit) { h = (h * prime) ^ unit; });
  return h;
}
uint32_t Fnv1a(std::string_view key, uint32_t h, uint32_t prime) noexcept {
  ForUtf16(key, [&](uint16_t unit) { h = (h ^ unit) * prime; });
  return h;
}

constexpr auto kBasisLow = static_cast<uint32_t>(hash_internal::kFnvBasis64);
constexpr auto kPrimeLow = static_cast<uint32_t>(hash_internal::kFnvPrime64);

}  // namespace

CodePoint DecodeUtf8(const uint8_t* bytes, size_t left) noexcept {
  if (bytes[0] < 0x80) return {bytes[0], 1};
  Lead lead = LeadOf(bytes[0]);
  if (lead.more == 0) return {kReplacement, 1};
  for (size_t i = 1; i <= lead.more; ++i) {
    if (i == left || bytes[i] < lead.first || bytes[i] > lead.last) {
      return {kReplacement, i};
    }
    lead = {lead.more, lead.bits << 6 | (bytes[i] & 0x3Fu), 0x80, 0xBF};
  }
  return {lead.bits, lead.more + 1};
}

uint32_t JavaHashCode(std::string_view key) noexcept {
  uint32_t h = 0;
  ForUtf16(key, [&](uint16_t unit) { h = h * 31 + unit; });
  return h;
}

uint32_t Fnv1_64Utf16(std::string_view key) noexcept {
  return Fnv1(key, kBasisLow, kPrimeLow);
}
uint32_t Fnv1a64Utf16(std::string_view key) noexcept {
  return Fnv1a(key, kBasisLow, kPrimeLow);
}
uint32_t Fnv1_32Utf16(std::string_view key) noexcept {
  return Fnv1(key, hash_internal::kFnvBasis32, hash_internal::kFnvPrime32);
}
uint32_t Fnv1a32Utf16(std::string_view key) noexcept {
  return Fnv1a(key, hash_internal::kFnvBasis32, hash_internal::kFnvPrime32);
}

}  // namespace clockwise::compat_internal
