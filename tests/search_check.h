// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Every path to an owner against std::lower_bound.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/ring.h"
#include "search/batch.h"
#include "search/point_index.h"
#include "test_image.h"

namespace clockwise {

// The SIMD targets that this build has and this CPU can run.
std::vector<int64_t> RunnableTargets();

struct Points {
  std::vector<uint64_t> positions;  // left-aligned, ascending
  std::vector<uint32_t> owners;
};

// The reference: first position at or after the hash, as the width compares.
inline NodeIndex ReferenceOwner(const Points& points, uint32_t width,
                                uint64_t hash) {
  if (points.positions.empty()) return kNoNode;
  if (width == 32) hash = hash >> 32 << 32;
  const auto at =
      std::lower_bound(points.positions.begin(), points.positions.end(), hash);
  const auto i =
      at == points.positions.end() ? 0 : at - points.positions.begin();
  return points.owners[static_cast<size_t>(i)];
}

// The inlined search of the image's layout, as a caller's loop would have it.
inline NodeIndex InlinedOwner(const RingImage* image, uint64_t hash) {
  return ForForm(*image, [&](auto form) -> NodeIndex {
    using F = decltype(form);
    switch (image->layout) {
      case Layout::kSorted:
        return detail::SortedView<F::kWidth, F::kWide>(image).Owner(hash);
      case Layout::kEytzinger:
        return detail::EytzingerView<F::kWidth, F::kWide>(image).Owner(hash);
      case Layout::kSplus:
        return detail::SplusView<F::kWidth, F::kWide>(image).Owner(hash);
      case Layout::kLine:
        break;
    }
    return detail::LineView<F::kWidth, F::kWide>(image).Owner(hash);
  });
}

// Counts wrong answers of all paths over `hashes`: the inlined view, RingView,
// and batches of both kinds of hashes on each target.
class SearchCheck {
 public:
  SearchCheck() : targets_(RunnableTargets()) {}
  ~SearchCheck() { hwy::SetSupportedTargetsForTest(0); }

  uint64_t Mismatches(const RingImage* image, const Points& points,
                      const std::vector<uint64_t>& hashes);

  [[nodiscard]] uint64_t checked() const { return checked_; }
  [[nodiscard]] size_t targets() const { return targets_.size(); }

 private:
  uint64_t SingleMismatches(const RingImage* image,
                            const std::vector<uint64_t>& hashes) const;
  uint64_t BatchMismatches(const RingImage* image,
                           const std::vector<uint64_t>& hashes);

  std::vector<int64_t> targets_;
  std::vector<NodeIndex> expected_;    // of hashes
  std::vector<NodeIndex> expected32_;  // of their high halves
  std::vector<NodeIndex> answers_;
  std::vector<uint32_t> hashes32_;
  uint64_t checked_ = 0;
};

}  // namespace clockwise
