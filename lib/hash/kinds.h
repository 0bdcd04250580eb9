// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Every kind of hash as a function object, so that a loop is written once and
// each kind is inlined in it.
#pragma once

#include "clockwise/hash.h"
#include "hash/crc32c.h"
#include "hash/fnv.h"
#include "hash/murmur3.h"
#include "hash/placed.h"
#include "hash/xxh3_inline.h"

namespace clockwise::hash_internal {

// Returns visit(f), where f(key, size) is the hash: uint32_t or uint64_t.
template <class Visit>
CW_INLINE auto WithKind(HashKind kind, uint64_t seed, Visit visit) noexcept {
  const uint32_t low = static_cast<uint32_t>(seed);
  switch (kind) {
    case HashKind::kXxh3_64:
      break;
    case HashKind::kFnv1a32:
      return visit([low](const void* key, size_t size) {
        return Fnv1a32Inline(key, size, low);
      });
    case HashKind::kFnv1a32Fmix:
      return visit([low](const void* key, size_t size) {
        return Fmix32(Fnv1a32Inline(key, size, low));
      });
    case HashKind::kFnv1a64:
      return visit([seed](const void* key, size_t size) {
        return Fnv1a64Inline(key, size, seed);
      });
    case HashKind::kFnv1a64Fmix:
      return visit([seed](const void* key, size_t size) {
        return Fmix64(Fnv1a64Inline(key, size, seed));
      });
    case HashKind::kMurmur3_32:
      return visit([low](const void* key, size_t size) {
        return Murmur3Inline(key, size, low);
      });
    case HashKind::kCrc32cFmix:
      return visit([low, one = Crc32cBest().one](const void* key, size_t size) {
        return Fmix32(~one(key, size, ~low));
      });
  }
  return visit([seed](const void* key, size_t size) {
    return Xxh3Inline(key, size, seed);
  });
}

}  // namespace clockwise::hash_internal
