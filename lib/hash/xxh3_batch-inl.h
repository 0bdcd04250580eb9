// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// XXH3-64 (Collet, xxHash 0.8) of fixed-size keys of 9 to 128 bytes, one key in
// each 64-bit SIMD lane.
//
// Keys of these sizes are hashed as pairs of 64-bit words, each pair multiplied
// to 128 bits that are folded to 64. Lanes multiply 32 bits at a time and so do
// 4 products for each; 4 lanes make up for that, 2 do not. On a Zen 5, ns/key
// of one key at a time, of AVX2 and of AVX-512:
//
//   13 bytes: 1.7, 1.2, 0.5   37 bytes: 3.6, 2.7, 1.5
#if defined(CLOCKWISE_LIB_HASH_XXH3_BATCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LIB_HASH_XXH3_BATCH_INL_H_
#undef CLOCKWISE_LIB_HASH_XXH3_BATCH_INL_H_
#else
#define CLOCKWISE_LIB_HASH_XXH3_BATCH_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "clockwise/hash.h"
#include "hash/batch.h"
#include "hash/lanes64-inl.h"
#include "hash/words-inl.h"
#include "hash/xxh3_inline.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise::hash_internal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// SSE4 and SSSE3 take 1.3 times the scalar time; other CPUs are not measured.
#if !HWY_ARCH_X86 || HWY_TARGET > HWY_AVX2

HWY_INLINE bool Xxh3Lanes(uint64_t, const FixedKeys&, const Hashes&) {
  return false;
}

#else

// The 64-bit lanes `Wide` would have.
using Wide64 = hn::Repartition<uint64_t, Wide>;

// The high half of each lane's 128-bit product, xor the low half.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V MulFold(D d, V a, V b) {
  const hn::Repartition<uint32_t, D> d32;
  const auto a0 = hn::BitCast(d32, a);
  const auto b0 = hn::BitCast(d32, b);
  const auto a1 = hn::BitCast(d32, hn::ShiftRight<32>(a));
  const auto b1 = hn::BitCast(d32, hn::ShiftRight<32>(b));
  const V low = hn::MulEven(a0, b0);
  const V middle0 = hn::MulEven(a0, b1);
  // Cannot overflow: the largest product leaves room for two 32-bit addends.
  const V middle1 =
      hn::Add(hn::Add(hn::MulEven(a1, b0), hn::ShiftRight<32>(low)),
              hn::And(middle0, hn::Set(d, 0xFFFFFFFF)));
  const V high =
      hn::Add(hn::Add(hn::MulEven(a1, b1), hn::ShiftRight<32>(middle0)),
              hn::ShiftRight<32>(middle1));
  const auto upper = hn::BitCast(d32, hn::ShiftLeft<32>(middle1));
  return hn::Xor(high,
                 hn::BitCast(d, hn::OddEven(upper, hn::BitCast(d32, low))));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Avalanche(D d, V h) {
  h = MulLow(d, hn::Xor(h, hn::ShiftRight<37>(h)), 0x165667919E3779F9);
  return hn::Xor(h, hn::ShiftRight<32>(h));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V ByteSwap(D d, V v) {
  const hn::Repartition<uint8_t, D> d8;
  alignas(16) static constexpr uint8_t kIndex[16] = {
      7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
  const auto index = hn::LoadDup128(d8, kIndex);
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, v), index));
}

// Two words of each key.
template <class V>
struct Pair {
  V first, second;
};

// Loads 16 bytes for each key, `stride` apart, and arranges them by `arrange`.
template <class D, class Arrange>
HWY_INLINE Pair<hn::Vec<D>> LoadPair(D d, const uint8_t* p, size_t stride,
                                     Arrange arrange) {
  const hn::Repartition<uint32_t, D> d32;
  const auto even = arrange(hn::BitCast(d, LoadBlocks(d32, p, 2 * stride)));
  const auto odd =
      arrange(hn::BitCast(d, LoadBlocks(d32, p + stride, 2 * stride)));
  return {hn::InterleaveLower(d, even, odd), hn::InterleaveUpper(d, even, odd)};
}

// Where the first 8 and the last 8 bytes of a key of up to 16 bytes are, in 16
// bytes that begin with the key, and in 16 that end with it.
struct Order {
  constexpr Order() : begin(), end() {
    for (size_t size = 9; size <= 16; ++size) {
      for (size_t i = 0; i < 8; ++i) {
        begin[size - 9][i] = static_cast<uint8_t>(i);
        begin[size - 9][i + 8] = static_cast<uint8_t>(i + size - 8);
        end[size - 9][i] = static_cast<uint8_t>(i + 16 - size);
        end[size - 9][i + 8] = static_cast<uint8_t>(i + 8);
      }
    }
  }
  alignas(16) uint8_t begin[8][16];
  alignas(16) uint8_t end[8][16];
};
inline constexpr Order kOrder;

// Keys of 9 to 16 bytes: one pair, the first 8 bytes and the last 8.
struct Xxh3Short {
  Xxh3Short(uint64_t seed, const FixedKeys& fixed)
      : keys(fixed),
        flip0((Xxh3SecretWord(3) ^ Xxh3SecretWord(4)) + seed),
        flip1((Xxh3SecretWord(5) ^ Xxh3SecretWord(6)) - seed) {}

  // Loads begin with their keys and run into the next, except that those of the
  // batch's end end with their keys, and so begin in the one before: `first`
  // must then be above 0.
  template <class D>
  HWY_INLINE Pair<hn::Vec<D>> Load(D d, size_t first) const {
    const hn::Repartition<uint8_t, D> d8;
    const uint8_t* p =
        static_cast<const uint8_t*>(keys.data) + first * keys.stride;
    const uint8_t* order = kOrder.begin[keys.size - 9];
    if (first + hn::Lanes(d) == keys.count) {
      p -= 16 - keys.size;
      order = kOrder.end[keys.size - 9];
    }
    const auto index = hn::LoadDup128(d8, order);
    return LoadPair(d, p, keys.stride, [=](auto v) HWY_ATTR {
      return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, v), index));
    });
  }

  template <class D>
  HWY_INLINE hn::Vec<D> Hash(D d, size_t first) const {
    const auto words = Load(d, first);
    const auto a = hn::Xor(words.first, hn::Set(d, flip0));
    const auto b = hn::Xor(words.second, hn::Set(d, flip1));
    const auto sum =
        hn::Add(hn::Add(ByteSwap(d, a), b), hn::Set(d, uint64_t{keys.size}));
    return Avalanche(d, hn::Add(sum, MulFold(d, a, b)));
  }

  FixedKeys keys;
  uint64_t flip0, flip1;
};

// Keys of 17 to 128 bytes: pairs from both ends towards the middle, where they
// may overlap.
struct Xxh3Medium {
  Xxh3Medium(uint64_t seed, const FixedKeys& fixed)
      : keys(fixed), rounds((fixed.size + 31) / 32) {
    for (size_t i = 0; i < 4 * rounds; i += 2) {
      secret[i] = Xxh3SecretWord(i) + seed;
      secret[i + 1] = Xxh3SecretWord(i + 1) - seed;
    }
  }

  template <class D>
  HWY_INLINE hn::Vec<D> Mix(D d, const uint8_t* p, const uint64_t* two) const {
    const auto words =
        LoadPair(d, p, keys.stride, [](auto v) HWY_ATTR { return v; });
    return MulFold(d, hn::Xor(words.first, hn::Set(d, two[0])),
                   hn::Xor(words.second, hn::Set(d, two[1])));
  }

  template <class D>
  HWY_INLINE hn::Vec<D> Hash(D d, size_t first) const {
    auto h = hn::Set(d, uint64_t{keys.size} * 0x9E3779B185EBCA87);
    const uint8_t* begin =
        static_cast<const uint8_t*>(keys.data) + first * keys.stride;
    const uint8_t* end = begin + keys.size;
    const uint64_t* four = secret;
    for (size_t round = 0; round < rounds; ++round, four += 4, begin += 16) {
      end -= 16;
      h = hn::Add(h, hn::Add(Mix(d, begin, four), Mix(d, end, four + 2)));
    }
    return Avalanche(d, h);
  }

  FixedKeys keys;
  size_t rounds;
  uint64_t secret[16];
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE void Write64(D d, V h, const Hashes& out, size_t first) {
  if (out.bits32 == nullptr) return hn::StoreU(h, d, out.left_aligned + first);
  const hn::Repartition<uint32_t, D> d32;
  const hn::Half<decltype(d32)> half;
  const auto words = hn::BitCast(d32, h);
  hn::StoreU(hn::ConcatOdd(half, hn::UpperHalf(half, words),
                           hn::LowerHalf(half, words)),
             half, out.bits32 + first);
}

template <class Hasher>
HWY_NOINLINE void Xxh3All(const Hasher& hasher, const Hashes& out) {
  const Wide64 d;
  ForSteps(hasher.keys.count, hn::Lanes(d), [&](size_t first) HWY_ATTR {
    Write64(d, hasher.Hash(d, first), out, first);
  });
}

HWY_INLINE bool Xxh3Lanes(uint64_t seed, const FixedKeys& keys,
                          const Hashes& out) {
  // Fewer keys are done one by one before a vector's first hash is ready.
  constexpr size_t kMinCount = 16;
  static_assert(kMinCount > hn::MaxLanes(Wide64()), "see Xxh3Short::Load");
  if (keys.count < kMinCount || keys.size < 9 || keys.size > 128) return false;
  if (keys.size <= 16) {
    Xxh3All(Xxh3Short(seed, keys), out);
  } else {
    Xxh3All(Xxh3Medium(seed, keys), out);
  }
  return true;
}

#endif  // lanes that pay

}  // namespace HWY_NAMESPACE
}  // namespace clockwise::hash_internal
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
