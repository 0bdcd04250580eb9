// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <cinttypes>
#include <cstdio>

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/options.h"

namespace clockwise::capi {
namespace {

Status GiveRing(const Result<Members>& members, cw_ring** ring) {
  if (!members.ok()) return members.status();
  return Give(BuildRing(members.value()), ring);
}

}  // namespace
}  // namespace clockwise::capi

using clockwise::Status;
using clockwise::capi::Give;
using clockwise::capi::GiveRing;
using clockwise::capi::Guarded;
using clockwise::capi::IsBytes;
using clockwise::capi::IsNull;
using clockwise::capi::Text;
using clockwise::capi::ToBytes;
using clockwise::capi::ToDigest;
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
    return GiveRing(clockwise::ParseMembers(Text(text, size), name), ring);
  });
}

cw_status cw_ring_copy(const cw_ring* ring, uint64_t epoch, cw_ring** copy,
                       cw_error* error) {
  return Guarded(copy, error, [&]() -> Status {
    if (ring == nullptr) return IsNull("ring");
    return Give(View(ring).ring().Copy(epoch), copy);
  });
}

void cw_ring_free(cw_ring* ring) { delete clockwise::capi::Owned(ring); }

uint64_t cw_ring_epoch(const cw_ring* ring) { return View(ring).epoch(); }

void cw_ring_get_options(const cw_ring* ring, cw_ring_options* options,
                         size_t struct_size) {
  const clockwise::Ring& whole = View(ring).ring();
  cw_ring_options filled;
  cw_ring_options_init(&filled, sizeof filled);
  filled.struct_size = struct_size;
  filled.name = ToBytes(whole.name());
  filled.scheme = ToBytes(whole.scheme());
  filled.seed = whole.seed();
  filled.vnodes = whole.vnodes();
  filled.width = whole.width();
  filled.key_hash = static_cast<int32_t>(whole.key_hash());
  filled.layout = static_cast<int32_t>(whole.layout());
  clockwise::capi::FillIn(options, filled, struct_size);
}

uint32_t cw_ring_point_count(const cw_ring* ring) {
  return View(ring).point_count();
}

uint32_t cw_ring_collisions(const cw_ring* ring) {
  return View(ring).collisions();
}

size_t cw_ring_bytes(const cw_ring* ring) { return View(ring).ring().bytes(); }

uint64_t cw_ring_position_at(const cw_ring* ring, size_t i) {
  return View(ring).PositionAt(i);
}

uint32_t cw_ring_owner_at(const cw_ring* ring, size_t i) {
  return View(ring).OwnerAt(i);
}

size_t cw_ring_point_at(const cw_ring* ring, uint64_t hash) {
  return View(ring).PointAt(hash);
}

uint32_t cw_ring_node_count(const cw_ring* ring) {
  return View(ring).ring().node_count();
}

uint32_t cw_ring_slot_count(const cw_ring* ring) {
  return View(ring).slot_count();
}

cw_digest cw_ring_digest(const cw_ring* ring) {
  return ToDigest(View(ring).digest());
}

void cw_ring_digest_hex(const cw_ring* ring, char hex[33]) {
  // Not ToHex, which allocates.
  const clockwise::Hash128 digest = View(ring).digest();
  std::snprintf(hex, 33, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}

cw_status cw_ring_records_digest(const cw_ring* ring, cw_digest* digest,
                                 cw_error* error) {
  return Guarded(error, [&]() -> Status {
    if (ring == nullptr) return IsNull("ring");
    if (digest == nullptr) return IsNull("digest");
    *digest = ToDigest(View(ring).ring().records_digest());
    return {};
  });
}

cw_status cw_ring_node(const cw_ring* ring, uint32_t slot, cw_node* node) {
  if (ring == nullptr || node == nullptr) return CW_INVALID_ARGUMENT;
  const clockwise::NodeView view = View(ring).ring().node(slot);
  if (view.id.empty()) return CW_UNKNOWN_NODE;
  *node = clockwise::capi::ToNode(view);
  return CW_OK;
}

cw_bytes cw_ring_node_id(const cw_ring* ring, uint32_t slot) {
  return ToBytes(View(ring).ring().node(slot).id);
}

uint32_t cw_ring_find(const cw_ring* ring, const char* id, size_t id_size) {
  if (!IsBytes(id, id_size)) return CW_NO_NODE;
  return View(ring).ring().Find(Text(id, id_size));
}

const uint32_t* cw_ring_slots_by_id(const cw_ring* ring) {
  return View(ring).ring().slots_by_id().data();
}
