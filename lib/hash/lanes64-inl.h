// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Arithmetic of 64-bit lanes that only some targets have. Not for targets of
// one lane.
#if defined(CLOCKWISE_LIB_HASH_LANES64_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LIB_HASH_LANES64_INL_H_
#undef CLOCKWISE_LIB_HASH_LANES64_INL_H_
#else
#define CLOCKWISE_LIB_HASH_LANES64_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace clockwise::hash_internal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// The low half of each lane's product by a constant.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V MulLow(D d, V v, uint64_t factor) {
#if HWY_TARGET <= HWY_AVX3
  return hn::Mul(v, hn::Set(d, factor));
#else
  const hn::Repartition<uint32_t, D> d32;
  const auto low = hn::BitCast(d32, v);
  const auto high = hn::BitCast(d32, hn::ShiftRight<32>(v));
  const auto factor_low = hn::BitCast(d32, hn::Set(d, factor));
  const auto factor_high = hn::BitCast(d32, hn::Set(d, factor >> 32));
  const V crossed =
      hn::Add(hn::MulEven(low, factor_high), hn::MulEven(high, factor_low));
  return hn::Add(hn::MulEven(low, factor_low), hn::ShiftLeft<32>(crossed));
#endif
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace clockwise::hash_internal
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
