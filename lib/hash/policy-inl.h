// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How hashes with 32-bit state take words in SIMD lanes: each lane has a key of
// its own, and a vector of words holds the next 4 bytes of each key.
//
// Begin(d) starts; Take(d, h, words, n) adds the first n (1 to 4) bytes of each
// word, n below 4 once, last; End(d, h, size) gives the hashes.
#if defined(CLOCKWISE_LIB_HASH_POLICY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LIB_HASH_POLICY_INL_H_
#undef CLOCKWISE_LIB_HASH_POLICY_INL_H_
#else
#define CLOCKWISE_LIB_HASH_POLICY_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "hash/fnv.h"
#include "hash/murmur3.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise::hash_internal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Fmix32Lanes(D d, V h) {
  h = hn::Mul(hn::Xor(h, hn::ShiftRight<16>(h)), hn::Set(d, 0x85EBCA6B));
  h = hn::Mul(hn::Xor(h, hn::ShiftRight<13>(h)), hn::Set(d, 0xC2B2AE35));
  return hn::Xor(h, hn::ShiftRight<16>(h));
}

struct FnvLanes {
  template <class D>
  HWY_INLINE hn::Vec<D> Begin(D d) const {
    return hn::Set(d, kFnvBasis32 ^ seed);
  }

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V Take(D d, V h, V words, size_t bytes) const {
    const V prime = hn::Set(d, kFnvPrime32);
    const V low = hn::Set(d, 0xFF);
    h = hn::Mul(hn::Xor(h, hn::And(words, low)), prime);
    if (bytes == 1) return h;
    h = hn::Mul(hn::Xor(h, hn::And(hn::ShiftRight<8>(words), low)), prime);
    if (bytes == 2) return h;
    h = hn::Mul(hn::Xor(h, hn::And(hn::ShiftRight<16>(words), low)), prime);
    if (bytes == 3) return h;
    return hn::Mul(hn::Xor(h, hn::ShiftRight<24>(words)), prime);
  }

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V End(D d, V h, size_t /*size*/) const {
    return fmix ? Fmix32Lanes(d, h) : h;
  }

  uint32_t seed;
  bool fmix;
};

struct MurmurLanes {
  template <class D>
  HWY_INLINE hn::Vec<D> Begin(D d) const {
    return hn::Set(d, seed);
  }

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V Take(D d, V h, V words, size_t bytes) const {
    if (bytes < 4) words = hn::And(words, hn::Set(d, (1u << 8 * bytes) - 1));
    words = hn::RotateRight<32 - 15>(hn::Mul(words, hn::Set(d, kMurmurC1)));
    h = hn::Xor(h, hn::Mul(words, hn::Set(d, kMurmurC2)));
    if (bytes < 4) return h;
    h = hn::RotateRight<32 - 13>(h);
    return hn::Add(hn::Add(h, hn::ShiftLeft<2>(h)), hn::Set(d, kMurmurAdd));
  }

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V End(D d, V h, size_t size) const {
    const V length = hn::Set(d, static_cast<uint32_t>(size));
    return Fmix32Lanes(d, hn::Xor(h, length));
  }

  uint32_t seed;
};

}  // namespace HWY_NAMESPACE
}  // namespace clockwise::hash_internal
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
