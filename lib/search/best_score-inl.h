// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The node of the best score for a key, the first of equals: one key against
// vectors of nodes, and vectors of keys against one node after the other.
//
// A `Score` says what the score of a pair is, in static functions:
//
//   uint64_t Prepared(uint64_t key)            done once for a key
//   uint64_t Of(uint64_t prepared, uint64_t node)
//   V Prepared(V keys)                         the same in lanes (kHasLanes)
//   VI Of(V prepared, V nodes)                 in the same order, but signed:
//                                              few CPUs compare otherwise
#if defined(CLOCKWISE_LIB_SEARCH_BEST_SCORE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LIB_SEARCH_BEST_SCORE_INL_H_
#undef CLOCKWISE_LIB_SEARCH_BEST_SCORE_INL_H_
#else
#define CLOCKWISE_LIB_SEARCH_BEST_SCORE_INL_H_
#endif

#include <hwy/highway.h>

#include "hash/lanes64-inl.h"
#include "search/best_score.h"

// Two lanes, each of whose multiplications takes three, are slower than none:
// SSE4 takes 1.3 times the scalar time, SSSE3 1.9. Other CPUs are not measured.
#undef CLOCKWISE_SCORE_LANES
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define CLOCKWISE_SCORE_LANES 1
#else
#define CLOCKWISE_SCORE_LANES 0
#endif

HWY_BEFORE_NAMESPACE();
namespace clockwise::search_internal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !CLOCKWISE_SCORE_LANES

template <typename Score>
NodeIndex BestOf(const ScoreNodes& nodes, uint64_t hash) {
  const uint64_t key = Score::Prepared(hash);
  uint64_t best = 0;
  NodeIndex at = 0;
  for (size_t i = 0; i < nodes.count; ++i) {
    const uint64_t score = Score::Of(key, nodes.hashes[i]);
    at = score > best ? static_cast<NodeIndex>(i) : at;
    best = score > best ? score : best;
  }
  return at;
}

template <typename Score>
void BestOfEach(const ScoreNodes& nodes, const uint64_t* hashes, size_t count,
                NodeIndex* owners) {
  for (size_t i = 0; i < count; ++i) {
    owners[i] = BestOf<Score>(nodes, hashes[i]);
  }
}

#else

using D = hn::ScalableTag<uint64_t>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;

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

template <typename Score>
HWY_INLINE VI ScoresAt(V key, const uint64_t* nodes) {
  return Score::Of(key, hn::LoadU(D(), nodes));
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
template <typename Score>
NodeIndex BestOf(const ScoreNodes& nodes, uint64_t hash) {
  const D d;
  const DI di;
  const size_t lanes = hn::Lanes(d);
  const size_t step = 4 * lanes;
  const size_t padded =
      (nodes.count + kScorePadding - 1) / kScorePadding * kScorePadding;
  const V key = hn::Set(d, Score::Prepared(hash));
  const uint64_t* from = nodes.hashes;
  V i = hn::Iota(d, uint64_t{0});
  V at0 = i, at1 = i, at2 = i, at3 = i;
  VI score0 = ScoresAt<Score>(key, from);
  VI score1 = ScoresAt<Score>(key, from + lanes);
  VI score2 = ScoresAt<Score>(key, from + 2 * lanes);
  VI score3 = ScoresAt<Score>(key, from + 3 * lanes);
  for (size_t first = step; first < padded; first += step) {
    i = hn::Add(i, hn::Set(d, step));
    from += step;
    KeepBetter(score0, at0, ScoresAt<Score>(key, from), i);
    KeepBetter(score1, at1, ScoresAt<Score>(key, from + lanes), i);
    KeepBetter(score2, at2, ScoresAt<Score>(key, from + 2 * lanes), i);
    KeepBetter(score3, at3, ScoresAt<Score>(key, from + 3 * lanes), i);
  }
  const VI most = hn::MaxOfLanes(
      di, hn::Max(hn::Max(score0, score1), hn::Max(score2, score3)));
  const VI first = hn::Min(hn::Min(WhereBest(score0, most, at0, 0),
                                   WhereBest(score1, most, at1, lanes)),
                           hn::Min(WhereBest(score2, most, at2, 2 * lanes),
                                   WhereBest(score3, most, at3, 3 * lanes)));
  return static_cast<NodeIndex>(hn::GetLane(hn::MinOfLanes(di, first)));
}

HWY_INLINE void StoreOwners(V at, NodeIndex* owners) {
  const hn::Rebind<uint32_t, D> d32;
  hn::StoreU(hn::TruncateTo(d32, at), d32, owners);
}

// Four vectors of keys, all nodes.
template <typename Score>
HWY_INLINE void BestOfFour(const ScoreNodes& nodes, const uint64_t* hashes,
                           NodeIndex* owners) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const V key0 = Score::Prepared(hn::LoadU(d, hashes));
  const V key1 = Score::Prepared(hn::LoadU(d, hashes + lanes));
  const V key2 = Score::Prepared(hn::LoadU(d, hashes + 2 * lanes));
  const V key3 = Score::Prepared(hn::LoadU(d, hashes + 3 * lanes));
  V at0 = hn::Zero(d), at1 = at0, at2 = at0, at3 = at0;
  V node = hn::Set(d, nodes.hashes[0]);
  VI score0 = Score::Of(key0, node);
  VI score1 = Score::Of(key1, node);
  VI score2 = Score::Of(key2, node);
  VI score3 = Score::Of(key3, node);
  for (size_t n = 1; n < nodes.count; ++n) {
    const V at = hn::Set(d, n);
    node = hn::Set(d, nodes.hashes[n]);
    KeepBetter(score0, at0, Score::Of(key0, node), at);
    KeepBetter(score1, at1, Score::Of(key1, node), at);
    KeepBetter(score2, at2, Score::Of(key2, node), at);
    KeepBetter(score3, at3, Score::Of(key3, node), at);
  }
  StoreOwners(at0, owners);
  StoreOwners(at1, owners + lanes);
  StoreOwners(at2, owners + 2 * lanes);
  StoreOwners(at3, owners + 3 * lanes);
}

template <typename Score>
void BestOfEach(const ScoreNodes& nodes, const uint64_t* hashes, size_t count,
                NodeIndex* owners) {
  const size_t step = 4 * hn::Lanes(D());
  size_t i = 0;
  for (; i + step <= count; i += step) {
    BestOfFour<Score>(nodes, hashes + i, owners + i);
  }
  for (; i < count; ++i) owners[i] = BestOf<Score>(nodes, hashes[i]);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace clockwise::search_internal
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
