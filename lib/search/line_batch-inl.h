// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Batches over the `line` layout, compiled once per target.
//
// A block of hashes goes through three passes: the lines and keys of all
// (vectors), the rank and owner of each (one line, one compare), and one test
// over all whether any must leave its line; then the block is done again, key
// by key. Large rings prefetch a block's lines while the one before is
// searched.
#if defined(CLOCKWISE_LINE_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CLOCKWISE_LINE_BATCH_INL
#undef CLOCKWISE_LINE_BATCH_INL
#else
#define CLOCKWISE_LINE_BATCH_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "clockwise/detail/line.h"
#include "search/sections.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lines that fit the second-level cache need no prefetch: 512 KiB of them.
constexpr uint32_t kPrefetchLines = 8192;

// Searches lines, and remembers whether any search of a block must leave its
// line: a branch for each would cost much of the speed.
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
class LineProbe {
 public:
  HWY_INLINE LineProbe() : ties_(hn::MaskFromVec(hn::Zero(D()))) {}

  // `twin_key` is the key twice, since broadcasting 32 bits is only a load.
  HWY_INLINE uint32_t Owner(const detail::Line* line, uint32_t twin_key) {
    const hn::FixedTag<uint32_t, 8> d32;
    const auto key = hn::BitCast(d_, hn::Set(d32, twin_key));
    const auto lanes = hn::Load(d_, line->keys);
    const uint32_t owner = line->owners[Rank(hn::Lt(lanes, key))];
    ties_ = hn::Or(ties_, hn::Eq(lanes, key));
    overflow_ |= owner + 1;
    return owner;
  }
  HWY_INLINE bool MustLeave() const {
    return overflow_ > detail::kOverflow || !hn::AllFalse(d_, ties_);
  }

 private:
  using D = hn::FixedTag<int16_t, 16>;
  using M = hn::Mask<D>;

  HWY_INLINE size_t Rank(M below) const {
#if HWY_TARGET == HWY_AVX2
    // By bytes, where a mask is one instruction: two a lane.
    const hn::FixedTag<uint8_t, 32> d8;
    const auto bytes = hn::BitCast(d8, hn::VecFromMask(d_, below));
    return hn::CountTrue(d8, hn::MaskFromVec(bytes)) / 2;
#else
    return hn::CountTrue(d_, below);
#endif
  }

  D d_;
  M ties_;
  uint32_t overflow_ = 0;  // 2^16 set: an owner was 0xFFFF
};
#else
class LineProbe {
 public:
  HWY_INLINE uint32_t Owner(const detail::Line* line, uint32_t twin_key) {
    const auto key = static_cast<int16_t>(twin_key);
    const size_t rank = detail::RankInLine(line, key);
    const uint32_t owner = line->owners[rank];
    ties_ |= line->keys[rank] == key;
    overflow_ |= owner + 1;
    return owner;
  }
  HWY_INLINE bool MustLeave() const {
    return overflow_ > detail::kOverflow || ties_;
  }

 private:
  bool ties_ = false;
  uint32_t overflow_ = 0;
};
#endif

template <typename Form>
class LineBatch {
  static_assert(!Form::kWide, "wide lines are searched one by one");
  static constexpr size_t kBlock = 32;

  // The lines of a block of hashes, and the keys to look for there, twice each.
  struct Targets {
    HWY_ALIGN uint32_t line[kBlock];
    HWY_ALIGN uint32_t twin_key[kBlock];
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
      const auto bucket = detail::BucketOf<Form::kWidth>(
          detail::ToLeftAligned(hashes[j]), image_.lines);
      targets.line[j] = static_cast<uint32_t>(bucket.line);
      targets.twin_key[j] = static_cast<uint16_t>(bucket.key) * 0x10001u;
    }
  }
#else
  template <typename Hash>
  HWY_INLINE void FindTargets(const Hash* hashes, Targets& targets) const {
    const hn::ScalableTag<uint64_t> d64;
    const hn::Rebind<uint32_t, decltype(d64)> d32;
    const auto lines = hn::Set(d64, image_.lines);
    const auto bias = hn::Set(d64, 0x80000000u);
    const auto high = hn::Set(d64, 0xFFFF0000u);
    for (size_t j = 0; j < kBlock; j += hn::Lanes(d64)) {
      const auto t = hn::Xor(Scaled(d64, hashes + j, lines), bias);
      hn::StoreU(hn::TruncateTo(d32, hn::ShiftRight<32>(t)), d32,
                 targets.line + j);
      // The key is bits 16 to 31 of t.
      const auto twice =
          hn::Or(hn::And(t, high), hn::ShiftRight<16>(hn::And(t, high)));
      hn::StoreU(hn::TruncateTo(d32, twice), d32, targets.twin_key + j);
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
  static HWY_INLINE V Multiply(D /*d64*/, V a, V b) {
    const hn::Repartition<uint32_t, D> d32;
    return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
  }
#endif

  template <typename Hash>
  HWY_INLINE void Search(const Hash* hashes, const Targets& targets,
                         size_t count, NodeIndex* owners) const {
    LineProbe probe;
    NodeIndex rest[kBlock];
    NodeIndex* found = count == kBlock ? owners : rest;
#pragma GCC unroll 8
    for (size_t j = 0; j < kBlock; ++j) {
      found[j] = probe.Owner(lines_ + targets.line[j], targets.twin_key[j]);
    }
    if (found == rest) std::copy_n(rest, count, owners);
    if (HWY_LIKELY(!probe.MustLeave())) return;
    const detail::LineView<Form::kWidth, false> view(&image_);
    for (size_t j = 0; j < count; ++j)
      owners[j] = view.Owner(detail::ToLeftAligned(hashes[j]));
  }

  const RingImage& image_;
  const detail::Line* lines_;
};

}  // namespace HWY_NAMESPACE
}  // namespace clockwise
HWY_AFTER_NAMESPACE();

#endif  // CLOCKWISE_LINE_BATCH_INL
