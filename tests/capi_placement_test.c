// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placements from C, those of other systems too.
#include <stdlib.h>
#include <string.h>

#include "capi_check.h"
#include "clockwise/clockwise_placement_c.h"
#ifdef HAS_COMPAT
#include "clockwise/clockwise_compat_c.h"
#endif

static cw_placement* parse(const char* scheme) {
  char members[256];
  cw_error error;
  cw_placement* placement = NULL;
  snprintf(members, sizeof members,
           "{\"schema\": 1, \"ring\": {\"scheme\": \"%s\"}, \"nodes\": "
           "[{\"id\": \"a\", \"zone\": \"z\"}, {\"id\": \"b\"}]}",
           scheme);
  CHECK(cw_placement_parse_members(members, strlen(members), NULL, &placement,
                                   &error) == CW_OK);
  if (placement == NULL) {
    fprintf(stderr, "%s: %s\n", scheme, error.message);
    exit(1);
  }
  return placement;
}

static void answers_alike(const cw_placement* placement) {
  static const char kBytes[] = "abcdefghijklmnopqrstuvwxyz";
  const void* keys[10];
  size_t sizes[10];
  uint32_t owners[10], fixed[10];
  for (size_t i = 0; i < 10; ++i) keys[i] = kBytes + i, sizes[i] = 5;
  CHECK(cw_placement_owners(placement, keys, sizes, 10, owners) == CW_OK);
  CHECK(cw_placement_owners_fixed(placement, kBytes, 5, 1, 10, fixed) ==
        CW_INVALID_ARGUMENT);
  CHECK(cw_placement_owners_fixed(placement, kBytes, 1, 1, 10, fixed) == CW_OK);
  for (size_t i = 0; i < 10; ++i) {
    CHECK(owners[i] == cw_placement_owner(placement, keys[i], 5));
    CHECK(fixed[i] == cw_placement_owner(placement, keys[i], 1));
    const uint64_t hash = cw_placement_hash(placement, keys[i], 5);
    CHECK(owners[i] == cw_placement_owner_of_hash(placement, hash));
    uint32_t nodes[2] = {CW_NO_NODE, CW_NO_NODE};
    CHECK(cw_placement_replicas(placement, hash, 2, nodes) ==
          (cw_placement_has_replicas(placement) ? 2u : 1u));
    CHECK(nodes[0] == owners[i]);
  }
  sizes[3] = 1;
  keys[3] = NULL;
  CHECK(cw_placement_owners(placement, keys, sizes, 10, owners) ==
        CW_INVALID_ARGUMENT);
  CHECK(owners[3] == CW_NO_NODE && owners[4] != CW_NO_NODE);
  CHECK(cw_placement_owner(placement, NULL, 1) == CW_NO_NODE);
  CHECK(cw_placement_hash(placement, NULL, 1) == 0);
}

static void knows_its_nodes(const cw_placement* placement, const char* scheme) {
  cw_node node;
  const cw_bytes id = cw_placement_scheme(placement);
  CHECK(id.size == strlen(scheme) && memcmp(id.data, scheme, id.size) == 0);
  CHECK(cw_placement_node_count(placement) == 2);
  CHECK(cw_placement_slot_count(placement) == 2);
  const uint32_t slot = cw_placement_find(placement, "a", 1);
  CHECK(cw_placement_node(placement, slot, &node) == CW_OK);
  CHECK(node.id.size == 1 && node.id.data[0] == 'a' && node.zone.size == 1);
  CHECK(cw_placement_node(placement, 2, &node) == CW_UNKNOWN_NODE);
  CHECK(cw_placement_node(placement, 0, NULL) == CW_INVALID_ARGUMENT);
  CHECK(cw_placement_find(placement, "c", 1) == CW_NO_NODE);
  CHECK(cw_placement_find(placement, NULL, 1) == CW_NO_NODE);
}

static void try_scheme(const char* scheme) {
  cw_placement* placement = parse(scheme);
  cw_placement* again = parse(scheme);
  answers_alike(placement);
  knows_its_nodes(placement, scheme);
  const cw_digest digest = cw_placement_digest(placement);
  CHECK(digest.high == cw_placement_digest(again).high);
  CHECK(digest.low == cw_placement_digest(again).low);
  cw_placement_free(placement);
  cw_placement_free(again);
}

static void refuses(void) {
  static const char kBad[] =
      "{\"schema\": 1, \"ring\": {\"scheme\": \"maglev\","
      " \"params\": {\"table_size\": 6}}, \"nodes\": []}";
  cw_error error;
  cw_placement* placement = NULL;
  cw_ring* ring = NULL;
  CHECK(cw_placement_parse_members(kBad, strlen(kBad), "here", &placement,
                                   &error) == CW_INVALID_OPTIONS);
  CHECK(placement == NULL && strstr(error.message, "not a prime") != NULL);
  CHECK(cw_ring_parse_members(kBad, strlen(kBad), NULL, &ring, &error) ==
        CW_INVALID_OPTIONS);
  CHECK(strstr(error.message, "not a ring") != NULL);
  CHECK(cw_placement_load_members("/nonexistent", &placement, &error) == CW_IO);
  CHECK(cw_placement_load_members(NULL, &placement, NULL) ==
        CW_INVALID_ARGUMENT);
  CHECK(cw_placement_parse_members(kBad, 1, NULL, NULL, NULL) ==
        CW_INVALID_ARGUMENT);
  CHECK(cw_placement_owners(NULL, NULL, NULL, 0, NULL) == CW_INVALID_ARGUMENT);
  cw_placement_free(NULL);
}

int main(void) {
  try_scheme("clockwise-1");
  try_scheme("rendezvous");
  try_scheme("jump");
  refuses();
#ifdef HAS_COMPAT
  cw_error error;
  CHECK(cw_register_peer_schemes(&error) == CW_OK);
  CHECK(cw_register_peer_schemes(NULL) == CW_OK);
  CHECK(error.status == CW_OK);
  try_scheme("nginx-consistent");
  try_scheme("redis-slots");
  try_scheme("mcrouter-rendezvous");
#endif
  return check_failures;
}
