// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/rendezvous.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compat/rendezvous.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "search/best_score-inl.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise::compat_internal {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
namespace lanes = search_internal::HWY_NAMESPACE;

struct DoubleScore {
  static uint64_t Prepared(uint64_t key) { return key; }
  static uint64_t Of(uint64_t key, uint64_t node) {
    return std::bit_cast<uint64_t>(AsDouble(McrouterScore(node, key)));
  }

#if CLOCKWISE_SCORE_LANES
  using D = lanes::D;
  using V = lanes::V;

  static HWY_INLINE V Prepared(V keys) { return keys; }
  static HWY_INLINE lanes::VI Of(V key, V node) {
    using hash_internal::HWY_NAMESPACE::MulLow;
    const D d;
    V h = MulLow(d, hn::Xor(key, node), kMcrouterFactor);
    h = hn::Xor(node, hn::Xor(h, hn::ShiftRight<47>(h)));
    h = MulLow(d, h, kMcrouterFactor);
    h = MulLow(d, hn::Xor(h, hn::ShiftRight<47>(h)), kMcrouterFactor);
    return hn::BitCast(lanes::DI(), Doubles(h));
  }

 private:
  // Each half goes into the lowest bits of a power of two, whose own bits are
  // then subtracted: exact, but for the one addition that rounds.
  static HWY_INLINE hn::Vec<hn::RebindToFloat<D>> Doubles(V n) {
    const D d;
    const hn::RebindToFloat<D> df;
    const V low = hn::Or(hn::And(n, hn::Set(d, uint64_t{0xFFFFFFFF})),
                         hn::Set(d, uint64_t{0x433} << 52));  // 2^52
    const V high = hn::Or(hn::ShiftRight<32>(n),
                          hn::Set(d, uint64_t{0x453} << 52));  // 2^84
    const auto powers = hn::Set(df, 0x1p84 + 0x1p52);
    return hn::Add(hn::Sub(hn::BitCast(df, high), powers),
                   hn::BitCast(df, low));
  }
#endif
};

NodeIndex BestOfOne(const ScoreNodes& nodes, uint64_t key) {
  return lanes::BestOf<DoubleScore>(nodes, key);
}
void BestOfMany(const ScoreNodes& nodes, const uint64_t* keys, size_t count,
                NodeIndex* owners) {
  lanes::BestOfEach<DoubleScore>(nodes, keys, count, owners);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace clockwise::compat_internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace clockwise::compat_internal {

HWY_EXPORT(BestOfOne);
HWY_EXPORT(BestOfMany);

RendezvousNodes::RendezvousNodes(const std::vector<uint64_t>& hashes)
    : reversed_(hashes.rbegin(), hashes.rend()), count_(hashes.size()) {
  if (count_ == 0) return;
  const size_t blocks = (count_ + kScorePadding - 1) / kScorePadding;
  reversed_.resize(blocks * kScorePadding, hashes.back());
}

NodeIndex RendezvousNodes::Best(uint64_t key) const noexcept {
  if (count_ == 0) return kNoNode;
  const NodeIndex found =
      HWY_DYNAMIC_DISPATCH(BestOfOne)({reversed_.data(), count_}, key);
  return static_cast<NodeIndex>(count_ - 1) - found;
}

void RendezvousNodes::Best(const uint64_t* keys, size_t count,
                           NodeIndex* owners) const noexcept {
  if (count_ == 0) {
    std::fill_n(owners, count, kNoNode);
    return;
  }
  HWY_DYNAMIC_DISPATCH(BestOfMany)
  ({reversed_.data(), count_}, keys, count, owners);
  const auto last = static_cast<NodeIndex>(count_ - 1);
  for (size_t i = 0; i < count; ++i) owners[i] = last - owners[i];
}

}  // namespace clockwise::compat_internal
#endif  // HWY_ONCE
