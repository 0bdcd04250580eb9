// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Batches: SIMD lanes where there are some, else loops over single keys with
// the hash inlined.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hash/batch.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

// After foreach_target.h.
#include "hash/batch-inl.h"

#if HWY_ONCE
#include "hash/kinds.h"

namespace clockwise {
namespace hash_internal {
namespace {

HWY_EXPORT(HashLanes);

Hashes ToEither(uint32_t* hashes) { return {hashes, nullptr}; }
Hashes ToEither(uint64_t* hashes) { return {nullptr, hashes}; }

template <class Out>
bool ByLanes(HashKind kind, uint64_t seed, const FixedKeys& keys,
             Out* hashes) noexcept {
  return HWY_DYNAMIC_DISPATCH(HashLanes)(kind, seed, keys, ToEither(hashes));
}

template <class Out>
void Loop(HashKind kind, uint64_t seed, const FixedKeys& keys,
          Out* hashes) noexcept {
  WithKind(kind, seed, [&keys, hashes](auto hash) noexcept {
    const auto* key = static_cast<const uint8_t*>(keys.data);
    const size_t size = keys.size, stride = keys.stride, count = keys.count;
    for (size_t i = 0; i < count; ++i, key += stride) {
      hashes[i] = Placed<Out>(hash(key, size));
    }
  });
}

template <class Out>
void Loop(HashKind kind, uint64_t seed, const std::string_view* keys,
          size_t count, Out* hashes) noexcept {
  WithKind(kind, seed, [keys, count, hashes](auto hash) noexcept {
    for (size_t i = 0; i < count; ++i) {
      hashes[i] = Placed<Out>(hash(keys[i].data(), keys[i].size()));
    }
  });
}

// A block at a time, since the instruction's loop is built elsewhere.
template <class Out>
void Crc32cBatch(uint64_t seed, const FixedKeys& keys, Out* hashes) noexcept {
  constexpr size_t kBlock = 64;
  const Crc32cCode& code = Crc32cBest();
  const auto* key = static_cast<const uint8_t*>(keys.data);
  const uint32_t reg = ~static_cast<uint32_t>(seed);
  uint32_t regs[kBlock];
  for (size_t left = keys.count; left != 0;) {
    const size_t block = left < kBlock ? left : kBlock;
    code.many(key, keys.size, keys.stride, block, reg, regs);
    for (size_t i = 0; i < block; ++i) {
      hashes[i] = Placed<Out>(Fmix32(~regs[i]));
    }
    key += block * keys.stride;
    hashes += block;
    left -= block;
  }
}

// Does all keys but the last count % 4, and returns how many.
template <class Out>
size_t Fnv1a64Fours(bool fmix, uint64_t seed, const FixedKeys& keys,
                    Out* hashes) noexcept {
  const auto* key = static_cast<const uint8_t*>(keys.data);
  size_t i = 0;
  for (; i + 4 <= keys.count; i += 4, key += 4 * keys.stride) {
    uint64_t four[4];
    Fnv1a64Four(key, keys.size, keys.stride, seed, four);
    for (size_t k = 0; k < 4; ++k) {
      hashes[i + k] = Placed<Out>(fmix ? Fmix64(four[k]) : four[k]);
    }
  }
  return i;
}

template <class Out>
void Batch(HashKind kind, uint64_t seed, FixedKeys keys, Out* hashes) noexcept {
  switch (kind) {
    case HashKind::kCrc32cFmix:
      return Crc32cBatch(seed, keys, hashes);
    case HashKind::kFnv1a32:
    case HashKind::kFnv1a32Fmix:
    case HashKind::kMurmur3_32:
    case HashKind::kXxh3_64:
      if (ByLanes(kind, seed, keys, hashes)) return;
      break;
    case HashKind::kFnv1a64:
    case HashKind::kFnv1a64Fmix: {
      const bool fmix = kind == HashKind::kFnv1a64Fmix;
      const size_t done = Fnv1a64Fours(fmix, seed, keys, hashes);
      keys.data = static_cast<const uint8_t*>(keys.data) + done * keys.stride;
      keys.count -= done;
      hashes += done;
      break;
    }
  }
  Loop(kind, seed, keys, hashes);
}

}  // namespace
}  // namespace hash_internal

void HashBatch(HashKind kind, uint64_t seed, const std::string_view* keys,
               size_t count, uint64_t* hashes) noexcept {
  hash_internal::Loop(kind, seed, keys, count, hashes);
}
void HashBatch(HashKind kind, uint64_t seed, FixedKeys keys,
               uint64_t* hashes) noexcept {
  hash_internal::Batch(kind, seed, keys, hashes);
}
void HashBatch(HashKind kind, uint64_t seed, const std::string_view* keys,
               size_t count, uint32_t* hashes) noexcept {
  hash_internal::Loop(kind, seed, keys, count, hashes);
}
void HashBatch(HashKind kind, uint64_t seed, FixedKeys keys,
               uint32_t* hashes) noexcept {
  hash_internal::Batch(kind, seed, keys, hashes);
}

}  // namespace clockwise
#endif  // HWY_ONCE
