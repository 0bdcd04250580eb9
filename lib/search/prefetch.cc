// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/prefetch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/align.h"

namespace clockwise {
namespace {

// Lines on their way at once. A core has room for some more.
constexpr uint64_t kAhead = 16 * kCacheLine;

}  // namespace

void Prefetch(const detail::RingImage& image) noexcept {
  // Layout `line` needs no more than its lines, unless they overflow.
  const bool has_lines = image.layout == Layout::kLine;
  const uint64_t begin = has_lines ? image.search_at : sizeof image;
  const uint64_t end =
      std::min(has_lines ? begin + image.lines * kCacheLine : image.bytes,
               begin + kPrefetched);
  const auto* bytes = image.At<volatile std::byte>(0);
  // Twice: caches take what is read in order for what is read once, and drop
  // some percent of it again.
  for (int pass = 0; pass < 2; ++pass) {
    for (uint64_t at = begin; at < end; at += kCacheLine) {
      // May lie past the image: a prefetch never faults.
      __builtin_prefetch(const_cast<const std::byte*>(bytes + at + kAhead));
      // A prefetch may be dropped; a load is not.
      static_cast<void>(bytes[at]);
    }
  }
}

}  // namespace clockwise
