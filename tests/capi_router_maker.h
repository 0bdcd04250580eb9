// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Short ways to make domains and routers in tests in C.
#pragma once

#include <pthread.h>
#include <stdlib.h>

#include "capi_check.h"
#include "clockwise/clockwise_c.h"

static const uint64_t kLong = 10000;  // milliseconds; in vain if it passes

static inline cw_domain* make_domain(int32_t flavour) {
  cw_domain_options options;
  cw_domain_options_init(&options, sizeof options);
  options.flavour = flavour;
  cw_domain* domain = NULL;
  CHECK(cw_domain_create(&options, &domain, NULL) == CW_OK);
  if (domain == NULL) exit(1);
  CHECK(cw_domain_flavour(domain) == (cw_flavour)flavour);
  return domain;
}

static inline cw_router* make_router(const cw_domain* domain,
                                     uint32_t max_live) {
  cw_router_options options;
  cw_router_options_init(&options, sizeof options);
  options.max_live = max_live;
  cw_router* router = NULL;
  CHECK(cw_router_create(domain, &options, &router, NULL) == CW_OK);
  if (router == NULL) exit(1);
  return router;
}

static inline cw_reader* make_reader(const cw_domain* domain) {
  cw_reader* reader = NULL;
  CHECK(cw_reader_create(domain, "test", &reader, NULL) == CW_OK);
  if (reader == NULL) exit(1);
  return reader;
}

// A ring of nodes a, b, ..., as many as its epoch says.
static inline cw_ring* make_ring(uint64_t epoch, uint64_t seed) {
  cw_ring_options options;
  cw_ring_options_init(&options, sizeof options);
  options.vnodes = 16;
  options.seed = seed;
  cw_builder* builder = NULL;
  CHECK(cw_builder_create(&options, &builder, NULL) == CW_OK);
  for (uint64_t i = 0; i < epoch % 7 + 1; ++i) {
    const char id = (char)('a' + i);
    cw_node node;
    cw_node_init(&node);
    node.id.data = &id;
    node.id.size = 1;
    CHECK(cw_builder_add(builder, &node, NULL) == CW_OK);
  }
  cw_ring* ring = NULL;
  CHECK(cw_builder_build(builder, epoch, &ring, NULL) == CW_OK);
  cw_builder_free(builder);
  if (ring == NULL) exit(1);
  return ring;
}

// Publishes ring `epoch`, waiting if `wait_ms` is not 0. The outcome, or -1.
static inline int publish(cw_router* router, uint64_t epoch, uint64_t wait_ms) {
  cw_ring* ring = make_ring(epoch, 0);
  cw_outcome outcome = CW_OUTCOME_UNCHANGED;
  cw_error error;
  const cw_status status =
      wait_ms == 0
          ? cw_router_publish(router, &ring, NULL, NULL, &outcome, &error)
          : cw_router_publish_and_wait(router, &ring, NULL, wait_ms, NULL,
                                       &outcome, &error);
  CHECK((status == CW_OK) == (ring == NULL));
  cw_ring_free(ring);
  if (status != CW_OK) fprintf(stderr, "%s\n", error.message);
  return status == CW_OK ? (int)outcome : -1;
}

// The same on a thread that does not read.
struct elsewhere {
  cw_router* router;
  uint64_t epoch;
  uint64_t wait_ms;
  int outcome;
};

static inline void* publish_here(void* user) {
  struct elsewhere* job = user;
  job->outcome = publish(job->router, job->epoch, job->wait_ms);
  return NULL;
}

static inline void on_a_thread(void* (*body)(void*), void* user) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, body, user) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}

static inline int publish_elsewhere(cw_router* router, uint64_t epoch,
                                    uint64_t wait_ms) {
  struct elsewhere job = {router, epoch, wait_ms, -1};
  on_a_thread(publish_here, &job);
  return job.outcome;
}

static inline uint64_t serving_epoch(const cw_router* router,
                                     cw_reader* reader) {
  uint64_t epoch = UINT64_MAX;
  cw_reader_pin(reader);
  cw_router_owner(router, reader, "k", 1, &epoch);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  return epoch;
}
