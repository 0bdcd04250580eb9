// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <cinttypes>
#include <cstdio>

#include "capi/guard.h"
#include "capi/handles.h"

namespace clockwise::capi {
namespace {

Status GiveRing(const Result<Members>& members, cw_ring** ring) {
  if (!members.ok()) return members.status();
  return Give(BuildRing(members.value()), ring);
}

cw_bytes ToBytes(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace
}  // namespace clockwise::capi

using clockwise::Status;
using clockwise::capi::GiveRing;
using clockwise::capi::Guarded;
using clockwise::capi::IsBytes;
using clockwise::capi::IsNull;
using clockwise::capi::ToBytes;
using clockwise::capi::View;

cw_status cw_ring_load_members(const char* path, cw_ring** ring,
                               cw_error* error) {
  return Guarded(ring, error, [&]() -> Status {
    if (path == nullptr) return IsNull("path");
    return GiveRing(clockwise::LoadMembers(path), ring);
  });
}

cw_status cw_ring_parse_members(const char* text, size_t size,
                                const char* source, cw_ring** ring,
                                cw_error* error) {
  return Guarded(ring, error, [&]() -> Status {
    if (!IsBytes(text, size)) return IsNull("text");
    const char* name = source != nullptr ? source : "members";
    return GiveRing(clockwise::ParseMembers(View(text, size), name), ring);
  });
}

void cw_ring_free(cw_ring* ring) { delete ring; }

uint64_t cw_ring_epoch(const cw_ring* ring) { return ring->ring.epoch(); }

uint32_t cw_ring_point_count(const cw_ring* ring) {
  return ring->ring.point_count();
}

uint32_t cw_ring_node_count(const cw_ring* ring) {
  return ring->ring.node_count();
}

uint32_t cw_ring_slot_count(const cw_ring* ring) {
  return ring->ring.slot_count();
}

cw_digest cw_ring_digest(const cw_ring* ring) {
  const clockwise::Hash128 digest = ring->ring.digest();
  return {digest.high, digest.low};
}

void cw_ring_digest_hex(const cw_ring* ring, char hex[33]) {
  // Not ToHex, which allocates.
  const clockwise::Hash128 digest = ring->ring.digest();
  std::snprintf(hex, 33, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}

cw_status cw_ring_node(const cw_ring* ring, uint32_t slot, cw_node* node) {
  if (ring == nullptr || node == nullptr) return CW_INVALID_ARGUMENT;
  const clockwise::NodeView view = ring->ring.node(slot);
  if (view.id.empty()) return CW_UNKNOWN_NODE;
  *node = {ToBytes(view.id),   ToBytes(view.region),  ToBytes(view.zone),
           ToBytes(view.rack), ToBytes(view.address), view.weight.thousandths(),
           view.points};
  return CW_OK;
}

cw_bytes cw_ring_node_id(const cw_ring* ring, uint32_t slot) {
  return ToBytes(ring->ring.node(slot).id);
}

uint32_t cw_ring_find(const cw_ring* ring, const char* id, size_t id_size) {
  if (!IsBytes(id, id_size)) return CW_NO_NODE;
  return ring->ring.Find(View(id, id_size));
}
