// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface, from C: what of routing is refused, and how it is told.
#include "capi_router_maker.h"
#include "failing_new.h"

static void test_options_out_of_range_are_refused(void) {
  cw_error error;
  cw_domain* domain = (cw_domain*)&error;
  cw_domain_options bad[4];
  const char* says[] = {"flavour 3", "flavour -1", "stall_after 9 ms",
                        "stall_after"};
  for (size_t i = 0; i < COUNT(bad); ++i) {
    cw_domain_options_init(&bad[i], sizeof bad[i]);
  }
  bad[0].flavour = 3;
  bad[1].flavour = -1;
  bad[2].stall_after_ms = 9;
  bad[3].stall_after_ms = UINT64_MAX;
  for (size_t i = 0; i < COUNT(bad); ++i) {
    const cw_status answer = cw_domain_create(&bad[i], &domain, &error);
    CHECK(is_refusal(answer, &error, CW_INVALID_OPTIONS, says[i]));
    CHECK(domain == NULL);
  }
  CHECK(cw_domain_create(NULL, &domain, NULL) == CW_OK);
  cw_router_options options;
  cw_router_options_init(&options, sizeof options);
  CHECK(options.max_live == 8);
  cw_router* router = NULL;
  for (uint32_t max_live = 1; max_live < 2000; max_live += 1024) {
    options.max_live = max_live;
    const cw_status answer =
        cw_router_create(domain, &options, &router, &error);
    CHECK(is_refusal(answer, &error, CW_INVALID_OPTIONS, "max_live"));
  }
  cw_domain_free(domain);
  CHECK(strcmp(cw_flavour_name(CW_FLAVOUR_BP), "bp") == 0);
  CHECK(strcmp(cw_flavour_name((cw_flavour)256), "unknown") == 0);
}

static void test_options_that_nobody_filled_in_are_refused(void) {
  cw_error error;
  cw_domain* domain = NULL;
  cw_router* router = NULL;
  const cw_domain_options of_domain = {0};
  const cw_router_options of_router = {0};
  const cw_publish_options of_publish = {0};
  cw_status answer = cw_domain_create(&of_domain, &domain, &error);
  CHECK(is_refusal(answer, &error, CW_INVALID_ARGUMENT,
                   "cw_domain_options_init sets it"));
  CHECK(cw_domain_create(NULL, &domain, NULL) == CW_OK);
  answer = cw_router_create(domain, &of_router, &router, &error);
  CHECK(is_refusal(answer, &error, CW_INVALID_ARGUMENT,
                   "cw_router_options_init sets it"));
  CHECK(cw_router_create(domain, NULL, &router, NULL) == CW_OK);
  cw_ring* ring = make_ring(1, 0);
  answer = cw_router_publish(router, &ring, &of_publish, NULL, NULL, &error);
  CHECK(is_refusal(answer, &error, CW_INVALID_ARGUMENT,
                   "cw_publish_options_init sets it"));
  CHECK(cw_ring_node_count(ring) == 2);
  cw_ring_free(ring);
  cw_router_free(router);
  cw_domain_free(domain);
}

static void test_null_is_refused_by_name(void) {
  cw_error error;
  cw_domain* domain = NULL;
  cw_router* router = NULL;
  cw_reader* reader = NULL;
  cw_domain* no_domain = (cw_domain*)&error;
  cw_router* no_router = (cw_router*)&error;
  cw_router_stats stats;
  cw_digest digest;
  cw_ring* none = NULL;
  CHECK(cw_domain_create(NULL, &domain, NULL) == CW_OK);
  CHECK(cw_router_create(domain, NULL, &router, NULL) == CW_OK);
#define REFUSES(call, what) \
  CHECK(is_refusal(call, &error, CW_INVALID_ARGUMENT, what))
  REFUSES(cw_domain_create(NULL, NULL, &error), "handle is NULL");
  REFUSES(cw_domain_default(NULL, &error), "handle is NULL");
  REFUSES(cw_domain_after_fork_child(NULL, &error), "domain is NULL");
  REFUSES(cw_numa_nodes(NULL, NULL, &error), "visit is NULL");
  REFUSES(cw_reader_create(NULL, "", &reader, &error), "domain is NULL");
  REFUSES(cw_reader_create(domain, "", NULL, &error), "handle is NULL");
  REFUSES(cw_reader_rebind_to_node(NULL, 0, &error), "reader is NULL");
  REFUSES(cw_router_create(NULL, NULL, &no_router, &error), "domain is NULL");
  REFUSES(cw_router_create(domain, NULL, NULL, &error), "handle is NULL");
  REFUSES(cw_router_domain(NULL, &no_domain, &error), "router is NULL");
  REFUSES(cw_router_domain(router, NULL, &error), "handle is NULL");
  REFUSES(cw_router_publish(NULL, &none, NULL, NULL, NULL, &error),
          "router is NULL");
  REFUSES(cw_router_publish(router, NULL, NULL, NULL, NULL, &error),
          "ring is NULL");
  REFUSES(
      cw_router_publish_and_wait(router, &none, NULL, 0, NULL, NULL, &error),
      "ring is NULL");
  REFUSES(cw_router_get_stats(NULL, &stats, sizeof stats, &error),
          "router is NULL");
  REFUSES(cw_router_get_stats(router, NULL, sizeof stats, &error),
          "stats is NULL");
  REFUSES(cw_ring_copy(NULL, 0, &none, &error), "ring is NULL");
  REFUSES(cw_ring_records_digest(NULL, &digest, &error), "ring is NULL");
#undef REFUSES
  CHECK(reader == NULL && none == NULL);
  CHECK(no_router == NULL && no_domain == NULL);
  cw_router_free(router);
  cw_domain_free(domain);
  cw_router_free(NULL);
  cw_reader_free(NULL);
  cw_domain_free(NULL);
}

// Makes what is not there yet, then publishes `*ring`.
static cw_status call_routing(cw_domain** domain, cw_router** router,
                              cw_reader** reader, cw_ring** ring,
                              cw_error* error) {
  if (*domain == NULL) {
    const cw_status status = cw_domain_create(NULL, domain, error);
    if (status != CW_OK) return status;
  }
  if (*router == NULL) {
    const cw_status status = cw_router_create(*domain, NULL, router, error);
    if (status != CW_OK) return status;
  }
  if (*reader == NULL) {
    const cw_status status =
        cw_reader_create(*domain, "a reader whose name is long", reader, error);
    if (status != CW_OK) return status;
  }
  return cw_router_publish_and_wait(*router, ring, NULL, 10000, NULL, NULL,
                                    error);
}

static void test_want_of_memory_is_a_status(void) {
  cw_domain* domain = NULL;
  cw_router* router = NULL;
  cw_reader* reader = NULL;
  cw_ring* ring = make_ring(0, 0);
  cw_ring* same = NULL;
  CHECK(cw_ring_copy(ring, 0, &same, NULL) == CW_OK);
  int failures = 0;
  cw_error error;
  for (long allowed = 0;; ++allowed) {
    fail_allocations_after(allowed);
    const cw_status status =
        call_routing(&domain, &router, &reader, &ring, &error);
    stop_failing();
    if (status == CW_OK) break;
    CHECK(is_refusal(status, &error, CW_OUT_OF_MEMORY, "out of memory"));
    CHECK(cw_ring_owner(ring, "k", 1) == cw_ring_owner(same, "k", 1));
    ++failures;
  }
  CHECK(failures > 5 && ring == NULL);
  uint64_t epoch = 0;
  cw_reader_pin(reader);
  CHECK(cw_router_owner(router, reader, "k", 1, &epoch) ==
        cw_ring_owner(same, "k", 1));
  CHECK(epoch == 1 && cw_reader_unpin(reader) == CW_OK);
  CHECK(cw_ring_copy(same, 2, &ring, NULL) == CW_OK);
  CHECK(cw_router_publish(router, &ring, NULL, &epoch, NULL, NULL) == CW_OK);
  CHECK(epoch == 2);
  cw_ring_free(same);
  cw_reader_free(reader);
  cw_router_free(router);
  cw_domain_free(domain);
}

int main(void) {
  test_options_out_of_range_are_refused();
  test_options_that_nobody_filled_in_are_refused();
  test_null_is_refused_by_name();
  test_want_of_memory_is_a_status();
  return check_failures != 0;
}
