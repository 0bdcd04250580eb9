// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search_check.h"

#include <hwy/highway.h>

namespace clockwise {

std::vector<int64_t> RunnableTargets() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<int64_t> targets;
  for (int64_t bits = hwy::SupportedTargets() & HWY_TARGETS; bits != 0;
       bits &= bits - 1) {
    targets.push_back(bits & -bits);
  }
  return targets;
}

uint64_t SearchCheck::Mismatches(const RingImage* image, const Points& points,
                                 const std::vector<uint64_t>& hashes) {
  expected_.clear();
  expected32_.clear();
  hashes32_.clear();
  for (uint64_t hash : hashes) {
    expected_.push_back(ReferenceOwner(points, image->width, hash));
    hashes32_.push_back(static_cast<uint32_t>(hash >> 32));
    expected32_.push_back(
        ReferenceOwner(points, image->width, hash >> 32 << 32));
  }
  return SingleMismatches(image, hashes) + BatchMismatches(image, hashes);
}

uint64_t SearchCheck::SingleMismatches(
    const RingImage* image, const std::vector<uint64_t>& hashes) const {
  const RingView view(image);
  view.Prefetch();
  uint64_t wrong = 0;
  for (size_t i = 0; i < hashes.size(); ++i) {
    wrong += InlinedOwner(image, hashes[i]) != expected_[i];
    wrong += view.Owner(hashes[i]) != expected_[i];
    if (image->points == 0) continue;
    wrong += view.OwnerAt(view.PointAt(hashes[i])) != expected_[i];
  }
  return wrong;
}

uint64_t SearchCheck::BatchMismatches(const RingImage* image,
                                      const std::vector<uint64_t>& hashes) {
  uint64_t wrong = 0;
  const size_t count = hashes.size();
  for (int64_t target : targets_) {
    hwy::SetSupportedTargetsForTest(target);
    // One more than asked for, to see that it is left alone.
    answers_.assign(count + 1, 0xABCDEF);
    BatchOwners(*image, hashes.data(), count, answers_.data());
    wrong += answers_.back() != 0xABCDEF;
    answers_.pop_back();
    for (size_t i = 0; i < count; ++i) wrong += answers_[i] != expected_[i];
    BatchOwners(*image, hashes32_.data(), count, answers_.data());
    for (size_t i = 0; i < count; ++i) wrong += answers_[i] != expected32_[i];
    checked_ += 2 * count;
  }
  return wrong;
}

}  // namespace clockwise
