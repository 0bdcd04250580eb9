// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The search of the `line` layout: one load, one compare, one rank, one owner
// from the same cache line. The only public file with intrinsics.
//
// Remainders ascend within a line, so the lanes below a key are a run of ones
// and their number is the count of trailing ones: plain SSE2 is enough, and
// whatever flags the caller is built with, the code is the same.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "clockwise/detail/api.h"
#include "clockwise/detail/ring_image.h"
#include "clockwise/node.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace clockwise {
namespace detail {
inline namespace image_1 {

// Answers what a line cannot: it overflows, or the key's remainder equals that
// of a point. Searches the bucket's slice of the sorted positions, or the splus
// tree where the image has one. O(log points), exact on any ring; kNoNode on an
// empty one.
[[gnu::cold]] CW_API NodeIndex EscapeOwner(const RingImage* image,
                                           uint64_t hash,
                                           uint64_t line) noexcept;

// Returns how many of the line's 16 lanes, from the first on, are below `key`.
// Lane 15 (13 in a wide line) never is.
CW_INLINE size_t RankInLine(const void* line, int16_t key) noexcept {
#if defined(__SSE2__)
  const auto* lanes = static_cast<const __m128i*>(line);
  const __m128i k = _mm_set1_epi16(key);
  const __m128i below =
      _mm_packs_epi16(_mm_cmpgt_epi16(k, _mm_load_si128(lanes)),
                      _mm_cmpgt_epi16(k, _mm_load_si128(lanes + 1)));
  // Never all ones: no test for that, as std::countr_one would have.
  const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(below));
  return static_cast<uint32_t>(__builtin_ctz(mask + 1));
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const auto* lanes = static_cast<const int16_t*>(line);
  const int16x8_t k = vdupq_n_s16(key);
  const uint8x16_t below =
      vcombine_u8(vmovn_u16(vcgtq_s16(k, vld1q_s16(lanes))),
                  vmovn_u16(vcgtq_s16(k, vld1q_s16(lanes + 8))));
  // Four bits a lane.
  const uint64_t mask = vget_lane_u64(
      vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(below), 4)), 0);
  return static_cast<uint32_t>(__builtin_ctzll(~mask)) / 4;
#else
  const auto* lanes = static_cast<const int16_t*>(line);
  size_t rank = 0;
  for (size_t step : {8u, 4u, 2u, 1u}) {
    if (lanes[rank + step - 1] < key) rank += step;
  }
  return rank;
#endif
}

CW_INLINE uint32_t OwnerInLine(const Line* line, size_t rank) noexcept {
  return line->owners[rank];
}

CW_INLINE uint32_t OwnerInLine(const WideLine* line, size_t rank) noexcept {
  uint32_t bits;
  std::memcpy(&bits, line->owners + rank * 5 / 2, sizeof bits);
  if constexpr (std::endian::native == std::endian::big) {
    bits = __builtin_bswap32(bits);
  }
  return bits >> (rank % 2 * 4) & kWideOverflow;
}

// A `line` ring of known width, for hot loops. Copy it out of the ring once: it
// is three words. Valid while the ring's image lives.
template <int kWidth, bool kWide>
class LineView {
  using LineType = typename OwnerOf<kWide>::LineType;

 public:
  explicit LineView(const RingImage* image) noexcept
      : LineView(image->At<LineType>(image->search_at), image->lines, image) {}
  // The same from words that the caller has at hand.
  LineView(const void* lines, uint64_t line_count,
           const RingImage* image) noexcept
      : lines_(static_cast<const LineType*>(lines)),
        line_count_(line_count),
        image_(image) {}

  // Returns the node that owns `hash` (left-aligned): that of the first point
  // at or after it, where the first point follows the last. kNoNode if the ring
  // is empty. One cache line; never allocates, locks or fails; any thread.
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    const Bucket bucket = BucketOf<kWidth>(hash, line_count_);
    const LineType* line = lines_ + bucket.line;
    const size_t rank = RankInLine(line, bucket.key);
    const uint32_t owner = OwnerInLine(line, rank);
    if (owner == kOverflowed || line->keys[rank] == bucket.key) [[unlikely]] {
      return EscapeOwner(image_, hash, bucket.line);
    }
    return owner;
  }

 private:
  static constexpr uint32_t kOverflowed = kWide ? kWideOverflow : kOverflow;

  const LineType* lines_;
  uint64_t line_count_;
  const RingImage* image_;
};

}  // namespace image_1
}  // namespace detail
}  // namespace clockwise
