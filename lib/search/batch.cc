// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/batch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/batch.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "search/line_batch-inl.h"
#include "search/tree_batch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace clockwise {
namespace HWY_NAMESPACE {
namespace {

// Wide lines: one by one, each fetched some searches ahead.
template <typename Form, typename Hash>
void WideLineOwners(const RingImage& image, const Hash* hashes, size_t count,
                    NodeIndex* owners) {
  constexpr size_t kAhead = 16;
  const detail::LineView<Form::kWidth, true> view(&image);
  const auto* lines = image.At<detail::WideLine>(image.search_at);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t ahead =
        detail::ToLeftAligned(hashes[std::min(i + kAhead, count - 1)]);
    __builtin_prefetch(lines +
                       detail::BucketOf<Form::kWidth>(ahead, image.lines).line);
    owners[i] = view.Owner(detail::ToLeftAligned(hashes[i]));
  }
}

template <typename Form, typename Hash>
void FormOwners(const RingImage& image, const Hash* hashes, size_t count,
                NodeIndex* owners) {
  switch (image.layout) {
    case Layout::kSorted:
      return RunGroups<Form>(image, SortedSearcher<Form>(image), hashes, count,
                             owners);
    case Layout::kEytzinger:
      return RunGroups<Form>(image, EytzingerSearcher<Form>(image), hashes,
                             count, owners);
    case Layout::kSplus:
      return RunGroups<Form>(image, SplusSearcher<Form>(image), hashes, count,
                             owners);
    case Layout::kLine:
      if constexpr (Form::kWide) {
        return WideLineOwners<Form>(image, hashes, count, owners);
      } else {
        return LineBatch<Form>(image).Run(hashes, count, owners);
      }
  }
}

void Owners64(const RingImage& image, const uint64_t* hashes, size_t count,
              NodeIndex* owners) {
  ForForm(image, [&](auto form) {
    FormOwners<decltype(form)>(image, hashes, count, owners);
  });
}

void Owners32(const RingImage& image, const uint32_t* hashes, size_t count,
              NodeIndex* owners) {
  ForForm(image, [&](auto form) {
    FormOwners<decltype(form)>(image, hashes, count, owners);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace clockwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace clockwise {

HWY_EXPORT(Owners64);
HWY_EXPORT(Owners32);

void BatchOwners(const detail::RingImage& image, const uint64_t* hashes,
                 size_t count, NodeIndex* owners) noexcept {
  HWY_DYNAMIC_DISPATCH(Owners64)(image, hashes, count, owners);
}

void BatchOwners(const detail::RingImage& image, const uint32_t* hashes,
                 size_t count, NodeIndex* owners) noexcept {
  HWY_DYNAMIC_DISPATCH(Owners32)(image, hashes, count, owners);
}

}  // namespace clockwise
#endif  // HWY_ONCE
