// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface: rings, what builds them, and rings published under live
// readers (domain, reader, router).
//
// Handles come from the functions below and go back through their _free. Keys,
// ids and labels are a pointer and a length, any bytes; of length 0 the pointer
// may be NULL.
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
// belongs to one thread at a time, a reader to the one that registered it; any
// thread may use domains and routers. What a ring points to (ids, labels) is
// valid as long as the ring is.
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
  CW_INVALID_ARGUMENT = 21,
  CW_SUSPICIOUS_CHANGE = 22,
  CW_BAD_RING_FILE = 23
} cw_status;

// Returns a lower-case name, such as "too_many_points"; "unknown" for a number
// that is no status. It is never freed.
const char* cw_status_name(unsigned status);

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

// Return the names that members files use, such as "fnv1a-fmix" and "line";
// "unknown" for another number. They are never freed.
const char* cw_key_hash_name(unsigned key_hash);
const char* cw_layout_name(int layout);

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

// Makes a ring of the same bytes under another epoch. CW_OUT_OF_MEMORY.
cw_status cw_ring_copy(const cw_ring* ring, uint64_t epoch, cw_ring** copy,
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

// Reads ahead what lookups will read, at most 1 MiB, in order, as RingView's
// Prefetch: for threads that mind their slowest lookups, on a new ring.
void cw_ring_prefetch(const cw_ring* ring);

// Writes the first `count` distinct nodes clockwise from `hash`, the owner
// first. Returns how many it wrote: `count`, or all nodes that have points
// where those are fewer; 0 where `nodes` is NULL.
size_t cw_ring_replicas(const cw_ring* ring, uint64_t hash, size_t count,
                        uint32_t* nodes);
// Calls visit(user, node) for the distinct nodes clockwise from `hash`, the
// owner first, until it returns other than 0 or each node was met. Returns the
// node it stopped at, CW_NO_NODE if at none: the first node that is up, say.
uint32_t cw_ring_walk(const cw_ring* ring, uint64_t hash,
                      int (*visit)(void* user, uint32_t node), void* user);

// ---- What is in a ring ----

// As it was built; of a router's ring as it was published, 0 before the first.
uint64_t cw_ring_epoch(const cw_ring* ring);
// Fills in how it was built, with the layout that it got; name and scheme point
// into the ring. `struct_size` is sizeof *options.
void cw_ring_get_options(const cw_ring* ring, cw_ring_options* options,
                         size_t struct_size);
uint32_t cw_ring_point_count(const cw_ring* ring);
// Points shadowed by one with the same position; they own nothing.
uint32_t cw_ring_collisions(const cw_ring* ring);
// Bytes of memory that it takes, without its copies on other NUMA nodes.
size_t cw_ring_bytes(const cw_ring* ring);
// Position (left-aligned) and owner of a point, in ring order. `i` is below
// cw_ring_point_count.
uint64_t cw_ring_position_at(const cw_ring* ring, size_t i);
uint32_t cw_ring_owner_at(const cw_ring* ring, size_t i);
// Returns the index of the first point at or after `hash`; 0 past the last one
// and in an empty ring.
size_t cw_ring_point_at(const cw_ring* ring, uint64_t hash);
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
// Of all that members say, addresses too. Allocates: CW_OUT_OF_MEMORY.
cw_status cw_ring_records_digest(const cw_ring* ring, cw_digest* digest,
                                 cw_error* error);

// Fills in the node of a slot. CW_UNKNOWN_NODE for a hole and CW_NO_NODE, which
// leave `node` as it is.
cw_status cw_ring_node(const cw_ring* ring, uint32_t slot, cw_node* node);
// Returns the id of a slot's node; empty for a hole and CW_NO_NODE.
cw_bytes cw_ring_node_id(const cw_ring* ring, uint32_t slot);
// Returns the slot of the member with this id, CW_NO_NODE if there is none.
// O(log nodes).
uint32_t cw_ring_find(const cw_ring* ring, const char* id, size_t id_size);
// Returns the slots of all members by ascending id, cw_ring_node_count of them.
const uint32_t* cw_ring_slots_by_id(const cw_ring* ring);

// ---- Domains ----
//
// A domain knows the threads that read and frees rings that were replaced, on a
// thread of its own, once no reader can hold them: after a grace period of
// liburcu. Any number of routers share one. A process needs one as a rule.
//
// A domain ends when the last of its handles, readers and routers is freed,
// which must not be within a callback of it. That call waits for its threads.

typedef struct cw_domain cw_domain;
typedef struct cw_reader cw_reader;
typedef struct cw_router cw_router;

// How threads say that they read.
typedef enum cw_flavour {
  // For threads that own a loop: reading costs nothing, and once per turn the
  // thread calls cw_reader_quiescent, before it blocks cw_reader_offline.
  CW_FLAVOUR_QSBR = 0,
  // For threads that mark sections: a few nanoseconds per pin.
  CW_FLAVOUR_MEMB = 1,
  // The same, with the thread's place kept by liburcu until the thread ends.
  CW_FLAVOUR_BP = 2
} cw_flavour;

// Returns "qsbr", "memb" or "bp"; "unknown" for another number. Never freed.
const char* cw_flavour_name(unsigned flavour);

// A reader that keeps replaced rings from being freed, or has ceased to. Later
// versions add fields at the end.
typedef struct cw_stall {
  cw_bytes reader;   // its name; empty: a thread that has no reader here
  int64_t thread;    // as the kernel numbers threads; 0: no reader here
  uint64_t age_ms;   // how long a grace period waits already
  int32_t is_ended;  // 1: it has ceased to; 0
} cw_stall;

// Later versions add fields at the end: fill it with cw_domain_options_init,
// then change what differs.
typedef struct cw_domain_options {
  size_t struct_size;
  int32_t flavour;          // a cw_flavour; CW_FLAVOUR_MEMB
  int32_t numa_copies;      // a copy of each ring per NUMA node; 0: one copy; 1
  uint64_t stall_after_ms;  // a grace period of this age is a stall: 10 to
                            // 3,600,000; 1,000
  void* user;               // given to the functions below, until the domain
                            // has ended; NULL
  // Called at most 250 ms later, once for each reader that holds up the grace
  // period, and again when it is over; NULL. On a thread of the domain, without
  // locks; it may publish, but not wait for grace periods, throw or longjmp.
  // What it is given is valid during the call.
  void (*on_stall)(void* user, const cw_stall* stall);
  // Called once, if a copy could not be placed on its NUMA node, on the thread
  // that publishes; NULL. As on_stall, but must not publish.
  void (*on_log)(void* user, cw_bytes line);
} cw_domain_options;

// Fills in the defaults. `struct_size` is sizeof *options.
void cw_domain_options_init(cw_domain_options* options, size_t struct_size);

// Makes a domain. `options` NULL: the defaults. Starts two threads.
// CW_INVALID_OPTIONS for one out of its range, CW_INVALID_ARGUMENT as
// cw_builder_create; CW_NO_THREAD; CW_OUT_OF_MEMORY; CW_FORKED in a forked
// child of a process that had a domain.
cw_status cw_domain_create(const cw_domain_options* options, cw_domain** domain,
                           cw_error* error);
// Gives a handle of the domain that the process shares, with the C++ interface
// too: of the defaults, made by the first call. It never ends. Refuses as
// cw_domain_create.
cw_status cw_domain_default(cw_domain** domain, cw_error* error);
// Gives back the handle. NULL is fine.
void cw_domain_free(cw_domain* domain);

// Copies of each ring: one per NUMA node that had memory for this process when
// the domain was made, at least 1.
uint32_t cw_domain_copy_count(const cw_domain* domain);
// Returns 1 if a copy could not be placed, and its node reads another's since;
// otherwise 0.
int cw_domain_is_numa_degraded(const cw_domain* domain);
cw_flavour cw_domain_flavour(const cw_domain* domain);
// Grace periods waited for so far.
uint64_t cw_domain_grace_periods(const cw_domain* domain);

// After fork(), in the child, from its only thread: publishing, registering and
// making routers answer CW_FORKED before and work after. Pins that this thread
// holds, and its readers, stay good throughout; those of other threads are
// gone. CW_NO_THREAD; CW_OUT_OF_MEMORY; it may then be called again. Nothing to
// do in any other process.
cw_status cw_domain_after_fork_child(const cw_domain* domain, cw_error* error);

// ---- Readers ----
//
// A reader is a thread's leave to read, a pin the section in which it does:
//
//   cw_reader_pin(reader);  // one per batch of requests
//   node = cw_router_owner(router, reader, key, size, NULL);
//   cw_reader_unpin(reader);
//   cw_reader_quiescent(reader);  // QSBR: once per turn of the loop
//
// A reader belongs to the thread that made it. Pins, cw_reader_quiescent and
// cw_reader_offline take no lock, make no system call unless a grace period
// sleeps, allocate nothing and write nothing that another thread reads.

// Lets the calling thread read; `name`, which ends with NUL, is what a stall is
// reported by; NULL: "". A thread may have several readers, of several domains.
// The first one in a flavour registers the thread with liburcu, unless the
// program has done so itself; that one must then not unregister it while there
// is a reader. CW_FORKED in a forked child; CW_OUT_OF_MEMORY.
cw_status cw_reader_create(const cw_domain* domain, const char* name,
                           cw_reader** reader, cw_error* error);
// Ends the pins that it holds, and gives back the handle. NULL is fine. On
// another thread only if that of the reader has ended, or holds no pin.
void cw_reader_free(cw_reader* reader);

// Begins a section: what the thread reads from routers of the domain stays
// until the matching cw_reader_unpin. Nests; only the outermost pair costs.
void cw_reader_pin(cw_reader* reader);
// Ends what the latest cw_reader_pin began. CW_INVALID_ARGUMENT, and nothing
// done, if the reader holds no pin.
cw_status cw_reader_unpin(cw_reader* reader);

// QSBR: what this thread read before is not needed any more. Once per batch or
// turn of the loop: grace periods wait for it. A few instructions. Does nothing
// while the thread holds a pin, and in other flavours.
void cw_reader_quiescent(cw_reader* reader);
// QSBR: as cw_reader_quiescent, and grace periods do not wait for this thread
// until it pins again. Before it blocks. Does nothing while it holds a pin.
void cw_reader_offline(cw_reader* reader);

// From the next outermost pin on, reads the copy on the NUMA node of the CPU
// that this thread runs on, as when it registered. Copy 0 where that has none.
void cw_reader_rebind(cw_reader* reader);
// The same for a NUMA node, as the kernel numbers them; CW_INVALID_OPTIONS if
// the domain has no copy there.
cw_status cw_reader_rebind_to_node(cw_reader* reader, unsigned os_index,
                                   cw_error* error);
// Returns the number of that copy, below cw_domain_copy_count.
uint32_t cw_reader_copy(const cw_reader* reader);

// ---- Routers ----
//
// Where the rings of one membership are published. Any thread may publish and
// ask for stats, at once with readers; the program keeps cw_router_free apart
// from all else on that router. router.h has the table, and why no reader sees
// a ring half built, freed, or older than one it saw.

// Later versions add fields at the end: fill it with cw_router_options_init,
// then change what differs.
typedef struct cw_router_options {
  size_t struct_size;
  // Rings in memory at once, per copy: the one that serves, those replaced that
  // a reader may still hold, and one that waits: 3 to 1,024; 8. 2: nothing can
  // wait, and only cw_router_publish_and_wait publishes.
  uint32_t max_live;
} cw_router_options;

// Fills in the defaults. `struct_size` is sizeof *options.
void cw_router_options_init(cw_router_options* options, size_t struct_size);

// Makes a router without a ring. `options` NULL: the defaults.
// CW_INVALID_OPTIONS where max_live is out of its range, CW_INVALID_ARGUMENT as
// cw_builder_create; CW_FORKED; CW_OUT_OF_MEMORY.
cw_status cw_router_create(const cw_domain* domain,
                           const cw_router_options* options, cw_router** router,
                           cw_error* error);
// NULL is fine. Does not wait: what was read stays good until its pin ends.
void cw_router_free(cw_router* router);

// Gives a further handle of the router's domain.
cw_status cw_router_domain(const cw_router* router, cw_domain** domain,
                           cw_error* error);

// Returns the ring that serves now, good until the reader's outermost pin ends
// and not to be freed: all functions above that take a `const cw_ring*` work on
// it, on the copy of the reader's NUMA node. A builder made from it is freed
// before. NULL if the reader holds no pin or is of another domain, and where a
// handle is NULL. A few loads; wait-free. In a signal handler only on a pin
// that the thread held already.
const cw_ring* cw_router_current(const cw_router* router,
                                 const cw_reader* reader);

// Each looks up in cw_router_current, and answers as the cw_ring_ function of
// its name does; `epoch`, unless NULL, gets the epoch of the ring that
// answered, 0 before the first. Where cw_router_current is NULL the epoch is 0
// and the answer CW_NO_NODE; of a batch CW_INVALID_ARGUMENT, and no owner is
// written.
uint32_t cw_router_owner(const cw_router* router, const cw_reader* reader,
                         const void* key, size_t size, uint64_t* epoch);
uint32_t cw_router_owner_of_hash(const cw_router* router,
                                 const cw_reader* reader, uint64_t hash,
                                 uint64_t* epoch);
cw_status cw_router_owners(const cw_router* router, const cw_reader* reader,
                           const void* const* keys, const size_t* sizes,
                           size_t count, uint32_t* owners, uint64_t* epoch);
cw_status cw_router_owners_fixed(const cw_router* router,
                                 const cw_reader* reader, const void* keys,
                                 size_t size, size_t stride, size_t count,
                                 uint32_t* owners, uint64_t* epoch);
cw_status cw_router_owners_of_hashes(const cw_router* router,
                                     const cw_reader* reader,
                                     const uint64_t* hashes, size_t count,
                                     uint32_t* owners, uint64_t* epoch);

// ---- Publishing ----

typedef enum cw_outcome {
  CW_OUTCOME_UNCHANGED = 0,  // the newest ring has this epoch and digest
  CW_OUTCOME_HELD_BACK = 1,  // waits until readers let go of an older ring
  CW_OUTCOME_SERVING = 2,    // every cw_router_current from now on returns it
  CW_OUTCOME_SETTLED = 3     // and no reader holds an older one any more
} cw_outcome;

// Later versions add fields at the end: fill it with cw_publish_options_init,
// then change what differs.
typedef struct cw_publish_options {
  size_t struct_size;
  // Other than 0: publish although the ring places keys by another recipe; 0.
  int32_t accept_remap;
} cw_publish_options;

// Fills in the defaults. `struct_size` is sizeof *options.
void cw_publish_options_init(cw_publish_options* options, size_t struct_size);

// Publishes `*ring`. On CW_OK, whatever the outcome, the ring is taken and
// `*ring` NULL; it must not be in use, nor a builder made from it. On all else
// the ring stays with the caller, as it was, and the old one serves on. A ring
// of epoch 0 gets the epoch after the newest. `options` NULL: the defaults.
// `epoch` and `outcome` may be NULL; they are written on CW_OK only.
//
// Never waits for readers. Below max_live the ring serves at once; at it the
// newest waits, in place of one that waited: CW_OUTCOME_HELD_BACK. Costs a copy
// of the ring for each NUMA node.
//
// CW_WOULD_DEADLOCK on a thread that holds a pin; CW_STALE_EPOCH;
// CW_EPOCH_CONFLICT for the newest ring's epoch with another digest;
// CW_EPOCH_EXHAUSTED; CW_REMAP_REFUSED where name, scheme, width, seed, key
// hash or vnodes differ from the newest ring's, with the share of keys that
// would move; CW_OUT_OF_MEMORY; CW_FORKED; CW_INVALID_OPTIONS where max_live is
// 2; CW_INVALID_ARGUMENT as cw_builder_create.
cw_status cw_router_publish(cw_router* router, cw_ring** ring,
                            const cw_publish_options* options, uint64_t* epoch,
                            cw_outcome* outcome, cw_error* error);
// The same, then waits until no reader holds an older ring, at most `wait_ms`:
// CW_OUTCOME_SERVING or CW_OUTCOME_HELD_BACK tell how far it came. With
// max_live 2 it waits first for older rings to be let go of: CW_GRACE_TIMEOUT,
// the ring not taken, if that is in vain. A QSBR thread is offline meanwhile.
cw_status cw_router_publish_and_wait(cw_router* router, cw_ring** ring,
                                     const cw_publish_options* options,
                                     uint64_t wait_ms, uint64_t* epoch,
                                     cw_outcome* outcome, cw_error* error);

// Later versions add fields at the end.
typedef struct cw_router_stats {
  uint64_t serving_epoch;  // of the ring that serves; 0: nothing yet
  uint64_t newest_epoch;   // higher where a ring waits
  uint64_t published;      // rings that came to serve
  uint64_t replaced;       // rings that waited until a newer one came
  uint32_t live;           // rings in memory, as max_live counts them
} cw_router_stats;

// Fills them in. `struct_size` is sizeof *stats. Takes a lock. All 0 in a
// forked child before cw_domain_after_fork_child; CW_OUT_OF_MEMORY there only.
cw_status cw_router_get_stats(const cw_router* router, cw_router_stats* stats,
                              size_t struct_size, cw_error* error);

// ---- NUMA nodes ----

// Calls `visit` for each NUMA node that has memory and that this process may
// use, by os_index; for none where the system does not tell, or the library was
// built without NUMA support. Nodes and CPUs are as the kernel numbers them;
// `cpus` may be none, and is valid during the call. Takes milliseconds.
cw_status cw_numa_nodes(void (*visit)(void* user, unsigned os_index,
                                      const unsigned* cpus, size_t cpu_count),
                        void* user, cw_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop
