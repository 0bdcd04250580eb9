// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/jump.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/jump.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "hash/lanes64-inl.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

void OneByOne(const uint64_t* keys, size_t count, int32_t buckets,
              NodeIndex* owners) {
  for (size_t i = 0; i < count; ++i) {
    owners[i] = static_cast<NodeIndex>(JumpBucket(keys[i], buckets));
  }
}

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void Buckets(const uint64_t* keys, size_t count, int32_t buckets,
             NodeIndex* owners) {
  OneByOne(keys, count, buckets, owners);
}

#else

using D = hn::ScalableTag<uint64_t>;
using DF = hn::RebindToFloat<D>;
using V = hn::Vec<D>;
using VF = hn::Vec<DF>;
using MF = hn::Mask<DF>;

// (state >> 33) + 1 as a double: as the low bits of 2^52, less 2^52 - 1.
HWY_INLINE VF Drawn(V state) {
  const D d;
  const DF df;
  const V bits =
      hn::Or(hn::ShiftRight<33>(state), hn::Set(d, 0x4330000000000000u));
  return hn::Sub(hn::BitCast(df, bits), hn::Set(df, 4503599627370495.0));
}

// A jump of the lanes that are not done. All values are whole and at most 2^62,
// those that matter below 2^31: doubles hold them exactly, and the two
// roundings are those of JumpBucket.
HWY_INLINE void Step(VF buckets, V& state, VF& bucket, VF& next, MF& is_done) {
  using hash_internal::HWY_NAMESPACE::MulLow;
  const D d;
  const DF df;
  bucket = hn::IfThenElse(is_done, bucket, next);
  state = hn::Add(MulLow(d, state, kJumpFactor), hn::Set(d, 1));
  const VF jump = hn::Div(hn::Set(df, 2147483648.0), Drawn(state));
  next = hn::Trunc(hn::Mul(hn::Add(bucket, hn::Set(df, 1.0)), jump));
  is_done = hn::Or(is_done, hn::Ge(next, buckets));
}

HWY_INLINE void Store(VF bucket, NodeIndex* owners) {
  const hn::Rebind<int32_t, DF> d32;
  const hn::RebindToUnsigned<decltype(d32)> du32;
  hn::StoreU(hn::BitCast(du32, hn::DemoteTo(d32, bucket)), du32, owners);
}

// Two vectors, since each division waits for the one before.
HWY_INLINE void BucketsOfTwo(const uint64_t* keys, VF buckets,
                             NodeIndex* owners) {
  const D d;
  const DF df;
  const size_t lanes = hn::Lanes(d);
  V state0 = hn::LoadU(d, keys);
  V state1 = hn::LoadU(d, keys + lanes);
  VF bucket0 = hn::Set(df, -1.0), bucket1 = bucket0;
  VF next0 = hn::Zero(df), next1 = next0;
  MF is_done0 = hn::Ge(next0, buckets), is_done1 = is_done0;  // none
  do {
    Step(buckets, state0, bucket0, next0, is_done0);
    Step(buckets, state1, bucket1, next1, is_done1);
  } while (!hn::AllTrue(df, hn::And(is_done0, is_done1)));
  Store(bucket0, owners);
  Store(bucket1, owners + lanes);
}

void Buckets(const uint64_t* keys, size_t count, int32_t buckets,
             NodeIndex* owners) {
  const size_t step = 2 * hn::Lanes(D());
  const VF limit = hn::Set(DF(), static_cast<double>(buckets));
  size_t i = 0;
  for (; buckets > 0 && i + step <= count; i += step) {
    BucketsOfTwo(keys + i, limit, owners + i);
  }
  OneByOne(keys + i, count - i, buckets, owners + i);
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace clockwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace clockwise {

HWY_EXPORT(Buckets);

void JumpBuckets(const uint64_t* keys, size_t count, int32_t buckets,
                 NodeIndex* owners) noexcept {
  HWY_DYNAMIC_DISPATCH(Buckets)(keys, count, buckets, owners);
}

}  // namespace clockwise
#endif  // HWY_ONCE
