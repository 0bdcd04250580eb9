// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/best_score.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/best_score.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "hash/lanes64-inl.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Two lanes, each of whose multiplications takes three, are slower than none:
// SSE4 takes 1.3 times the scalar time, SSSE3 1.9. Other CPUs are not measured.
#if !HWY_ARCH_X86 || HWY_TARGET > HWY_AVX2

NodeIndex Best(const ScoreNodes& nodes, uint64_t hash) {
  const uint64_t key = PreMix(hash);
  uint64_t best = 0;
  NodeIndex at = 0;
  for (size_t i = 0; i < nodes.count; ++i) {
    const uint64_t score = ScoreOf(key ^ nodes.pre_mixed[i]);
    at = score > best ? static_cast<NodeIndex>(i) : at;
    best = score > best ? score : best;
  }
  return at;
}

void BestOfMany(const ScoreNodes& nodes, const uint64_t* hashes, size_t count,
                NodeIndex* owners) {
  for (size_t i = 0; i < count; ++i) owners[i] = Best(nodes, hashes[i]);
}

#else

using D = hn::ScalableTag<uint64_t>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;

// Scores with the top bit turned, so that a signed compare orders them: few
// CPUs have another of 64 bits.
HWY_INLINE VI Scores(D d, V pre_mixed) {
  using hash_internal::HWY_NAMESPACE::MulLow;
  V h = MulLow(d, pre_mixed, 0xFF51AFD7ED558CCDu);
  h = MulLow(d, hn::Xor(h, hn::ShiftRight<33>(h)), 0xC4CEB9FE1A85EC53u);
  const V turned = hn::Xor(h, hn::Set(d, uint64_t{1} << 63));
  return hn::BitCast(DI(), hn::Xor(turned, hn::ShiftRight<33>(h)));
}

// Of each lane the best score so far, and what it is that of: keeps the earlier
// of equals.
HWY_INLINE void KeepBetter(VI& score, V& at, VI other, V other_at) {
  const D d;
  const DI di;
  const auto is_better = hn::Gt(other, score);
  score = hn::IfThenElse(is_better, other, score);
  at = hn::BitCast(d, hn::IfThenElse(is_better, hn::BitCast(di, other_at),
                                     hn::BitCast(di, at)));
}

HWY_INLINE VI ScoresAt(V key, const uint64_t* pre_mixed) {
  const D d;
  return Scores(d, hn::Xor(key, hn::LoadU(d, pre_mixed)));
}

// The numbers `at` + `offset` of the lanes that are best, the largest number in
// the others.
HWY_INLINE VI WhereBest(VI score, VI most, V at, size_t offset) {
  const D d;
  const DI di;
  const V number = hn::Add(at, hn::Set(d, offset));
  return hn::IfThenElse(hn::Eq(score, most), hn::BitCast(di, number),
                        hn::Set(di, hwy::LimitsMax<int64_t>()));
}

static_assert(4 * hn::MaxLanes(D()) <= kScorePadding);

// Four vectors of nodes side by side: one waits for its multiplications.
NodeIndex Best(const ScoreNodes& nodes, uint64_t hash) {
  const D d;
  const DI di;
  const size_t lanes = hn::Lanes(d);
  const size_t step = 4 * lanes;
  const size_t padded =
      (nodes.count + kScorePadding - 1) / kScorePadding * kScorePadding;
  const V key = hn::Set(d, PreMix(hash));
  const uint64_t* from = nodes.pre_mixed;
  V i = hn::Iota(d, uint64_t{0});
  V at0 = i, at1 = i, at2 = i, at3 = i;
  VI score0 = ScoresAt(key, from);
  VI score1 = ScoresAt(key, from + lanes);
  VI score2 = ScoresAt(key, from + 2 * lanes);
  VI score3 = ScoresAt(key, from + 3 * lanes);
  for (size_t first = step; first < padded; first += step) {
    i = hn::Add(i, hn::Set(d, step));
    from += step;
    KeepBetter(score0, at0, ScoresAt(key, from), i);
    KeepBetter(score1, at1, ScoresAt(key, from + lanes), i);
    KeepBetter(score2, at2, ScoresAt(key, from + 2 * lanes), i);
    KeepBetter(score3, at3, ScoresAt(key, from + 3 * lanes), i);
  }
  const VI most = hn::MaxOfLanes(
      di, hn::Max(hn::Max(score0, score1), hn::Max(score2, score3)));
  const VI first = hn::Min(hn::Min(WhereBest(score0, most, at0, 0),
                                   WhereBest(score1, most, at1, lanes)),
                           hn::Min(WhereBest(score2, most, at2, 2 * lanes),
                                   WhereBest(score3, most, at3, 3 * lanes)));
  return static_cast<NodeIndex>(hn::GetLane(hn::MinOfLanes(di, first)));
}

HWY_INLINE V PreMixed(const uint64_t* hashes) {
  const V hash = hn::LoadU(D(), hashes);
  return hn::Xor(hash, hn::ShiftRight<33>(hash));
}

HWY_INLINE void StoreOwners(V at, NodeIndex* owners) {
  const hn::Rebind<uint32_t, D> d32;
  hn::StoreU(hn::TruncateTo(d32, at), d32, owners);
}

// Four vectors of keys, all nodes.
HWY_INLINE void BestOfFour(const ScoreNodes& nodes, const uint64_t* hashes,
                           NodeIndex* owners) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const V key0 = PreMixed(hashes);
  const V key1 = PreMixed(hashes + lanes);
  const V key2 = PreMixed(hashes + 2 * lanes);
  const V key3 = PreMixed(hashes + 3 * lanes);
  V at0 = hn::Zero(d), at1 = at0, at2 = at0, at3 = at0;
  V node = hn::Set(d, nodes.pre_mixed[0]);
  VI score0 = Scores(d, hn::Xor(key0, node));
  VI score1 = Scores(d, hn::Xor(key1, node));
  VI score2 = Scores(d, hn::Xor(key2, node));
  VI score3 = Scores(d, hn::Xor(key3, node));
  for (size_t n = 1; n < nodes.count; ++n) {
    const V at = hn::Set(d, n);
    node = hn::Set(d, nodes.pre_mixed[n]);
    KeepBetter(score0, at0, Scores(d, hn::Xor(key0, node)), at);
    KeepBetter(score1, at1, Scores(d, hn::Xor(key1, node)), at);
    KeepBetter(score2, at2, Scores(d, hn::Xor(key2, node)), at);
    KeepBetter(score3, at3, Scores(d, hn::Xor(key3, node)), at);
  }
  StoreOwners(at0, owners);
  StoreOwners(at1, owners + lanes);
  StoreOwners(at2, owners + 2 * lanes);
  StoreOwners(at3, owners + 3 * lanes);
}

void BestOfMany(const ScoreNodes& nodes, const uint64_t* hashes, size_t count,
                NodeIndex* owners) {
  const size_t step = 4 * hn::Lanes(D());
  size_t i = 0;
  for (; i + step <= count; i += step)
    BestOfFour(nodes, hashes + i, owners + i);
  for (; i < count; ++i) owners[i] = Best(nodes, hashes[i]);
}

#endif

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
