// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface to placements of whatever scheme, rings and others: what a
// program needs that lets its users name one. Statuses, errors, handles and
// threads are as clockwise_c.h says; a placement never changes, as a ring.
#pragma once

#include "clockwise/clockwise_c.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct cw_placement cw_placement;

// Builds what a members file describes, by its scheme ("ring": {"scheme":
// "maglev"}): see cw_ring_load_members, which builds rings only.
cw_status cw_placement_load_members(const char* path, cw_placement** placement,
                                    cw_error* error);
// The same of a text in memory, as cw_ring_parse_members.
cw_status cw_placement_parse_members(const char* text, size_t size,
                                     const char* source,
                                     cw_placement** placement, cw_error* error);

// NULL is fine.
void cw_placement_free(cw_placement* placement);

// Returns the node that owns a key, CW_NO_NODE if there is none, and for a NULL
// key of a length above 0. Nodes are numbered below cw_placement_slot_count,
// for this placement only.
uint32_t cw_placement_owner(const cw_placement* placement, const void* key,
                            size_t size);
// The hash of a key, left-aligned (a hash h of 32 bits is h * 2^32), and the
// owner of a hash. CW_NO_NODE always where the scheme needs the key itself:
// `mcrouter-wch3`.
uint64_t cw_placement_hash(const cw_placement* placement, const void* key,
                           size_t size);
uint32_t cw_placement_owner_of_hash(const cw_placement* placement,
                                    uint64_t hash);

// Batches, as cw_ring_owners and cw_ring_owners_fixed.
cw_status cw_placement_owners(const cw_placement* placement,
                              const void* const* keys, const size_t* sizes,
                              size_t count, uint32_t* owners);
cw_status cw_placement_owners_fixed(const cw_placement* placement,
                                    const void* keys, size_t size,
                                    size_t stride, size_t count,
                                    uint32_t* owners);

// Writes the first `count` distinct nodes for a hash, the owner first, and
// returns how many it wrote; at most the owner where the scheme has no more
// (cw_placement_has_replicas is 0), and 0 where `nodes` is NULL.
size_t cw_placement_replicas(const cw_placement* placement, uint64_t hash,
                             size_t count, uint32_t* nodes);
int cw_placement_has_replicas(const cw_placement* placement);

// The scheme's id.
cw_bytes cw_placement_scheme(const cw_placement* placement);
uint32_t cw_placement_node_count(const cw_placement* placement);
uint32_t cw_placement_slot_count(const cw_placement* placement);
// The node with this number, CW_UNKNOWN_NODE if there is none; the number of
// the node with this id, CW_NO_NODE if there is none.
cw_status cw_placement_node(const cw_placement* placement, uint32_t slot,
                            cw_node* node);
uint32_t cw_placement_find(const cw_placement* placement, const char* id,
                           size_t id_size);
// Hosts with equal digests agree on every owner.
cw_digest cw_placement_digest(const cw_placement* placement);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop
