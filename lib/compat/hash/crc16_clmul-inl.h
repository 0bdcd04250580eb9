// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CRC-16/XMODEM by carry-less multiplication: 8 bytes in two products, with
// no table in the caches.
//
// A key is a polynomial over GF(2) whose highest term is the first bit, and its
// CRC is key * x^16 mod P, where P = x^16 + x^12 + x^5 + 1. Barrett's reduction
// of one word w: with M = floor(x^80 / P), of degree 64, floor(w * M / x^64) is
// the quotient floor(w * x^16 / P) itself (in GF(2) nothing carries), and w *
// x^16 has no low terms, so that the remainder is the low 16 bits of quotient *
// P. Before the next word, the remainder so far is added to its first bits.
#if defined(CLOCKWISE_LIB_COMPAT_HASH_CRC16_CLMUL_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LIB_COMPAT_HASH_CRC16_CLMUL_INL_H_
#undef CLOCKWISE_LIB_COMPAT_HASH_CRC16_CLMUL_INL_H_
#else
#define CLOCKWISE_LIB_COMPAT_HASH_CRC16_CLMUL_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "compat/hash/crc16.h"
#include "compat/hash/texts.h"
#include "compat/hash/words.h"
#include "hash/batch.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise::compat_internal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Highway makes the product out of many operations where there is no
// instruction; other CPUs that have one are not measured.
#if !HWY_ARCH_X86 || HWY_TARGET > HWY_SSE4

bool RedisSlots(const Texts&, const hash_internal::Hashes&) { return false; }

#else

using Two = hn::FixedTag<uint64_t, 2>;

// The remainder, in the low 16 bits of the low lane, of what that of the bytes
// before becomes with one word more. (Above it are bits of no meaning.)
template <class V = hn::Vec<Two>>
HWY_INLINE V Remainder(V before, uint64_t word) {
  const Two d;
  const V shifted = hn::ShiftLeft<48>(before);
  const V w =
      hn::Xor(hn::Set(d, word), hn::InterleaveLower(d, shifted, shifted));
  const V product = hn::CLMulLower(w, hn::Set(d, kCrc16Barrett));
  // In the high lane; M's term of x^64, which the constant cannot hold, adds w.
  const V quotient = hn::Xor(product, w);
  return hn::CLMulUpper(quotient, hn::Set(d, kCrc16Polynomial));
}

HWY_INLINE uint32_t Slot(hn::Vec<Two> remainder) {
  return static_cast<uint32_t>(hn::GetLane(remainder)) & 0x3FFF;
}

bool RedisSlots(const Texts& keys, const hash_internal::Hashes& out) {
  for (size_t i = 0; i < keys.count(); ++i) {
    auto crc = hn::Zero(Two());
    ForBigEndianWords(RedisHashTag(keys[i]), [&](uint64_t word) HWY_ATTR {
      crc = Remainder(crc, word);
    });
    hash_internal::Write(out, i, Slot(crc));
  }
  return true;
}

#endif  // products that pay

}  // namespace HWY_NAMESPACE
}  // namespace clockwise::compat_internal
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
