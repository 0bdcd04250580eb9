// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// MD5 (RFC 1321), one text in each 32-bit SIMD lane.
//
// MD5 is a chain of 64 steps a block, each of which waits for the one before,
// so that one text leaves most of a CPU idle. Two vectors of texts advance side
// by side here. Each lane has a text of its own: it takes block after block of
// it, and then the next text that no lane has, so that texts of any lengths
// keep all lanes busy until few are left.
#if defined(CLOCKWISE_LIB_COMPAT_HASH_MD5_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LIB_COMPAT_HASH_MD5_LANES_INL_H_
#undef CLOCKWISE_LIB_COMPAT_HASH_MD5_LANES_INL_H_
#else
#define CLOCKWISE_LIB_COMPAT_HASH_MD5_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "compat/hash/md5_batch.h"
#include "compat/hash/md5_block.h"
#include "hash/words-inl.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise::compat_internal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

bool Md5Lanes(const Texts&, Md5Digest*) { return false; }

#else

using hash_internal::HWY_NAMESPACE::Wide;
using hash_internal::HWY_NAMESPACE::Words;

constexpr size_t kMaxLanes = 2 * hn::MaxLanes(Wide());

// Blocks, states and texts of two vectors of lanes.
struct Lanes {
  alignas(64) uint8_t blocks[kMaxLanes * kMd5Block] = {};
  alignas(64) uint32_t states[4][kMaxLanes];
  Md5Text texts[kMaxLanes];
};

// `word` includes the step's constant.
template <int kRound, int kTurn, class D, class V>
HWY_INLINE void Step(D d, V& a, V b, V c, V e, V word) {
  V sum = hn::Add(a, word);
  if constexpr (kRound == 0) {
    // (b & c) | (~b & e).
    sum = hn::Add(sum, hn::Xor(e, hn::And(b, hn::Xor(c, e))));
  } else if constexpr (kRound == 1) {
    // (b & e) | (c & ~e), of which the second half does not wait for b.
    sum = hn::Add(hn::Add(sum, hn::AndNot(e, c)), hn::And(e, b));
  } else if constexpr (kRound == 2) {
    sum = hn::Add(sum, hn::Xor(b, hn::Xor(c, e)));
  } else {
    // c ^ (b | ~e) is ~x, and so -x - 1, where x is c ^ (~b & e).
    sum = hn::Sub(hn::Sub(sum, hn::Set(d, 1)), hn::Xor(c, hn::AndNot(b, e)));
  }
  a = hn::Add(hn::RotateRight<32 - kTurn>(sum), b);
}

// One round of 16 steps for the states (a0 b0 c0 e0) and (a1 b1 c1 e1).
template <int kRound, class D, class V>
HWY_INLINE void Round(D d, const Words<D>* words, V& a0, V& b0, V& c0, V& e0,
                      V& a1, V& b1, V& c1, V& e1) {
  constexpr auto kTurns = kMd5Turns[kRound];
  const auto word = [&](size_t step, size_t v) HWY_ATTR {
    const size_t w = Md5WordOf(kRound, step);
    return hn::Add(words[w / 4].At(d, w % 4, v),
                   hn::Set(d, kMd5Sines[16 * kRound + step]));
  };
  for (size_t i = 0; i < 16; i += 4) {
    Step<kRound, kTurns[0]>(d, a0, b0, c0, e0, word(i, 0));
    Step<kRound, kTurns[0]>(d, a1, b1, c1, e1, word(i, 1));
    Step<kRound, kTurns[1]>(d, e0, a0, b0, c0, word(i + 1, 0));
    Step<kRound, kTurns[1]>(d, e1, a1, b1, c1, word(i + 1, 1));
    Step<kRound, kTurns[2]>(d, c0, e0, a0, b0, word(i + 2, 0));
    Step<kRound, kTurns[2]>(d, c1, e1, a1, b1, word(i + 2, 1));
    Step<kRound, kTurns[3]>(d, b0, c0, e0, a0, word(i + 3, 0));
    Step<kRound, kTurns[3]>(d, b1, c1, e1, a1, word(i + 3, 1));
  }
}

// Adds to a part of the states of vector v.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void AddTo(D d, V v, uint32_t* state) {
  hn::Store(hn::Add(hn::Load(d, state), v), d, state);
}

// Takes one block in every lane.
template <class D>
HWY_INLINE void TakeBlocks(D d, Lanes& lanes) {
  const size_t n = hn::Lanes(d);
  Words<D> words[4];
  for (size_t i = 0; i < 4; ++i) {
    const uint8_t* blocks = lanes.blocks + 16 * i;
    words[i].Fill(d, 0, {blocks, kMd5Block});
    words[i].Fill(d, 1, {blocks + n * kMd5Block, kMd5Block});
  }
  uint32_t(&s)[4][kMaxLanes] = lanes.states;
  auto a0 = hn::Load(d, s[0]), a1 = hn::Load(d, s[0] + n);
  auto b0 = hn::Load(d, s[1]), b1 = hn::Load(d, s[1] + n);
  auto c0 = hn::Load(d, s[2]), c1 = hn::Load(d, s[2] + n);
  auto e0 = hn::Load(d, s[3]), e1 = hn::Load(d, s[3] + n);
  Round<0>(d, words, a0, b0, c0, e0, a1, b1, c1, e1);
  Round<1>(d, words, a0, b0, c0, e0, a1, b1, c1, e1);
  Round<2>(d, words, a0, b0, c0, e0, a1, b1, c1, e1);
  Round<3>(d, words, a0, b0, c0, e0, a1, b1, c1, e1);
  AddTo(d, a0, s[0]), AddTo(d, a1, s[0] + n);
  AddTo(d, b0, s[1]), AddTo(d, b1, s[1] + n);
  AddTo(d, c0, s[2]), AddTo(d, c1, s[2] + n);
  AddTo(d, e0, s[3]), AddTo(d, e1, s[3] + n);
}

HWY_INLINE void BeginState(Lanes& lanes, size_t lane) {
  for (size_t k = 0; k < 4; ++k) lanes.states[k][lane] = kMd5Begin[k];
}

HWY_INLINE void EndState(const Lanes& lanes, size_t lane, Md5Digest& digest) {
  for (size_t k = 0; k < 4; ++k) digest.words[k] = lanes.states[k][lane];
}

bool Md5Lanes(const Texts& texts, Md5Digest* digests) {
  const Wide d;
  const size_t width = 2 * hn::Lanes(d);
  Lanes lanes;
  size_t next = 0, busy = 0;
  for (size_t lane = 0; lane < width; ++lane) {
    BeginState(lanes, lane);
    if (next == texts.count()) continue;
    lanes.texts[lane] = Md5Text(texts[next], next);
    ++next, ++busy;
  }
  while (busy != 0) {
    for (size_t lane = 0; lane < width; ++lane) {
      lanes.texts[lane].NextBlock(lanes.blocks + lane * kMd5Block);
    }
    TakeBlocks(d, lanes);
    for (size_t lane = 0; lane < width; ++lane) {
      Md5Text& text = lanes.texts[lane];
      if (!text.is_done()) continue;
      EndState(lanes, lane, digests[text.number()]);
      BeginState(lanes, lane);
      if (next < texts.count()) {
        text = Md5Text(texts[next], next);
        ++next;
      } else {
        text = Md5Text();
        --busy;
      }
    }
  }
  return true;
}

#endif  // more than one lane

}  // namespace HWY_NAMESPACE
}  // namespace clockwise::compat_internal
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
