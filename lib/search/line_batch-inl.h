// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Batches over the `line` layout, compiled once per target.
//
// A block of hashes goes through three passes: the lines and remainders of all
// (vectors), the rank and owner of each (one line, one compare), and one test
// over all whether any must leave its line. Testing each key as it is searched
// costs a third of the speed. Large rings prefetch a block's lines while the
// block before it is searched.
#if defined(CLOCKWISE_LINE_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LINE_BATCH_INL
#undef CLOCKWISE_LINE_BATCH_INL
#else
#define CLOCKWISE_LINE_BATCH_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "clockwise/detail/line.h"
#include "search/sections.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lines that fit the second-level cache need no prefetch: 512 KiB of them.
constexpr uint32_t kPrefetchLines = 8192;

HWY_INLINE uint32_t LineRank(const detail::Line* line, int16_t key) {
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  const hn::FixedTag<int16_t, 16> d;
  const auto below = hn::Lt(hn::Load(d, line->keys), hn::Set(d, key));
#if HWY_TARGET == HWY_AVX2
  // By bytes, where a mask is one instruction: two a lane.
  const hn::FixedTag<uint8_t, 32> d8;
  const auto bytes = hn::BitCast(d8, hn::VecFromMask(d, below));
  return static_cast<uint32_t>(hn::CountTrue(d8, hn::MaskFromVec(bytes)) / 2);
#else
  return static_cast<uint32_t>(hn::CountTrue(d, below));
#endif
#else
  return detail::RankInLine(line, key);
#endif
}

template <typename Form>
class LineBatch {
  static_assert(!Form::kWide, "wide lines are searched one by one");
  static constexpr size_t kBlock = 32;

  // The lines and biased remainders of a block of hashes.
  struct Targets {
    HWY_ALIGN uint32_t line[kBlock];
    HWY_ALIGN int16_t key[kBlock];
  };

 public:
  explicit LineBatch(const RingImage& image)
      : image_(image), lines_(image.At<detail::Line>(image.search_at)) {}

  template <typename Hash>
  HWY_INLINE void Run(const Hash* hashes, size_t count, NodeIndex* owners) {
    if (image_.lines >= kPrefetchLines) {
      RunBlocks<true>(hashes, count, owners);
    } else {
      RunBlocks<false>(hashes, count, owners);
    }
  }

 private:
  template <bool kPrefetch, typename Hash>
  HWY_INLINE void RunBlocks(const Hash* hashes, size_t count,
                            NodeIndex* owners) {
    Targets targets[2];
    size_t turn = 0;
    const size_t whole = count / kBlock * kBlock;
    if (kPrefetch && whole != 0) Aim<kPrefetch>(hashes, targets[0]);
    for (size_t i = 0; i < whole; i += kBlock, turn ^= kPrefetch) {
      if (!kPrefetch) {
        Aim<kPrefetch>(hashes + i, targets[0]);
      } else if (i + kBlock < whole) {
        Aim<kPrefetch>(hashes + i + kBlock, targets[turn ^ 1]);
      }
      Search(hashes + i, targets[turn], kBlock, owners + i);
    }
    if (whole == count) return;
    HWY_ALIGN Hash rest[kBlock] = {};
    std::copy(hashes + whole, hashes + count, rest);
    Aim<kPrefetch>(rest, targets[0]);
    Search(rest, targets[0], count - whole, owners + whole);
  }

  template <bool kPrefetch, typename Hash>
  HWY_INLINE void Aim(const Hash* hashes, Targets& targets) const {
    FindTargets(hashes, targets);
    if (!kPrefetch) return;
    for (uint32_t line : targets.line) __builtin_prefetch(lines_ + line);
  }

#if HWY_TARGET == HWY_SCALAR
  template <typename Hash>
  HWY_INLINE void FindTargets(const Hash* hashes, Targets& targets) const {
    for (size_t j = 0; j < kBlock; ++j) {
      const auto bucket =
          detail::BucketOf<Form::kWidth>(Align(hashes[j]), image_.lines);
      targets.line[j] = static_cast<uint32_t>(bucket.line);
      targets.key[j] = static_cast<int16_t>(bucket.remainder ^ 0x8000u);
    }
  }
#else
  template <typename Hash>
  HWY_INLINE void FindTargets(const Hash* hashes, Targets& targets) const {
    const hn::ScalableTag<uint64_t> d64;
    const hn::Rebind<uint32_t, decltype(d64)> d32;
    const hn::Rebind<uint16_t, decltype(d64)> d16;
    const auto lines = hn::Set(d64, image_.lines);
    const auto bias = hn::Set(d64, 0x80000000u);
    for (size_t j = 0; j < kBlock; j += hn::Lanes(d64)) {
      const auto t = hn::Xor(Scaled(d64, hashes + j, lines), bias);
      hn::StoreU(hn::TruncateTo(d32, hn::ShiftRight<32>(t)), d32,
                 targets.line + j);
      hn::StoreU(hn::TruncateTo(d16, hn::ShiftRight<16>(t)), d16,
                 reinterpret_cast<uint16_t*>(targets.key) + j);
    }
  }

  // BucketOf's t: hash * lines / 2^32.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Scaled(D d64, const uint64_t* hashes, V lines) {
    const V hash = hn::LoadU(d64, hashes);
    const V high = Multiply(d64, hn::ShiftRight<32>(hash), lines);
    if constexpr (Form::kWidth == 32) return high;
    return hn::Add(high, hn::ShiftRight<32>(Multiply(d64, hash, lines)));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Scaled(D d64, const uint32_t* hashes, V lines) {
    const hn::Rebind<uint32_t, D> d32;
    return Multiply(d64, hn::PromoteTo(d64, hn::LoadU(d32, hashes)), lines);
  }
  // Product of the low halves.
  template <class D, class V>
  static HWY_INLINE V Multiply(D d64, V a, V b) {
    const hn::Repartition<uint32_t, D> d32;
    return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
  }
#endif

  static HWY_INLINE uint64_t Align(uint64_t hash) { return hash; }
  static HWY_INLINE uint64_t Align(uint32_t hash) {
    return uint64_t{hash} << 32;
  }

  template <typename Hash>
  HWY_INLINE void Search(const Hash* hashes, const Targets& targets,
                         size_t count, NodeIndex* owners) const {
    HWY_ALIGN uint16_t found[kBlock];
    HWY_ALIGN int16_t key_there[kBlock];
    for (size_t j = 0; j < kBlock; ++j) {
      const detail::Line* line = lines_ + targets.line[j];
      const uint32_t rank = LineRank(line, targets.key[j]);
      found[j] = line->owners[rank];
      key_there[j] = line->keys[rank];
    }
    int leaves = 0;
    for (size_t j = 0; j < kBlock; ++j) {
      leaves |= (found[j] == detail::kOverflow) |
                (key_there[j] == targets.key[j]);
    }
    if (count == kBlock) {
      for (size_t j = 0; j < kBlock; ++j) owners[j] = found[j];
    } else {
      std::copy_n(found, count, owners);
    }
    if (HWY_LIKELY(leaves == 0)) return;
    for (size_t j = 0; j < count; ++j) {
      if (found[j] != detail::kOverflow && key_there[j] != targets.key[j]) {
        continue;
      }
      owners[j] =
          detail::EscapeOwner(&image_, Align(hashes[j]), targets.line[j]);
    }
  }

  const RingImage& image_;
  const detail::Line* lines_;
};

}  // namespace HWY_NAMESPACE
}  // namespace clockwise
HWY_AFTER_NAMESPACE();

#endif  // CLOCKWISE_LINE_BATCH_INL
