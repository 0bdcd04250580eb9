// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/point_index.h"

#include "clockwise/detail/line.h"
#include "clockwise/detail/search.h"
#include "search/sections.h"

namespace clockwise {
namespace {

// Searches the points of one line only.
template <typename Form>
size_t IndexInLine(const RingImage& image, uint64_t hash, uint64_t line) {
  const auto* positions = image.At<typename Form::Position>(image.positions_at);
  const auto* starts = image.At<uint32_t>(image.starts_at);
  const uint32_t first = starts[line];
  return first + detail::LowerBound(positions + first, starts[line + 1] - first,
                                    detail::ToPosition<Form::kWidth>(hash));
}

}  // namespace

size_t PointIndex(const RingImage& image, uint64_t hash) noexcept {
  return ForForm(image, [&](auto form) -> size_t {
    using F = decltype(form);
    // A tree of its own, or the escape of lines.
    if (image.layout == Layout::kSplus || image.splus_levels != 0) {
      return detail::SplusView<F::kWidth, F::kWide>(&image).Index(hash);
    }
    if (image.layout == Layout::kLine) {
      const auto bucket = detail::BucketOf<F::kWidth>(hash, image.lines);
      return IndexInLine<F>(image, hash, bucket.line);
    }
    return detail::SortedView<F::kWidth, F::kWide>(&image).Index(hash);
  });
}

namespace detail {
inline namespace image_1 {

NodeIndex EscapeOwner(const RingImage* image, uint64_t hash,
                      uint64_t line) noexcept {
  if (image->points == 0) return kNoNode;
  return ForForm(*image, [&](auto form) -> NodeIndex {
    using F = decltype(form);
    if (image->splus_levels != 0) {
      return SplusView<F::kWidth, F::kWide>(image).Owner(hash);
    }
    return image->At<typename F::Owner>(
        image->owners_at)[IndexInLine<F>(*image, hash, line)];
  });
}

}  // namespace image_1
}  // namespace detail
}  // namespace clockwise
