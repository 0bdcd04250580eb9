// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface, from C: what is published, refused, waits, and stalls.
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capi_router_maker.h"
#include "sanitized.h"

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void test_a_refused_ring_stays_with_the_caller(void) {
  cw_domain* domain = make_domain(CW_FLAVOUR_MEMB);
  cw_router* router = make_router(domain, 8);
  cw_reader* reader = make_reader(domain);
  CHECK(publish(router, 7, 0) == CW_OUTCOME_SERVING);
  cw_error error;
  uint64_t epoch = 99;
  cw_outcome outcome = CW_OUTCOME_SETTLED;
  cw_ring* stale = make_ring(6, 0);
  CHECK(cw_router_publish(router, &stale, NULL, &epoch, &outcome, &error) ==
        CW_STALE_EPOCH);
  CHECK(error.status == CW_STALE_EPOCH);
  CHECK(strcmp(error.message, "ring '': epoch 6 is below the newest, 7") == 0);
  CHECK(epoch == 99 && outcome == CW_OUTCOME_SETTLED);
  CHECK(cw_ring_epoch(stale) == 6 && cw_ring_owner(stale, "k", 1) < 7);
  cw_ring_free(stale);

  cw_ring* remap = make_ring(8, 1);
  CHECK(cw_router_publish(router, &remap, NULL, NULL, NULL, &error) ==
        CW_REMAP_REFUSED);
  CHECK(strstr(error.message, "seed 1 instead of 0") != NULL);
  cw_reader_pin(reader);
  CHECK(cw_router_publish_and_wait(router, &remap, NULL, 1, NULL, NULL, NULL) ==
        CW_WOULD_DEADLOCK);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  CHECK(remap != NULL && serving_epoch(router, reader) == 7);
  cw_publish_options options;
  cw_publish_options_init(&options, sizeof options);
  options.accept_remap = 1;
  CHECK(cw_router_publish(router, &remap, &options, &epoch, &outcome, NULL) ==
        CW_OK);
  CHECK(remap == NULL && epoch == 8 && outcome == CW_OUTCOME_SERVING);
  CHECK(serving_epoch(router, reader) == 8);

  remap = make_ring(8, 1);
  CHECK(cw_router_publish(router, &remap, NULL, &epoch, &outcome, NULL) ==
        CW_OK);
  CHECK(remap == NULL && epoch == 8 && outcome == CW_OUTCOME_UNCHANGED);
  cw_reader_free(reader);
  cw_router_free(router);
  cw_domain_free(domain);
}

static void test_the_newest_waits_at_max_live(int32_t flavour) {
  cw_domain* domain = make_domain(flavour);
  cw_router* router = make_router(domain, 3);
  cw_reader* reader = make_reader(domain);
  CHECK(publish(router, 1, 0) == CW_OUTCOME_SERVING);
  cw_reader_pin(reader);
  const cw_ring* held = cw_router_current(router, reader);
  CHECK(publish_elsewhere(router, 2, 30) == CW_OUTCOME_SERVING);
  CHECK(publish_elsewhere(router, 3, 0) == CW_OUTCOME_HELD_BACK);
  CHECK(publish_elsewhere(router, 4, 30) == CW_OUTCOME_HELD_BACK);
  CHECK(cw_ring_epoch(held) == 1);
  CHECK(cw_ring_epoch(cw_router_current(router, reader)) == 2);
  cw_router_stats stats;
  CHECK(cw_router_get_stats(router, &stats, sizeof stats, NULL) == CW_OK);
  CHECK(stats.serving_epoch == 2 && stats.newest_epoch == 4);
  CHECK(stats.live == 3 && stats.published == 2 && stats.replaced == 1);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  cw_reader_offline(reader);
  CHECK(publish(router, 5, UINT64_MAX) == CW_OUTCOME_SETTLED);
  CHECK(serving_epoch(router, reader) == 5);
  CHECK(cw_domain_grace_periods(domain) > 0);
  cw_reader_free(reader);
  cw_router_free(router);
  cw_domain_free(domain);
}

static void test_two_rings_at_most(void) {
  cw_domain* domain = make_domain(CW_FLAVOUR_MEMB);
  cw_router* router = make_router(domain, 2);
  cw_reader* reader = make_reader(domain);
  cw_ring* ring = make_ring(3, 0);
  CHECK(cw_router_publish(router, &ring, NULL, NULL, NULL, NULL) ==
        CW_INVALID_OPTIONS);
  CHECK(publish(router, 1, kLong) == CW_OUTCOME_SETTLED);
  cw_reader_pin(reader);
  CHECK(publish_elsewhere(router, 2, 30) == CW_OUTCOME_SERVING);
  CHECK(publish_elsewhere(router, 3, 30) == -1);
  CHECK(cw_reader_unpin(reader) == CW_OK);
  cw_outcome outcome = CW_OUTCOME_UNCHANGED;
  CHECK(cw_router_publish_and_wait(router, &ring, NULL, kLong, NULL, &outcome,
                                   NULL) == CW_OK);
  CHECK(ring == NULL && outcome == CW_OUTCOME_SETTLED);
  cw_reader_free(reader);
  cw_router_free(router);
  cw_domain_free(domain);
}

// What on_stall was told.
struct told {
  pthread_mutex_t mutex;
  int begun;
  int ended;
  int is_right;
};

static void on_stall(void* user, const cw_stall* stall) {
  struct told* told = user;
  pthread_mutex_lock(&told->mutex);
  *(stall->is_ended ? &told->ended : &told->begun) += 1;
  told->is_right = stall->reader.size == 7 &&
                   memcmp(stall->reader.data, "sleeper", 7) == 0 &&
                   stall->thread == getpid() && stall->age_ms >= 20;
  pthread_mutex_unlock(&told->mutex);
}

static int is_told(struct told* told, int begun, int ended) {
  for (uint64_t i = 0; i < kLong; ++i) {
    pthread_mutex_lock(&told->mutex);
    const int is_so = told->begun == begun && told->ended == ended;
    pthread_mutex_unlock(&told->mutex);
    if (is_so) return told->is_right;
    sleep_ms(1);
  }
  return 0;
}

static void test_stalls_are_told(int32_t flavour) {
  struct told told = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};
  cw_domain_options options;
  cw_domain_options_init(&options, sizeof options);
  options.flavour = flavour;
  options.stall_after_ms = 20;
  options.user = &told;
  options.on_stall = on_stall;
  cw_domain* domain = NULL;
  CHECK(cw_domain_create(&options, &domain, NULL) == CW_OK);
  if (domain == NULL) exit(1);
  cw_router* router = make_router(domain, 8);
  cw_reader* sleeper = NULL;
  CHECK(cw_reader_create(domain, "sleeper", &sleeper, NULL) == CW_OK);
  CHECK(publish(router, 1, 0) == CW_OUTCOME_SERVING);
  cw_reader_pin(sleeper);
  CHECK(publish_elsewhere(router, 2, 0) == CW_OUTCOME_SERVING);
  CHECK(is_told(&told, 1, 0));
  cw_reader_unpin(sleeper);
  cw_reader_offline(sleeper);
  CHECK(is_told(&told, 1, 1));
  cw_reader_free(sleeper);
  cw_router_free(router);
  cw_domain_free(domain);
}

// Exit code of a child: 0 is success.
static int in_child(cw_domain* domain, cw_router* router, cw_reader* reader) {
  alarm(20);  // a hang is a failure
  cw_reader* more = NULL;
  cw_router* other = NULL;
  cw_ring* ring = make_ring(2, 0);
  if (serving_epoch(router, reader) != 1) return 1;
  if (cw_router_publish(router, &ring, NULL, NULL, NULL, NULL) != CW_FORKED) {
    return 2;
  }
  if (cw_reader_create(domain, NULL, &more, NULL) != CW_FORKED) return 3;
  if (cw_router_create(domain, NULL, &other, NULL) != CW_FORKED) return 4;
  if (cw_domain_after_fork_child(domain, NULL) != CW_OK) return 5;
  cw_ring_free(ring);
  if (publish(router, 2, kLong) != CW_OUTCOME_SETTLED) return 6;
  if (serving_epoch(router, reader) != 2) return 7;
  return check_failures != 0;
}

static void test_forked_children_publish_again(int32_t flavour) {
  // Sanitizers' allocators may be locked in the child of a process with
  // threads.
  if (IsSanitized()) return;
  cw_domain* domain = make_domain(flavour);
  cw_router* router = make_router(domain, 8);
  cw_reader* reader = make_reader(domain);
  CHECK(publish(router, 1, 0) == CW_OUTCOME_SERVING);
  const pid_t child = fork();
  if (child == 0) _exit(in_child(domain, router, reader));
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  cw_reader_free(reader);
  cw_router_free(router);
  cw_domain_free(domain);
}

int main(void) {
  for (int32_t flavour = CW_FLAVOUR_QSBR; flavour <= CW_FLAVOUR_BP; ++flavour) {
    test_the_newest_waits_at_max_live(flavour);
    test_stalls_are_told(flavour);
    test_forked_children_publish_again(flavour);
  }
  test_a_refused_ring_stays_with_the_caller();
  test_two_rings_at_most();
  return check_failures != 0;
}
