// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Where the parts of an image lie, and its points made ready to search.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/detail/ring_image.h"

namespace clockwise {

using detail::RingImage;

template <int kWidthValue, bool kWideValue>
struct Form {
  static constexpr int kWidth = kWidthValue;
  static constexpr bool kWide = kWideValue;
  using Position = detail::Position<kWidth>;
  using Owner = typename detail::OwnerOf<kWide>::Type;
  using Line = typename detail::OwnerOf<kWide>::LineType;
};

// Calls `f` with the Form of the image: its width and size of owners.
template <typename F>
auto ForForm(const RingImage& image, F&& f) {
  const bool is_wide = image.is_wide != 0;
  if (image.width == 32) {
    return is_wide ? f(Form<32, true>()) : f(Form<32, false>());
  }
  return is_wide ? f(Form<64, true>()) : f(Form<64, false>());
}

// A part of an image that is being built.
template <typename T>
T* MutableAt(RingImage* image, uint64_t offset) noexcept {
  return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(image) + offset);
}

// Returns how many lines a ring of `points` points is cut into: 6 to 6.75
// points a line (5 to 5.6 in wide lines), a function of the count alone that
// changes only at every sixteenth of a power of two, so that most changes of
// one node keep the lines.
uint32_t LineCount(uint32_t points, bool is_wide) noexcept;

// Sets `lines`, the offsets of all parts, and `bytes`, from points, width,
// is_wide, layout and, unless `forced_lines` is 0, that count of lines.
// `with_escape_tree` adds the tree that answers for overflowing lines.
void PlaceSections(RingImage& header, bool with_escape_tree,
                   uint32_t forced_lines = 0) noexcept;

// Fills the gaps after positions and owners, and closes the circle.
void SealPoints(RingImage* image) noexcept;

// Whether so many points overflow their lines (more than 1 %) that a tree
// should answer for them.
constexpr bool WantsEscapeTree(const RingImage& image) noexcept {
  return uint64_t{image.overflowed} * 100 > image.points;
}

}  // namespace clockwise
