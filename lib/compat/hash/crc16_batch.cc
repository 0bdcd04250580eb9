// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compat/hash/crc16_batch.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

// After foreach_target.h.
#include "compat/hash/crc16_clmul-inl.h"

#if HWY_ONCE

namespace clockwise::compat_internal {
namespace {

HWY_EXPORT(RedisSlots);

}  // namespace

void RedisSlotBatch(const Texts& keys,
                    const hash_internal::Hashes& slots) noexcept {
  if (HWY_DYNAMIC_DISPATCH(RedisSlots)(keys, slots)) return;
  for (size_t i = 0; i < keys.count(); ++i) {
    hash_internal::Write(slots, i, RedisSlot(keys[i]));
  }
}

}  // namespace clockwise::compat_internal
#endif  // HWY_ONCE
