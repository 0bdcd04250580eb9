// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface, from C: readers see what is published.
#include "capi_router_maker.h"
#include "failing_new.h"

enum { kKeys = 300 };

// Looks up with each function of the router, and compares with `ring`. Nothing
// of it allocates.
static void check_answers(const cw_router* router, cw_reader* reader,
                          const cw_ring* ring, uint64_t expected) {
  static char tuples[kKeys][8];
  const void* keys[kKeys];
  size_t sizes[kKeys];
  uint64_t hashes[kKeys];
  uint32_t owners[kKeys], fixed[kKeys], of_hashes[kKeys];
  uint64_t epochs[5] = {99, 99, 99, 99, 99};
  for (size_t i = 0; i < kKeys; ++i) {
    snprintf(tuples[i], sizeof tuples[i], "key%03d", (int)i);
    keys[i] = tuples[i];
    sizes[i] = 6;
    hashes[i] = cw_ring_hash(ring, tuples[i], 6);
  }
  fail_allocations_after(0);
  cw_reader_pin(reader);
  const cw_status statuses[] = {
      cw_router_owners(router, reader, keys, sizes, kKeys, owners, &epochs[0]),
      cw_router_owners_fixed(router, reader, tuples, 6, 8, kKeys, fixed,
                             &epochs[1]),
      cw_router_owners_of_hashes(router, reader, hashes, kKeys, of_hashes,
                                 &epochs[2])};
  for (size_t i = 0; i < kKeys; ++i) {
    const uint32_t owner = cw_ring_owner(ring, tuples[i], 6);
    CHECK(owners[i] == owner && fixed[i] == owner && of_hashes[i] == owner);
    CHECK(cw_router_owner(router, reader, tuples[i], 6, &epochs[3]) == owner);
    CHECK(cw_router_owner_of_hash(router, reader, hashes[i], &epochs[4]) ==
          owner);
    CHECK(cw_router_owner(router, reader, tuples[i], 6, NULL) == owner);
  }
  CHECK(cw_reader_unpin(reader) == CW_OK);
  cw_reader_quiescent(reader);
  cw_reader_offline(reader);
  CHECK(stop_failing() == 0);
  for (size_t i = 0; i < COUNT(statuses); ++i) CHECK(statuses[i] == CW_OK);
  for (size_t i = 0; i < COUNT(epochs); ++i) CHECK(epochs[i] == expected);
}

static void test_readers_see_what_is_published(int32_t flavour) {
  cw_domain* domain = make_domain(flavour);
  cw_router* router = make_router(domain, 8);
  cw_reader* reader = make_reader(domain);
  uint64_t epoch = 99;
  cw_reader_pin(reader);
  CHECK(cw_router_owner(router, reader, "k", 1, &epoch) == CW_NO_NODE);
  CHECK(epoch == 0);
  CHECK(cw_ring_epoch(cw_router_current(router, reader)) == 0);
  CHECK(cw_ring_node_count(cw_router_current(router, reader)) == 0);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  cw_reader_offline(reader);

  for (uint64_t next = 5; next < 8; ++next) {
    cw_ring* ring = make_ring(next, 0);
    cw_ring* same = NULL;
    CHECK(cw_ring_copy(ring, 0, &same, NULL) == CW_OK);
    cw_outcome outcome = CW_OUTCOME_UNCHANGED;
    CHECK(cw_router_publish(router, &ring, NULL, &epoch, &outcome, NULL) ==
          CW_OK);
    CHECK(ring == NULL && epoch == next && outcome == CW_OUTCOME_SERVING);
    check_answers(router, reader, same, next);
    cw_ring_free(same);
  }
  cw_router_free(router);
  cw_reader_free(reader);
  cw_domain_free(domain);
}

static void test_a_routers_ring_is_a_ring(int32_t flavour) {
  cw_domain* domain = make_domain(flavour);
  cw_router* router = make_router(domain, 8);
  cw_reader* reader = make_reader(domain);
  CHECK(publish(router, 3, 0) == CW_OUTCOME_SERVING);
  cw_reader_pin(reader);
  const cw_ring* ring = cw_router_current(router, reader);
  CHECK(cw_ring_epoch(ring) == 3 && cw_ring_node_count(ring) == 4);
  const uint32_t owner = cw_ring_owner(ring, "k", 1);
  const cw_bytes id = cw_ring_node_id(ring, owner);
  CHECK(cw_ring_find(ring, id.data, id.size) == owner);
  // A change of it is built under the pin, and published after.
  cw_builder* builder = NULL;
  CHECK(cw_builder_from_ring(ring, &builder, NULL) == CW_OK);
  CHECK(cw_builder_remove(builder, "a", 1, NULL) == CW_OK);
  cw_ring* next = NULL;
  CHECK(cw_builder_build(builder, 4, &next, NULL) == CW_OK);
  cw_builder_free(builder);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  CHECK(cw_router_publish(router, &next, NULL, NULL, NULL, NULL) == CW_OK);
  cw_reader_pin(reader);
  ring = cw_router_current(router, reader);
  CHECK(cw_ring_find(ring, "a", 1) == CW_NO_NODE);
  CHECK(cw_ring_node_count(ring) == 3);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  cw_reader_free(reader);
  cw_router_free(router);
  cw_domain_free(domain);
}

static void test_pins_nest(int32_t flavour) {
  cw_domain* domain = make_domain(flavour);
  cw_router* router = make_router(domain, 8);
  cw_reader* reader = make_reader(domain);
  CHECK(publish(router, 1, 0) == CW_OUTCOME_SERVING);
  cw_reader_pin(reader);
  const cw_ring* held = cw_router_current(router, reader);
  cw_reader_pin(reader);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  cw_reader_quiescent(reader);  // has no effect under a pin
  cw_reader_offline(reader);
  CHECK(publish_elsewhere(router, 2, 30) == CW_OUTCOME_SERVING);
  CHECK(cw_ring_epoch(held) == 1);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  cw_reader_offline(reader);
  CHECK(publish_elsewhere(router, 3, kLong) == CW_OUTCOME_SETTLED);
  cw_reader_free(reader);
  cw_router_free(router);
  cw_domain_free(domain);
}

static void test_nothing_is_read_without_a_pin(int32_t flavour) {
  cw_domain* domain = make_domain(flavour);
  cw_domain* other = make_domain(flavour);
  cw_router* router = make_router(domain, 8);
  cw_reader* reader = make_reader(domain);
  cw_reader* stranger = make_reader(other);
  CHECK(publish(router, 1, 0) == CW_OUTCOME_SERVING);
  CHECK(cw_reader_unpin(reader) == CW_INVALID_ARGUMENT);
  cw_reader_pin(stranger);
  cw_reader_pin(reader);
  cw_reader_pin(reader);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  CHECK(cw_router_current(router, reader) != NULL);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  CHECK(cw_reader_unpin(reader) == CW_INVALID_ARGUMENT);
  CHECK(cw_reader_unpin(NULL) == CW_INVALID_ARGUMENT);
  CHECK(cw_router_current(NULL, reader) == NULL);
  const cw_reader* without[] = {reader, stranger, NULL};
  for (size_t i = 0; i < COUNT(without); ++i) {
    const void* key = "k";
    const size_t size = 1;
    const uint64_t hash = 1;
    uint32_t owner = 42;
    uint64_t epoch = 99;
    const cw_reader* r = without[i];
    CHECK(cw_router_current(router, r) == NULL);
    CHECK(cw_router_owner(router, r, "k", 1, &epoch) == CW_NO_NODE);
    CHECK(epoch == 0);
    CHECK(cw_router_owner_of_hash(router, r, 1, NULL) == CW_NO_NODE);
    CHECK(cw_router_owners(router, r, &key, &size, 1, &owner, NULL) ==
          CW_INVALID_ARGUMENT);
    CHECK(cw_router_owners_fixed(router, r, key, 1, 1, 1, &owner, NULL) ==
          CW_INVALID_ARGUMENT);
    CHECK(cw_router_owners_of_hashes(router, r, &hash, 1, &owner, NULL) ==
          CW_INVALID_ARGUMENT);
    CHECK(owner == 42);
  }
  cw_reader_free(stranger);  // with its pin
  cw_reader_free(reader);
  CHECK(publish(router, 2, kLong) == CW_OUTCOME_SETTLED);
  cw_router_free(router);
  cw_domain_free(domain);
  cw_domain_free(other);
}

static void* forget_a_pin(void* user) {
  cw_reader** reader = user;
  cw_reader_pin(*reader = make_reader((const cw_domain*)*reader));
  return NULL;
}

static void test_readers_are_freed_after_their_threads(int32_t flavour) {
  cw_domain* domain = make_domain(flavour);
  cw_router* router = make_router(domain, 8);
  CHECK(publish(router, 1, 0) == CW_OUTCOME_SERVING);
  cw_reader* reader = (cw_reader*)domain;
  on_a_thread(forget_a_pin, &reader);
  cw_reader_free(reader);
  // On a thread without a reader.
  CHECK(publish_elsewhere(router, 2, kLong) == CW_OUTCOME_SETTLED);
  cw_router_free(router);
  cw_domain_free(domain);
}

static void test_domains_are_shared_by_their_handles(void) {
  cw_domain *first = NULL, *second = NULL, *of_router = NULL;
  CHECK(cw_domain_default(&first, NULL) == CW_OK);
  CHECK(cw_domain_default(&second, NULL) == CW_OK);
  CHECK(first != second);
  CHECK(cw_domain_flavour(first) == CW_FLAVOUR_MEMB);
  CHECK(cw_domain_copy_count(first) >= 1);
  CHECK(cw_domain_is_numa_degraded(first) == 0);
  cw_router* router = make_router(first, 8);
  cw_domain_free(first);
  CHECK(cw_router_domain(router, &of_router, NULL) == CW_OK);
  CHECK(publish(router, 1, 0) == CW_OUTCOME_SERVING);
  cw_domain* domains[] = {second, of_router};
  for (size_t i = 0; i < COUNT(domains); ++i) {
    cw_reader* reader = make_reader(domains[i]);
    CHECK(serving_epoch(router, reader) == 1);
    cw_domain_free(domains[i]);
    CHECK(serving_epoch(router, reader) == 1);
    cw_reader_free(reader);
  }
  cw_router_free(router);
}

static void count_node(void* user, unsigned os_index, const unsigned* cpus,
                       size_t cpu_count) {
  (void)os_index;
  if (cpu_count > 0) CHECK(cpus != NULL);
  ++*(uint32_t*)user;
}

static void test_readers_choose_their_copy(void) {
  cw_domain* domain = make_domain(CW_FLAVOUR_QSBR);
  cw_reader* reader = make_reader(domain);
  uint32_t nodes = 0;
  CHECK(cw_numa_nodes(count_node, &nodes, NULL) == CW_OK);
  const uint32_t copies = cw_domain_copy_count(domain);
  CHECK(nodes < 2 ? copies == 1 : copies == nodes);
  cw_reader_rebind(reader);
  CHECK(cw_reader_copy(reader) < copies);
  cw_error error;
  CHECK(cw_reader_rebind_to_node(reader, 4711, &error) == CW_INVALID_OPTIONS);
  CHECK(strstr(error.message, "4711") != NULL);
  cw_reader_free(reader);
  cw_domain_free(domain);
}

int main(void) {
  for (int32_t flavour = CW_FLAVOUR_QSBR; flavour <= CW_FLAVOUR_BP; ++flavour) {
    test_readers_see_what_is_published(flavour);
    test_a_routers_ring_is_a_ring(flavour);
    test_pins_nest(flavour);
    test_nothing_is_read_without_a_pin(flavour);
    test_readers_are_freed_after_their_threads(flavour);
  }
  test_domains_are_shared_by_their_handles();
  test_readers_choose_their_copy();
  return check_failures != 0;
}
