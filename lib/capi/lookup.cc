// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "capi/handles.h"
#include "capi/lookups.h"

using clockwise::capi::IsBytes;
using clockwise::capi::Text;
using clockwise::capi::View;

namespace clockwise::capi {
namespace {

static_assert(CW_NO_NODE == kNoNode);

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
  return clockwise::capi::OwnersOfKeys(View(ring), keys, sizes, count, owners);
}

cw_status cw_ring_owners_fixed(const cw_ring* ring, const void* keys,
                               size_t size, size_t stride, size_t count,
                               uint32_t* owners) {
  if (ring == nullptr) return CW_INVALID_ARGUMENT;
  return clockwise::capi::OwnersOfFixed(View(ring), keys, size, stride, count,
                                        owners);
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
