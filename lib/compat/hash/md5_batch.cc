// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compat/hash/md5_batch.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

// After foreach_target.h.
#include "compat/hash/md5_lanes-inl.h"

#if HWY_ONCE

namespace clockwise::compat_internal {
namespace {

HWY_EXPORT(Md5Lanes);

// Fewer texts are done one by one sooner than the lanes are filled.
constexpr size_t kMinCount = 3;

}  // namespace

void Md5Batch(const Texts& texts, Md5Digest* digests) noexcept {
  if (texts.count() >= kMinCount &&
      HWY_DYNAMIC_DISPATCH(Md5Lanes)(texts, digests)) {
    return;
  }
  for (size_t i = 0; i < texts.count(); ++i) digests[i] = Md5(texts[i]);
}

}  // namespace clockwise::compat_internal
#endif  // HWY_ONCE
