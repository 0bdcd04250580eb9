// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/lookups.h"
#include "clockwise/any_placement.h"
#include "clockwise/clockwise_placement_c.h"
#include "clockwise/scheme.h"

struct cw_placement {
  clockwise::AnyPlacement placement;
};

namespace clockwise::capi {
namespace {

Status GivePlacement(const Result<Members>& members, cw_placement** placement) {
  if (!members.ok()) return members.status();
  return Give(BuildPlacement(members.value()), placement);
}

}  // namespace
}  // namespace clockwise::capi

using clockwise::Status;
using clockwise::capi::GivePlacement;
using clockwise::capi::Guarded;
using clockwise::capi::IsBytes;
using clockwise::capi::IsNull;
using clockwise::capi::Text;

cw_status cw_placement_load_members(const char* path, cw_placement** placement,
                                    cw_error* error) {
  return Guarded(placement, error, [&]() -> Status {
    if (path == nullptr) return IsNull("path");
    return GivePlacement(clockwise::LoadMembers(path), placement);
  });
}

cw_status cw_placement_parse_members(const char* text, size_t size,
                                     const char* source,
                                     cw_placement** placement,
                                     cw_error* error) {
  return Guarded(placement, error, [&]() -> Status {
    if (!IsBytes(text, size)) return IsNull("text");
    const char* name = source != nullptr ? source : "members";
    return GivePlacement(clockwise::ParseMembers(Text(text, size), name),
                         placement);
  });
}

void cw_placement_free(cw_placement* placement) { delete placement; }

uint32_t cw_placement_owner(const cw_placement* placement, const void* key,
                            size_t size) {
  if (!IsBytes(key, size)) return CW_NO_NODE;
  return placement->placement.Owner(Text(key, size));
}

uint64_t cw_placement_hash(const cw_placement* placement, const void* key,
                           size_t size) {
  if (!IsBytes(key, size)) return 0;
  return placement->placement.HashOf(Text(key, size));
}

uint32_t cw_placement_owner_of_hash(const cw_placement* placement,
                                    uint64_t hash) {
  return placement->placement.Owner(hash);
}

cw_status cw_placement_owners(const cw_placement* placement,
                              const void* const* keys, const size_t* sizes,
                              size_t count, uint32_t* owners) {
  if (placement == nullptr) return CW_INVALID_ARGUMENT;
  return clockwise::capi::OwnersOfKeys(placement->placement, keys, sizes, count,
                                       owners);
}

cw_status cw_placement_owners_fixed(const cw_placement* placement,
                                    const void* keys, size_t size,
                                    size_t stride, size_t count,
                                    uint32_t* owners) {
  if (placement == nullptr) return CW_INVALID_ARGUMENT;
  return clockwise::capi::OwnersOfFixed(placement->placement, keys, size,
                                        stride, count, owners);
}

size_t cw_placement_replicas(const cw_placement* placement, uint64_t hash,
                             size_t count, uint32_t* nodes) {
  if (nodes == nullptr) return 0;
  return placement->placement.Replicas(hash, count, nodes);
}

int cw_placement_has_replicas(const cw_placement* placement) {
  return placement->placement.has_replicas() ? 1 : 0;
}

cw_bytes cw_placement_scheme(const cw_placement* placement) {
  return clockwise::capi::ToBytes(placement->placement.scheme());
}

uint32_t cw_placement_node_count(const cw_placement* placement) {
  return placement->placement.node_count();
}

uint32_t cw_placement_slot_count(const cw_placement* placement) {
  return placement->placement.slot_count();
}

cw_status cw_placement_node(const cw_placement* placement, uint32_t slot,
                            cw_node* node) {
  if (placement == nullptr || node == nullptr) return CW_INVALID_ARGUMENT;
  const clockwise::NodeView view = placement->placement.node(slot);
  if (view.id.empty()) return CW_UNKNOWN_NODE;
  *node = clockwise::capi::ToNode(view);
  return CW_OK;
}

uint32_t cw_placement_find(const cw_placement* placement, const char* id,
                           size_t id_size) {
  if (!IsBytes(id, id_size)) return CW_NO_NODE;
  return placement->placement.Find(Text(id, id_size));
}

cw_digest cw_placement_digest(const cw_placement* placement) {
  return clockwise::capi::ToDigest(placement->placement.digest());
}
