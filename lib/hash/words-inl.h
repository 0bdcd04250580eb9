// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Words of fixed-size keys, brought into SIMD lanes.
//
// Keys lie one after the other, so the words of different keys are gathered by
// loading 16 bytes of each key into the blocks of a vector, and transposing 4
// such vectors:
//
//   key 0: a0 a1 a2 a3 | key 4: e0 e1 e2 e3 | ..      a0 b0 c0 d0 | e0 f0 g0 h0
//   key 1: b0 b1 b2 b3 | key 5: f0 f1 f2 f3 | ..  ->  a1 b1 c1 d1 | e1 f1 g1 h1
//   key 2: c0 c1 c2 c3 | key 6: g0 g1 g2 g3 | ..      a2 b2 c2 d2 | e2 f2 g2 h2
//   key 3: d0 d1 d2 d3 | key 7: h0 h1 h2 h3 | ..      a3 b3 c3 d3 | e3 f3 g3 h3
//
// A load of a key's last bytes runs past it, into keys that follow; keys that
// none follow closely enough are copied first.
#if defined(CLOCKWISE_LIB_HASH_WORDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LIB_HASH_WORDS_INL_H_
#undef CLOCKWISE_LIB_HASH_WORDS_INL_H_
#else
#define CLOCKWISE_LIB_HASH_WORDS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "clockwise/hash.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise::hash_internal {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_HAVE_SCALABLE
// LoadBlocks cannot fill vectors whose length the compiler does not know.
using Wide = hn::FixedTag<uint32_t, 4>;
#else
using Wide = hn::ScalableTag<uint32_t>;
#endif

// Loads 16 bytes at p, p + step, p + 2 * step ... into the blocks of a vector.
template <class D>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const uint8_t* p, size_t step) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    return hn::BitCast(d, hn::LoadU(hn::Repartition<uint8_t, D>(), p));
  } else {
    const hn::Half<D> half;
    const size_t blocks = hn::Lanes(half) / 4;
    return hn::Combine(d, LoadBlocks(half, p + blocks * step, step),
                       LoadBlocks(half, p, step));
  }
}

// A batch, and how many of its first keys have 16 readable bytes where their
// last size % 16 bytes begin.
struct Chunks {
  explicit Chunks(const FixedKeys& keys)
      : data(static_cast<const uint8_t*>(keys.data)),
        size(keys.size),
        stride(keys.stride),
        count(keys.count),
        safe(count) {
    if (size % 16 == 0) return;
    const size_t unsafe = (16 - size % 16 + stride - 1) / stride;
    safe = unsafe < count ? count - unsafe : 0;
  }

  const uint8_t* data;
  size_t size, stride, count, safe;
};

// Room for the last bytes of one vector of keys, 16 for each.
struct Tails {
  uint8_t* first() { return bytes + 64; }  // what is before is never read
  alignas(64) uint8_t bytes[64 + 16 * hn::MaxLanes(Wide())];
};

// Copies the last bytes of keys `first` to `first + lanes - 1`.
HWY_INLINE void CopyTails(const Chunks& keys, size_t first, size_t lanes,
                          Tails& tails) {
  const size_t rest = keys.size % 16;
  uint8_t* to = tails.first();
  for (size_t i = first; i < first + lanes; ++i, to += 16) {
    const uint8_t* from = keys.data + i * keys.stride + keys.size - rest;
    if (i < keys.safe) {
      std::memcpy(to, from, 16);
    } else if (i * keys.stride + keys.size >= 16) {
      // Load the 16 bytes that end with the key. What this writes before `to`
      // is the part of the previous 16 that does not count.
      std::memcpy(to + rest - 16, from + rest - 16, 16);
    } else {
      std::memcpy(to, from, rest);
    }
  }
}

// Where a vector of keys has its next bytes, readable 16 at a time.
struct Source {
  const uint8_t* first;
  size_t stride;
};

template <class D>
HWY_INLINE Source SourceAt(D d, const Chunks& keys, size_t first, size_t at,
                           Tails& tails) {
  const size_t lanes = hn::Lanes(d);
  if (HWY_LIKELY(first + lanes <= keys.safe || at + 16 <= keys.size)) {
    return {keys.data + first * keys.stride + at, keys.stride};
  }
  CopyTails(keys, first, lanes, tails);
  return {tails.first(), 16};
}

// Words of a chunk, for up to 4 vectors of D: words[w][lane].
template <class D>
struct Words {
  // Fills vector `v` from 16 bytes of each of its keys.
  HWY_INLINE void Fill(D d, size_t v, const Source& from) {
    const hn::Repartition<uint64_t, D> d64;
    const uint8_t* p = from.first;
    const size_t step = 4 * from.stride;
    const auto a = LoadBlocks(d, p, step);
    const auto b = LoadBlocks(d, p + from.stride, step);
    const auto c = LoadBlocks(d, p + 2 * from.stride, step);
    const auto e = LoadBlocks(d, p + 3 * from.stride, step);
    const auto ab01 = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
    const auto ce01 = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
    const auto ab23 = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
    const auto ce23 = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
    Put(d, 0, v, hn::BitCast(d, hn::InterleaveLower(d64, ab01, ce01)));
    Put(d, 1, v, hn::BitCast(d, hn::InterleaveUpper(d64, ab01, ce01)));
    Put(d, 2, v, hn::BitCast(d, hn::InterleaveLower(d64, ab23, ce23)));
    Put(d, 3, v, hn::BitCast(d, hn::InterleaveUpper(d64, ab23, ce23)));
  }

  HWY_INLINE void Put(D d, size_t w, size_t v, hn::Vec<D> lanes) {
    hn::Store(lanes, d, words[w] + v * hn::Lanes(d));
  }
  HWY_INLINE hn::Vec<D> At(D d, size_t w, size_t v) const {
    return hn::Load(d, words[w] + v * hn::Lanes(d));
  }

  alignas(64) uint32_t words[4][4 * hn::MaxLanes(D())];
};

// Calls take(w, n) for each word of a chunk of `bytes` that has n (1 to 4).
template <class TakeWord>
HWY_INLINE void ForWords(size_t bytes, TakeWord take) {
  size_t w = 0;
  for (; 4 * w + 4 <= bytes; ++w) take(w, size_t{4});
  if (4 * w < bytes) take(w, bytes - 4 * w);
}

// Calls hash(first) for every `step` of at least that many keys. The last call
// steps back to end with the batch, and hashes some keys twice.
template <class HashStep>
HWY_INLINE void ForSteps(size_t count, size_t step, HashStep hash) {
  size_t first = 0;
  for (; first + step <= count; first += step) hash(first);
  if (first < count) hash(count - step);
}

#endif  // more than one lane

}  // namespace HWY_NAMESPACE
}  // namespace clockwise::hash_internal
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
