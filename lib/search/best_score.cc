// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/best_score.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/best_score.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "search/best_score-inl.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
namespace lanes = search_internal::HWY_NAMESPACE;

struct Fmix64Score {
  static uint64_t Prepared(uint64_t key) { return PreMix(key); }
  static uint64_t Of(uint64_t key, uint64_t node) {
    return ScoreOf(key ^ node);
  }

#if CLOCKWISE_SCORE_LANES
  using D = lanes::D;
  using V = lanes::V;

  static HWY_INLINE V Prepared(V keys) {
    return hn::Xor(keys, hn::ShiftRight<33>(keys));
  }
  // With the top bit turned, for the signed order.
  static HWY_INLINE lanes::VI Of(V key, V node) {
    using hash_internal::HWY_NAMESPACE::MulLow;
    const D d;
    V h = MulLow(d, hn::Xor(key, node), 0xFF51AFD7ED558CCDu);
    h = MulLow(d, hn::Xor(h, hn::ShiftRight<33>(h)), 0xC4CEB9FE1A85EC53u);
    const V turned = hn::Xor(h, hn::Set(d, uint64_t{1} << 63));
    return hn::BitCast(lanes::DI(), hn::Xor(turned, hn::ShiftRight<33>(h)));
  }
#endif
};

NodeIndex Best(const ScoreNodes& nodes, uint64_t hash) {
  return lanes::BestOf<Fmix64Score>(nodes, hash);
}
void BestOfMany(const ScoreNodes& nodes, const uint64_t* hashes, size_t count,
                NodeIndex* owners) {
  lanes::BestOfEach<Fmix64Score>(nodes, hashes, count, owners);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace clockwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace clockwise {

HWY_EXPORT(Best);
HWY_EXPORT(BestOfMany);

NodeIndex BestScore(const ScoreNodes& nodes, uint64_t hash) noexcept {
  if (nodes.count == 0) return kNoNode;
  return HWY_DYNAMIC_DISPATCH(Best)(nodes, hash);
}

void BestScores(const ScoreNodes& nodes, const uint64_t* hashes, size_t count,
                NodeIndex* owners) noexcept {
  if (nodes.count == 0) {
    std::fill_n(owners, count, kNoNode);
    return;
  }
  HWY_DYNAMIC_DISPATCH(BestOfMany)(nodes, hashes, count, owners);
}

}  // namespace clockwise
#endif  // HWY_ONCE
