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

// Some keys, each in a lane. All values are whole and below 2^62 + 1, those
// that matter below 2^31: doubles hold them exactly, and the two roundings are
// those of JumpBucket.
class JumpLanes {
  using D = hn::ScalableTag<uint64_t>;
  using DF = hn::RebindToFloat<D>;
  using V = hn::Vec<D>;
  using VF = hn::Vec<DF>;

 public:
  static HWY_INLINE size_t Count() { return hn::Lanes(D()); }

  HWY_INLINE JumpLanes(const uint64_t* keys, int32_t buckets)
      : buckets_(hn::Set(df_, static_cast<double>(buckets))),
        state_(hn::LoadU(d_, keys)),
        bucket_(hn::Set(df_, -1.0)),
        next_(hn::Zero(df_)),
        is_done_(hn::MaskFromVec(hn::Zero(df_))) {}

  HWY_INLINE bool AllDone() const { return hn::AllTrue(df_, is_done_); }

  // A jump of the lanes that are not done.
  HWY_INLINE void Step() {
    bucket_ = hn::IfThenElse(is_done_, bucket_, next_);
    state_ =
        hn::Add(hash_internal::HWY_NAMESPACE::MulLow(d_, state_, kJumpFactor),
                hn::Set(d_, 1));
    const VF jump = hn::Div(hn::Set(df_, 2147483648.0), Drawn());
    next_ = hn::Trunc(hn::Mul(hn::Add(bucket_, hn::Set(df_, 1.0)), jump));
    is_done_ = hn::Or(is_done_, hn::Ge(next_, buckets_));
  }

  HWY_INLINE void Store(NodeIndex* owners) const {
    const hn::Rebind<int32_t, DF> d32;
    const hn::RebindToUnsigned<decltype(d32)> du32;
    hn::StoreU(hn::BitCast(du32, hn::DemoteTo(d32, bucket_)), du32, owners);
  }

 private:
  // (state >> 33) + 1 as a double: as the low bits of 2^52, less 2^52 - 1.
  HWY_INLINE VF Drawn() const {
    const V bits =
        hn::Or(hn::ShiftRight<33>(state_), hn::Set(d_, 0x4330000000000000u));
    return hn::Sub(hn::BitCast(df_, bits), hn::Set(df_, 4503599627370495.0));
  }

  D d_;
  DF df_;
  VF buckets_;
  V state_;
  VF bucket_;
  VF next_;
  hn::Mask<DF> is_done_;
};

void Buckets(const uint64_t* keys, size_t count, int32_t buckets,
             NodeIndex* owners) {
  const size_t lanes = JumpLanes::Count();
  size_t i = 0;
  // Two vectors, since each division waits for the one before.
  for (; buckets > 0 && i + 2 * lanes <= count; i += 2 * lanes) {
    JumpLanes a(keys + i, buckets);
    JumpLanes b(keys + i + lanes, buckets);
    do {
      a.Step();
      b.Step();
    } while (!a.AllDone() || !b.AllDone());
    a.Store(owners + i);
    b.Store(owners + i + lanes);
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
