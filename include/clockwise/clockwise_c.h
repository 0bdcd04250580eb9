// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface: rings, and what builds them.
//
// Handles (cw_ring, cw_builder) come from the functions below and go back
// through their _free. Keys, ids and labels are a pointer and a length, any
// bytes; of length 0 the pointer may be NULL.
//
// Functions that may fail return a cw_status and, unless `error` is NULL, fill
// it in, on success too. A NULL handle or output, and a NULL pointer with a
// length above 0, is CW_INVALID_ARGUMENT; a handle to be made is then NULL, as
// after every failure. Functions without a status need a live handle, and those
// that take an array need one of `count` elements. No exception leaves any: a
// heap without memory is CW_OUT_OF_MEMORY. Do not cancel a thread within one.
//
// Threads: a ring never changes, so any number of threads may look up in it,
// read it and build from it at once; it is freed when none does. A builder
// belongs to one thread at a time. What a ring points to (ids, labels) is valid
// until the ring is freed.
#pragma once

#include <stddef.h>
#include <stdint.h>

// All that the library exports is declared here or in the C++ headers.
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

// ---- Status ----

// What went wrong. Values are stable: they may be logged and compared. They are
// those of clockwise::Code, where each is explained.
typedef enum cw_status {
  CW_OK = 0,
  CW_INVALID_OPTIONS = 1,
  CW_BAD_NODE_ID = 2,
  CW_BAD_NODE = 3,
  CW_BAD_WEIGHT = 4,
  CW_DUPLICATE_NODE = 5,
  CW_UNKNOWN_NODE = 6,
  CW_BAD_POSITION = 7,
  CW_TOO_MANY_NODES = 8,
  CW_TOO_MANY_POINTS = 9,
  CW_OUT_OF_MEMORY = 10,
  CW_FORKED = 11,
  CW_WOULD_DEADLOCK = 12,
  CW_STALE_EPOCH = 13,
  CW_EPOCH_CONFLICT = 14,
  CW_EPOCH_EXHAUSTED = 15,
  CW_REMAP_REFUSED = 16,
  CW_GRACE_TIMEOUT = 17,
  CW_NO_THREAD = 18,
  CW_BAD_MEMBERS = 19,
  CW_IO = 20,
  CW_INVALID_ARGUMENT = 21
} cw_status;

// Returns a lower-case name, such as "too_many_points"; "unknown" for a number
// that is no status. It is never freed.
const char* cw_status_name(cw_status status);

// A status with a message for a person: it names the item and the limit, and
// may quote any bytes of the input but NUL, which it shows as '?'. Empty on
// success. A longer message is cut between characters and ends in "...".
typedef struct cw_error {
  cw_status status;
  char message[512];
} cw_error;

// ---- What goes in ----

typedef struct cw_bytes {
  const char* data;  // not terminated by NUL
  size_t size;
} cw_bytes;

// Returns the bytes of a text that ends with NUL, without it.
cw_bytes cw_text(const char* text);

typedef enum cw_key_hash {
  CW_KEY_HASH_XXH3 = 0,
  CW_KEY_HASH_FNV1A_FMIX = 1,
  CW_KEY_HASH_MURMUR3_32 = 2  // width 32 only
} cw_key_hash;

typedef enum cw_layout {
  CW_LAYOUT_AUTO = -1,  // the builder picks
  CW_LAYOUT_SORTED = 0,
  CW_LAYOUT_EYTZINGER = 1,
  CW_LAYOUT_SPLUS = 2,
  CW_LAYOUT_LINE = 3
} cw_layout;

// How a ring is built. Two rings agree on every key if these (but `layout` and
// `max_points`) and their nodes agree. Later versions add fields at the end:
// fill it with cw_ring_options_init, then change what differs.
typedef struct cw_ring_options {
  size_t struct_size;
  cw_bytes name;        // at most 255 bytes; none
  cw_bytes scheme;      // 1 to 255 bytes; clockwise-1. Any other: the points
                        // are given with each node
  uint64_t seed;        // one per cluster keeps them apart; 0
  uint64_t max_points;  // at most 2^27; 2^24
  uint32_t vnodes;      // points of weight 1: 1 to 65,536; 512
  uint32_t width;       // 64 or 32; 64
  int32_t key_hash;     // a cw_key_hash; CW_KEY_HASH_XXH3
  int32_t layout;       // a cw_layout; CW_LAYOUT_AUTO
} cw_ring_options;

// Fills in the defaults. `struct_size` is sizeof *options.
void cw_ring_options_init(cw_ring_options* options, size_t struct_size);

// One node. Placement reads `id` and `thousandths` only; labels are for
// choosing replicas apart from one another; the address is never read.
typedef struct cw_node {
  cw_bytes id;      // 1 to 255 bytes; the identity
  cw_bytes region;  // labels: at most 255 bytes each;
  cw_bytes zone;    // an empty label is a label like another
  cw_bytes rack;
  cw_bytes address;      // at most 1,023 bytes
  uint64_t thousandths;  // weight: 1500 is 1.5, at most 10^9; 0 drains
  uint32_t points;       // of a node of a ring; not read by builders
} cw_node;

// Makes it weight 1 and all else empty.
void cw_node_init(cw_node* node);

// ---- Builders ----

typedef struct cw_ring cw_ring;
typedef struct cw_builder cw_builder;

// Makes a builder without nodes. `options` NULL: the defaults.
// CW_INVALID_OPTIONS for one out of its range, CW_INVALID_ARGUMENT for a
// `struct_size` that cw_ring_options_init did not set, or a field set that this
// version of the library does not know.
cw_status cw_builder_create(const cw_ring_options* options,
                            cw_builder** builder, cw_error* error);

// Makes a builder of what `ring`, which must outlive it, becomes when changed.
// Survivors keep their slots; a removed node leaves a hole, which the next new
// node fills. A small change costs about a copy of the ring.
cw_status cw_builder_from_ring(const cw_ring* ring, cw_builder** builder,
                               cw_error* error);

// NULL is fine.
void cw_builder_free(cw_builder* builder);

// Each copies what it is given; a call that fails changes nothing.
//
// Adds a node. A record equal to the present one changes nothing; a different
// one under a present id is CW_DUPLICATE_NODE. CW_BAD_NODE_ID, CW_BAD_NODE and
// CW_BAD_WEIGHT as the limits of cw_node say; CW_INVALID_OPTIONS if the scheme
// needs the points with it.
cw_status cw_builder_add(cw_builder* builder, const cw_node* node,
                         cw_error* error);
// Adds a node with its points: `count` positions, left-aligned (a 32-bit one is
// passed as its value * 2^32), in any order. Only for schemes other than
// clockwise-1, else CW_INVALID_OPTIONS. A present id is CW_DUPLICATE_NODE; low
// bits on a 32-bit ring are CW_BAD_POSITION; points of a node of weight 0 are
// CW_BAD_WEIGHT.
cw_status cw_builder_add_points(cw_builder* builder, const cw_node* node,
                                const uint64_t* positions, size_t count,
                                cw_error* error);
// Replaces the record of a present node; else CW_UNKNOWN_NODE. Points that were
// given stay, and weight 0 is CW_BAD_WEIGHT if there are any.
cw_status cw_builder_update(cw_builder* builder, const cw_node* node,
                            cw_error* error);
// Replaces a present node's weight, in thousandths; else as the update.
cw_status cw_builder_set_weight(cw_builder* builder, const char* id,
                                size_t id_size, uint64_t thousandths,
                                cw_error* error);
// Removes a present node; else CW_UNKNOWN_NODE.
cw_status cw_builder_remove(cw_builder* builder, const char* id, size_t id_size,
                            cw_error* error);

// Builds the ring; the builder stays as it is. `epoch` is the caller's number
// of the ring, rising; 0: none. CW_TOO_MANY_NODES above 2^20,
// CW_TOO_MANY_POINTS above `max_points`. A ring without points is a ring: it
// answers CW_NO_NODE.
cw_status cw_builder_build(const cw_builder* builder, uint64_t epoch,
                           cw_ring** ring, cw_error* error);

// ---- Rings ----

// Builds the ring that a members file describes (JSON, schema 1; see
// members.h): a regular file of at most 256 MiB, read once; `path` ends with
// NUL. CW_IO if it cannot be read; CW_BAD_MEMBERS, with line, column and field,
// if what it holds is refused; as cw_builder_build otherwise.
cw_status cw_ring_load_members(const char* path, cw_ring** ring,
                               cw_error* error);
// The same of a text in memory. `source`, which ends with NUL, names it in
// messages; NULL: "members".
cw_status cw_ring_parse_members(const char* text, size_t size,
                                const char* source, cw_ring** ring,
                                cw_error* error);

// NULL is fine.
void cw_ring_free(cw_ring* ring);

// ---- Lookups ----
//
// A node is told by its slot in this ring, dense from 0: good for counters and
// connection pools, and meaningless in another process. Lookups never allocate
// nor lock, and nothing but a NULL argument makes one fail.

// The answer of a ring without points. No slot has this number.
#define CW_NO_NODE UINT32_C(0xFFFFFFFF)

// Returns the node that owns a key; CW_NO_NODE too for a NULL key of a length
// above 0. About one cache miss, hash included.
uint32_t cw_ring_owner(const cw_ring* ring, const void* key, size_t size);
// The same of a hash: the first point at or after it, going clockwise. Hashes
// have 64 bits, left-aligned: a hash h of 32 bits is passed as h * 2^32.
uint32_t cw_ring_owner_of_hash(const cw_ring* ring, uint64_t hash);
// Returns the hash of a key, left-aligned, as the ring hashes keys; 0 for a
// NULL key of a length above 0.
uint64_t cw_ring_hash(const cw_ring* ring, const void* key, size_t size);

// Batches: owners[i] is the owner of key i. Several times faster than one call
// a key from 64 keys at a time on. `owners` does not overlap the input.
//
// A NULL key of a length above 0 has the owner CW_NO_NODE and makes the answer
// CW_INVALID_ARGUMENT; the other keys are looked up all the same.
cw_status cw_ring_owners(const cw_ring* ring, const void* const* keys,
                         const size_t* sizes, size_t count, uint32_t* owners);
// Keys of one size, such as flow tuples: the first at `keys`, each `stride`
// bytes after the one before, `stride` at least `size`. Hashed in SIMD lanes.
cw_status cw_ring_owners_fixed(const cw_ring* ring, const void* keys,
                               size_t size, size_t stride, size_t count,
                               uint32_t* owners);
// Hashes, left-aligned, and hashes of 32 bits as they are.
cw_status cw_ring_owners_of_hashes(const cw_ring* ring, const uint64_t* hashes,
                                   size_t count, uint32_t* owners);
cw_status cw_ring_owners_of_hashes32(const cw_ring* ring,
                                     const uint32_t* hashes, size_t count,
                                     uint32_t* owners);

// Writes the first `count` distinct nodes clockwise from `hash`, the owner
// first. Returns how many it wrote: `count`, or all nodes that have points
// where those are fewer; 0 where `nodes` is NULL.
size_t cw_ring_replicas(const cw_ring* ring, uint64_t hash, size_t count,
                        uint32_t* nodes);

// ---- What is in a ring ----

uint64_t cw_ring_epoch(const cw_ring* ring);
uint32_t cw_ring_point_count(const cw_ring* ring);
// Members, those of weight 0 included.
uint32_t cw_ring_node_count(const cw_ring* ring);
// Slots are numbered below this; some may be holes (cw_builder_from_ring).
uint32_t cw_ring_slot_count(const cw_ring* ring);

// Of all that placement depends on: hosts whose digests agree agree on every
// owner. Not of addresses, epoch, layout or the order of nodes.
typedef struct cw_digest {
  uint64_t high;
  uint64_t low;
} cw_digest;
cw_digest cw_ring_digest(const cw_ring* ring);
// The same as 32 lower-case hex digits and NUL.
void cw_ring_digest_hex(const cw_ring* ring, char hex[33]);

// Fills in the node of a slot. CW_UNKNOWN_NODE for a hole and CW_NO_NODE, which
// leave `node` as it is.
cw_status cw_ring_node(const cw_ring* ring, uint32_t slot, cw_node* node);
// Returns the id of a slot's node; empty for a hole and CW_NO_NODE.
cw_bytes cw_ring_node_id(const cw_ring* ring, uint32_t slot);
// Returns the slot of the member with this id, CW_NO_NODE if there is none.
// O(log nodes).
uint32_t cw_ring_find(const cw_ring* ring, const char* id, size_t id_size);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop
