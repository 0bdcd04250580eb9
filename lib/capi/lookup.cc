// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>

#include "capi/handles.h"

using clockwise::capi::IsBytes;
using clockwise::capi::Text;
using clockwise::capi::View;

namespace clockwise::capi {
namespace {

static_assert(CW_NO_NODE == kNoNode);

// Keys looked up at a time: as many as the ring itself hashes at a time.
constexpr size_t kBlock = 128;

// Looks up at most kBlock keys. Returns whether all of them were keys.
bool OwnersOfBlock(const RingView& ring, const void* const* keys,
                   const size_t* sizes, size_t count, uint32_t* owners) {
  std::string_view views[kBlock];
  bool all_keys = true;
  for (size_t i = 0; i < count; ++i) {
    const bool is_key = IsBytes(keys[i], sizes[i]);
    views[i] = Text(keys[i], is_key ? sizes[i] : 0);
    all_keys &= is_key;
  }
  ring.Owners(views, count, owners);
  if (all_keys) return true;
  for (size_t i = 0; i < count; ++i) {
    if (!IsBytes(keys[i], sizes[i])) owners[i] = kNoNode;
  }
  return false;
}

// Looks up `hashes` of either size.
template <typename Hash>
cw_status OwnersOfHashes(const cw_ring* ring, const Hash* hashes, size_t count,
                         uint32_t* owners) {
  if (ring == nullptr) return CW_INVALID_ARGUMENT;
  if (count == 0) return CW_OK;
  if (hashes == nullptr || owners == nullptr) return CW_INVALID_ARGUMENT;
  View(ring).Owners(hashes, count, owners);
  return CW_OK;
}

}  // namespace
}  // namespace clockwise::capi

uint32_t cw_ring_owner(const cw_ring* ring, const void* key, size_t size) {
  if (!IsBytes(key, size)) return CW_NO_NODE;
  return View(ring).Owner(Text(key, size));
}

uint32_t cw_ring_owner_of_hash(const cw_ring* ring, uint64_t hash) {
  return View(ring).Owner(hash);
}

void cw_ring_prefetch(const cw_ring* ring) { View(ring).Prefetch(); }

uint64_t cw_ring_hash(const cw_ring* ring, const void* key, size_t size) {
  return IsBytes(key, size) ? View(ring).HashOf(Text(key, size)) : 0;
}

cw_status cw_ring_owners(const cw_ring* ring, const void* const* keys,
                         const size_t* sizes, size_t count, uint32_t* owners) {
  if (ring == nullptr) return CW_INVALID_ARGUMENT;
  if (count == 0) return CW_OK;
  if (keys == nullptr || sizes == nullptr || owners == nullptr) {
    return CW_INVALID_ARGUMENT;
  }
  using clockwise::capi::kBlock;
  bool all_keys = true;
  for (size_t i = 0; i < count; i += kBlock) {
    all_keys &=
        clockwise::capi::OwnersOfBlock(View(ring), keys + i, sizes + i,
                                       std::min(kBlock, count - i), owners + i);
  }
  return all_keys ? CW_OK : CW_INVALID_ARGUMENT;
}

cw_status cw_ring_owners_fixed(const cw_ring* ring, const void* keys,
                               size_t size, size_t stride, size_t count,
                               uint32_t* owners) {
  if (ring == nullptr) return CW_INVALID_ARGUMENT;
  if (count == 0) return CW_OK;
  if (!IsBytes(keys, size) || owners == nullptr) return CW_INVALID_ARGUMENT;
  if (count > 1 && stride < size) return CW_INVALID_ARGUMENT;
  // Empty keys may have no pointer to step from.
  const size_t step = size > 0 ? stride : 0;
  View(ring).Owners(clockwise::FixedKeys{keys, size, step, count}, owners);
  return CW_OK;
}

cw_status cw_ring_owners_of_hashes(const cw_ring* ring, const uint64_t* hashes,
                                   size_t count, uint32_t* owners) {
  return clockwise::capi::OwnersOfHashes(ring, hashes, count, owners);
}

cw_status cw_ring_owners_of_hashes32(const cw_ring* ring,
                                     const uint32_t* hashes, size_t count,
                                     uint32_t* owners) {
  return clockwise::capi::OwnersOfHashes(ring, hashes, count, owners);
}

size_t cw_ring_replicas(const cw_ring* ring, uint64_t hash, size_t count,
                        uint32_t* nodes) {
  return nodes != nullptr ? View(ring).Replicas(hash, count, nodes) : 0;
}

uint32_t cw_ring_walk(const cw_ring* ring, uint64_t hash,
                      int (*visit)(void* user, uint32_t node), void* user) {
  for (const clockwise::NodeIndex node : View(ring).Clockwise(hash)) {
    if (visit(user, node) != 0) return node;
  }
  return CW_NO_NODE;
}
