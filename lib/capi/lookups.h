// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Batches of keys as C gives them, of rings and of placements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "capi/handles.h"

namespace clockwise::capi {

// Keys looked up at a time: as many as the ring itself hashes at a time.
inline constexpr size_t kBlock = 128;

// Looks up at most kBlock keys. Returns whether all of them were keys.
template <typename P>
bool OwnersOfBlock(const P& placement, const void* const* keys,
                   const size_t* sizes, size_t count, uint32_t* owners) {
  std::string_view views[kBlock];
  bool all_keys = true;
  for (size_t i = 0; i < count; ++i) {
    const bool is_key = IsBytes(keys[i], sizes[i]);
    views[i] = Text(keys[i], is_key ? sizes[i] : 0);
    all_keys &= is_key;
  }
  placement.Owners(views, count, owners);
  if (all_keys) return true;
  for (size_t i = 0; i < count; ++i) {
    if (!IsBytes(keys[i], sizes[i])) owners[i] = kNoNode;
  }
  return false;
}

template <typename P>
cw_status OwnersOfKeys(const P& placement, const void* const* keys,
                       const size_t* sizes, size_t count, uint32_t* owners) {
  if (count == 0) return CW_OK;
  if (keys == nullptr || sizes == nullptr || owners == nullptr) {
    return CW_INVALID_ARGUMENT;
  }
  bool all_keys = true;
  for (size_t i = 0; i < count; i += kBlock) {
    all_keys &= OwnersOfBlock(placement, keys + i, sizes + i,
                              std::min(kBlock, count - i), owners + i);
  }
  return all_keys ? CW_OK : CW_INVALID_ARGUMENT;
}

template <typename P>
cw_status OwnersOfFixed(const P& placement, const void* keys, size_t size,
                        size_t stride, size_t count, uint32_t* owners) {
  if (count == 0) return CW_OK;
  if (!IsBytes(keys, size) || owners == nullptr) return CW_INVALID_ARGUMENT;
  if (count > 1 && stride < size) return CW_INVALID_ARGUMENT;
  // Empty keys may have no pointer to step from.
  const size_t step = size > 0 ? stride : 0;
  placement.Owners(FixedKeys{keys, size, step, count}, owners);
  return CW_OK;
}

}  // namespace clockwise::capi
