// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// 32-bit hashes of fixed-size keys, one key in each SIMD lane.
//
// A hash is a chain in which every word waits for the one before, so one key
// cannot fill a CPU; 4 vectors of keys side by side can. Their words go through
// a small buffer, so that the 4 advance in step with few registers.
#if defined(CLOCKWISE_LIB_HASH_BATCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LIB_HASH_BATCH_INL_H_
#undef CLOCKWISE_LIB_HASH_BATCH_INL_H_
#else
#define CLOCKWISE_LIB_HASH_BATCH_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "clockwise/hash.h"
#include "hash/batch.h"
#include "hash/policy-inl.h"
#include "hash/words-inl.h"
#include "hash/xxh3_batch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise::hash_internal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

bool HashLanes(HashKind, uint64_t, const FixedKeys&, const Hashes&) {
  return false;
}

#else

template <class D, class V = hn::Vec<D>>
HWY_INLINE void Write(D d, V h, const Hashes& out, size_t first) {
  if (out.bits32 != nullptr) return hn::StoreU(h, d, out.bits32 + first);
  const hn::Half<D> half;
  const hn::Repartition<uint64_t, D> d64;
  const auto low = hn::PromoteTo(d64, hn::LowerHalf(half, h));
  const auto high = hn::PromoteTo(d64, hn::UpperHalf(half, h));
  uint64_t* const to = out.left_aligned + first;
  hn::StoreU(hn::ShiftLeft<32>(low), d64, to);
  hn::StoreU(hn::ShiftLeft<32>(high), d64, to + hn::Lanes(d64));
}

// Hashes one vector of keys.
template <class Policy, class D>
HWY_INLINE void HashOne(D d, const Policy& policy, const Chunks& keys,
                        size_t first, const Hashes& out) {
  auto h = policy.Begin(d);
  Tails tails;
  Words<D> words;
  for (size_t at = 0; at < keys.size; at += 16) {
    words.Fill(d, 0, SourceAt(d, keys, first, at, tails));
    ForWords(HWY_MIN(keys.size - at, size_t{16}),
             [&](size_t w, size_t n)
                 HWY_ATTR { h = policy.Take(d, h, words.At(d, w, 0), n); });
  }
  Write(d, policy.End(d, h, keys.size), out, first);
}

// Hashes 4 vectors of keys, of which the first 3 are safe.
template <class Policy, class D>
HWY_INLINE void HashFour(D d, const Policy& policy, const Chunks& keys,
                         size_t first, const Hashes& out) {
  const size_t lanes = hn::Lanes(d);
  const size_t step = lanes * keys.stride;
  auto h0 = policy.Begin(d);
  auto h1 = h0, h2 = h0, h3 = h0;
  Tails tails;
  Words<D> words;
  const uint8_t* p = keys.data + first * keys.stride;
  for (size_t at = 0; at < keys.size; at += 16, p += 16) {
    words.Fill(d, 0, {p, keys.stride});
    words.Fill(d, 1, {p + step, keys.stride});
    words.Fill(d, 2, {p + 2 * step, keys.stride});
    words.Fill(d, 3, SourceAt(d, keys, first + 3 * lanes, at, tails));
    ForWords(HWY_MIN(keys.size - at, size_t{16}),
             [&](size_t w, size_t n) HWY_ATTR {
               h0 = policy.Take(d, h0, words.At(d, w, 0), n);
               h1 = policy.Take(d, h1, words.At(d, w, 1), n);
               h2 = policy.Take(d, h2, words.At(d, w, 2), n);
               h3 = policy.Take(d, h3, words.At(d, w, 3), n);
             });
  }
  Write(d, policy.End(d, h0, keys.size), out, first);
  Write(d, policy.End(d, h1, keys.size), out, first + lanes);
  Write(d, policy.End(d, h2, keys.size), out, first + 2 * lanes);
  Write(d, policy.End(d, h3, keys.size), out, first + 3 * lanes);
}

// Takes the widest vectors of which the batch fills 4.
template <class Policy, class D>
HWY_NOINLINE void HashAll(D d, const Policy& policy, const Chunks& keys,
                          const Hashes& out) {
  const size_t lanes = hn::Lanes(d);
  if (keys.count >= 4 * lanes && keys.count - keys.safe <= lanes) {
    ForSteps(keys.count, 4 * lanes, [&](size_t first) HWY_ATTR {
      HashFour(d, policy, keys, first, out);
    });
  } else if constexpr (hn::MaxLanes(D()) > 4) {
    HashAll(hn::Half<D>(), policy, keys, out);
  } else {
    ForSteps(keys.count, lanes, [&](size_t first) HWY_ATTR {
      HashOne(d, policy, keys, first, out);
    });
  }
}

bool HashLanes(HashKind kind, uint64_t seed, const FixedKeys& keys,
               const Hashes& out) {
  if (keys.count < 4 || keys.size == 0) return false;
  if (kind == HashKind::kXxh3_64) return Xxh3Lanes(seed, keys, out);
  const Chunks chunks(keys);
  const uint32_t low = static_cast<uint32_t>(seed);
  switch (kind) {
    case HashKind::kFnv1a32:
    case HashKind::kFnv1a32Fmix:
      HashAll(Wide(), FnvLanes{low, kind == HashKind::kFnv1a32Fmix}, chunks,
              out);
      return true;
    case HashKind::kMurmur3_32:
      HashAll(Wide(), MurmurLanes{low}, chunks, out);
      return true;
    case HashKind::kXxh3_64:
    case HashKind::kFnv1a64:
    case HashKind::kFnv1a64Fmix:
    case HashKind::kCrc32cFmix:
      break;
  }
  return false;
}

#endif  // more than one lane

}  // namespace HWY_NAMESPACE
}  // namespace clockwise::hash_internal
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
