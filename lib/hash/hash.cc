// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/hash.h"

#include "hash/kinds.h"

namespace clockwise {

std::string_view HashName(HashKind kind) noexcept {
  switch (kind) {
    case HashKind::kXxh3_64:
      return "xxh3-64";
    case HashKind::kFnv1a32:
      return "fnv1a-32";
    case HashKind::kFnv1a32Fmix:
      return "fnv1a-32-fmix";
    case HashKind::kFnv1a64:
      return "fnv1a-64";
    case HashKind::kFnv1a64Fmix:
      return "fnv1a-64-fmix";
    case HashKind::kMurmur3_32:
      return "murmur3-32";
    case HashKind::kCrc32cFmix:
      return "crc32c-fmix";
  }
  return "unknown";
}

uint32_t Fnv1a32(std::string_view key, uint32_t seed) noexcept {
  return hash_internal::Fnv1a32Inline(key.data(), key.size(), seed);
}

uint64_t Fnv1a64(std::string_view key, uint64_t seed) noexcept {
  return hash_internal::Fnv1a64Inline(key.data(), key.size(), seed);
}

uint32_t Murmur3_32(std::string_view key, uint32_t seed) noexcept {
  return hash_internal::Murmur3Inline(key.data(), key.size(), seed);
}

uint64_t Hash(HashKind kind, std::string_view key, uint64_t seed) noexcept {
  return hash_internal::WithKind(kind, seed, [key](auto hash) noexcept {
    return hash_internal::Placed<uint64_t>(hash(key.data(), key.size()));
  });
}

}  // namespace clockwise
