// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface, from C: rings are built and answer as those of C++ do.
#include <stdlib.h>

#include "capi_check.h"
#include "capi_reference.h"
#include "clockwise/clockwise_c.h"

enum { kKeys = 300, kKeySize = 13, kStride = 16 };

static const char kWide[] =
    "{\"schema\": 1, \"name\": \"sessions\", \"epoch\": 7,"
    " \"ring\": {\"vnodes\": 64, \"seed\": 5, \"max_points\": 4096},"
    " \"nodes\": [{\"id\": \"a\", \"weight\": 1.5, \"region\": \"eu\","
    "  \"zone\": \"z\", \"rack\": \"r\", \"address\": \"10.0.0.1:80\"},"
    "  {\"id\": \"b\"}, {\"id\": \"c\", \"weight\": 0}, {\"id\": \"d\"}]}";
static const char kNarrow[] =
    "{\"schema\": 1, \"ring\": {\"width\": 32, \"key_hash\": \"murmur3-32\","
    " \"layout\": \"sorted\"},"
    " \"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}]}";

static cw_ring* parse(const char* members) {
  cw_error error;
  cw_ring* ring = NULL;
  CHECK(cw_ring_parse_members(members, strlen(members), "here", &ring,
                              &error) == CW_OK);
  CHECK(error.status == CW_OK && error.message[0] == '\0');
  if (ring == NULL) exit(1);
  return ring;
}

// The builder that makes the ring of kWide.
static cw_builder* wide_builder(void) {
  cw_ring_options options;
  cw_ring_options_init(&options, sizeof options);
  options.name = cw_text("sessions");
  options.vnodes = 64;
  options.seed = 5;
  options.max_points = 4096;
  cw_builder* builder = NULL;
  CHECK(cw_builder_create(&options, &builder, NULL) == CW_OK);
  if (builder == NULL) exit(1);
  cw_node node;
  for (const char* id = "dbc"; *id != '\0'; ++id) {
    cw_node_init(&node);
    node.id.data = id;
    node.id.size = 1;
    if (*id == 'c') node.thousandths = 0;
    CHECK(cw_builder_add(builder, &node, NULL) == CW_OK);
  }
  cw_node_init(&node);
  node.id = cw_text("a");
  node.region = cw_text("eu");
  node.zone = cw_text("z");
  node.rack = cw_text("r");
  node.address = cw_text("10.0.0.1:80");
  node.thousandths = 1500;
  CHECK(cw_builder_add(builder, &node, NULL) == CW_OK);
  return builder;
}

static cw_ring* build(const cw_builder* builder, uint64_t epoch) {
  cw_error error;
  cw_ring* ring = NULL;
  CHECK(cw_builder_build(builder, epoch, &ring, &error) == CW_OK);
  if (ring == NULL) exit(1);
  return ring;
}

static int has_digest(const cw_ring* ring, const char* hex) {
  char own[33];
  cw_ring_digest_hex(ring, own);
  return strcmp(own, hex) == 0;
}

static int is_text(cw_bytes bytes, const char* text) {
  return bytes.size == strlen(text) &&
         memcmp(bytes.data, text, bytes.size) == 0;
}

static void test_a_builder_makes_the_ring_of_the_members(void) {
  CHECK(reference_build(kWide));
  uint64_t high, low;
  char hex[33];
  reference_digest(&high, &low, hex);
  cw_builder* builder = wide_builder();
  cw_ring* ring = build(builder, 7);
  cw_builder_free(builder);
  CHECK(cw_ring_digest(ring).high == high && cw_ring_digest(ring).low == low);
  CHECK(has_digest(ring, hex));
  CHECK(cw_ring_point_count(ring) == reference_points());
  cw_ring_free(ring);

  ring = parse(kWide);
  CHECK(has_digest(ring, hex));
  cw_ring_free(ring);
}

static void test_options_default_to_those_of_cpp(void) {
  CHECK(reference_build("{\"schema\": 1, \"nodes\": [{\"id\": \"a\"}]}"));
  uint64_t high, low;
  char hex[33];
  reference_digest(&high, &low, hex);
  cw_ring_options options;
  cw_ring_options_init(&options, sizeof options);
  const cw_ring_options* given[] = {NULL, &options};
  for (size_t i = 0; i < COUNT(given); ++i) {
    cw_builder* builder;
    CHECK(cw_builder_create(given[i], &builder, NULL) == CW_OK);
    cw_node node;
    cw_node_init(&node);
    node.id = cw_text("a");
    CHECK(cw_builder_add(builder, &node, NULL) == CW_OK);
    cw_ring* ring = build(builder, 0);
    CHECK(has_digest(ring, hex));
    cw_ring_free(ring);
    cw_builder_free(builder);
  }
}

static void test_members_come_from_a_file(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/capi_test.json", folder);
  FILE* file = fopen(path, "wb");
  CHECK(file != NULL);
  if (file == NULL) return;
  fputs(kWide, file);
  fclose(file);
  cw_ring* ring = NULL;
  CHECK(cw_ring_load_members(path, &ring, NULL) == CW_OK);
  cw_ring* same = parse(kWide);
  char hex[33];
  cw_ring_digest_hex(same, hex);
  CHECK(ring != NULL && has_digest(ring, hex));
  cw_ring_free(same);
  cw_ring_free(ring);
  remove(path);
}

static void test_one_key_is_looked_up_as_in_cpp(const char* members) {
  CHECK(reference_build(members));
  cw_ring* ring = parse(members);
  for (int i = 0; i < kKeys; ++i) {
    char key[32];
    const size_t size = (size_t)snprintf(key, sizeof key, "key-%d", i);
    const uint64_t hash = cw_ring_hash(ring, key, size);
    CHECK(hash == reference_hash(key, size));
    CHECK(cw_ring_owner(ring, key, size) == reference_owner(key, size));
    if (i == 0) cw_ring_prefetch(ring);
    CHECK(cw_ring_owner_of_hash(ring, hash) == reference_owner_of_hash(hash));
    uint32_t nodes[5], others[5];
    const size_t count = cw_ring_replicas(ring, hash, COUNT(nodes), nodes);
    CHECK(count == 3);
    CHECK(count == reference_replicas(hash, COUNT(others), others));
    CHECK(memcmp(nodes, others, count * sizeof nodes[0]) == 0);
  }
  cw_ring_free(ring);
}

static void test_batches_answer_as_single_lookups(const char* members) {
  cw_ring* ring = parse(members);
  static char tuples[kKeys * kStride];
  const void* keys[kKeys];
  size_t sizes[kKeys];
  uint64_t hashes[kKeys];
  uint32_t hashes32[kKeys];
  uint32_t owners[kKeys], fixed[kKeys], of_hashes[kKeys], of_hashes32[kKeys];
  for (size_t i = 0; i < kKeys; ++i) {
    char* tuple = tuples + i * kStride;
    snprintf(tuple, kStride, "tuple %09d", (int)i);
    keys[i] = i == 0 ? NULL : tuple;  // the empty key
    sizes[i] = i % (kKeySize + 1);
    hashes[i] = cw_ring_hash(ring, tuple, kKeySize);
    hashes32[i] = (uint32_t)(hashes[i] >> 32);
  }
  CHECK(cw_ring_owners(ring, keys, sizes, kKeys, owners) == CW_OK);
  CHECK(cw_ring_owners_fixed(ring, tuples, kKeySize, kStride, kKeys, fixed) ==
        CW_OK);
  CHECK(cw_ring_owners_of_hashes(ring, hashes, kKeys, of_hashes) == CW_OK);
  CHECK(cw_ring_owners_of_hashes32(ring, hashes32, kKeys, of_hashes32) ==
        CW_OK);
  for (size_t i = 0; i < kKeys; ++i) {
    const char* tuple = tuples + i * kStride;
    CHECK(owners[i] == cw_ring_owner(ring, keys[i], sizes[i]));
    CHECK(fixed[i] == cw_ring_owner(ring, tuple, kKeySize));
    CHECK(of_hashes[i] == fixed[i]);
    CHECK(of_hashes32[i] ==
          cw_ring_owner_of_hash(ring, (uint64_t)hashes32[i] << 32));
  }
  cw_ring_free(ring);
}

static void test_null_is_the_empty_key_and_nothing_longer(void) {
  cw_ring* ring = parse(kWide);
  const uint32_t empty = cw_ring_owner(ring, "", 0);
  CHECK(empty != CW_NO_NODE);
  CHECK(cw_ring_owner(ring, NULL, 0) == empty);
  CHECK(cw_ring_hash(ring, NULL, 0) == cw_ring_hash(ring, "", 0));
  CHECK(cw_ring_owner(ring, NULL, 1) == CW_NO_NODE);
  CHECK(cw_ring_hash(ring, NULL, 1) == 0);
  CHECK(cw_ring_find(ring, NULL, 0) == CW_NO_NODE);
  CHECK(cw_ring_find(ring, NULL, 1) == CW_NO_NODE);

  const void* keys[kKeys];
  size_t sizes[kKeys];
  uint32_t owners[kKeys];
  for (size_t i = 0; i < kKeys; ++i) {
    keys[i] = i == 200 ? NULL : "k";
    sizes[i] = 1;
  }
  CHECK(cw_ring_owners(ring, keys, sizes, kKeys, owners) ==
        CW_INVALID_ARGUMENT);
  const uint32_t owner = cw_ring_owner(ring, "k", 1);
  for (size_t i = 0; i < kKeys; ++i) {
    CHECK(owners[i] == (i == 200 ? CW_NO_NODE : owner));
  }
  CHECK(cw_ring_owners_fixed(ring, NULL, 0, 8, kKeys, owners) == CW_OK);
  for (size_t i = 0; i < kKeys; ++i) CHECK(owners[i] == empty);
  cw_ring_free(ring);
}

static void test_batches_refuse_null(void) {
  cw_ring* ring = parse(kWide);
  const void* keys[1] = {"k"};
  const size_t sizes[1] = {1};
  const uint64_t hashes[1] = {1};
  const uint32_t hashes32[1] = {1};
  uint32_t owners[1] = {42};
  const cw_status answers[] = {
      cw_ring_owners(NULL, keys, sizes, 1, owners),
      cw_ring_owners(ring, NULL, sizes, 1, owners),
      cw_ring_owners(ring, keys, NULL, 1, owners),
      cw_ring_owners(ring, keys, sizes, 1, NULL),
      cw_ring_owners_fixed(NULL, "k", 1, 1, 1, owners),
      cw_ring_owners_fixed(ring, NULL, 1, 1, 1, owners),
      cw_ring_owners_fixed(ring, "kk", 2, 1, 2, owners),
      cw_ring_owners_fixed(ring, "k", 1, 1, 1, NULL),
      cw_ring_owners_of_hashes(NULL, hashes, 1, owners),
      cw_ring_owners_of_hashes(ring, NULL, 1, owners),
      cw_ring_owners_of_hashes(ring, hashes, 1, NULL),
      cw_ring_owners_of_hashes32(NULL, hashes32, 1, owners),
      cw_ring_owners_of_hashes32(ring, NULL, 1, owners),
      cw_ring_owners_of_hashes32(ring, hashes32, 1, NULL),
  };
  for (size_t i = 0; i < COUNT(answers); ++i) {
    CHECK(answers[i] == CW_INVALID_ARGUMENT);
  }
  CHECK(owners[0] == 42);
  CHECK(cw_ring_owners(ring, NULL, NULL, 0, NULL) == CW_OK);
  CHECK(cw_ring_owners_fixed(ring, NULL, 1, 0, 0, NULL) == CW_OK);
  CHECK(cw_ring_owners_of_hashes(ring, NULL, 0, NULL) == CW_OK);
  CHECK(cw_ring_owners_of_hashes32(ring, NULL, 0, NULL) == CW_OK);
  CHECK(cw_ring_replicas(ring, 1, 3, NULL) == 0);
  cw_ring_free(ring);
}

static void test_a_ring_tells_its_nodes(void) {
  cw_ring* ring = parse(kWide);
  CHECK(cw_ring_epoch(ring) == 7);
  CHECK(cw_ring_node_count(ring) == 4);
  CHECK(cw_ring_slot_count(ring) == 4);
  CHECK(cw_ring_point_count(ring) == 96 + 64 + 0 + 64);
  const uint32_t slot = cw_ring_find(ring, "a", 1);
  CHECK(is_text(cw_ring_node_id(ring, slot), "a"));
  cw_node node;
  CHECK(cw_ring_node(ring, slot, &node) == CW_OK);
  CHECK(is_text(node.id, "a"));
  CHECK(is_text(node.region, "eu"));
  CHECK(is_text(node.zone, "z"));
  CHECK(is_text(node.rack, "r"));
  CHECK(is_text(node.address, "10.0.0.1:80"));
  CHECK(node.thousandths == 1500);
  CHECK(node.points == 96);
  CHECK(cw_ring_node(ring, CW_NO_NODE, &node) == CW_UNKNOWN_NODE);
  CHECK(node.points == 96);
  CHECK(cw_ring_node_id(ring, CW_NO_NODE).size == 0);
  CHECK(cw_ring_node(ring, slot, NULL) == CW_INVALID_ARGUMENT);
  CHECK(cw_ring_node(NULL, slot, &node) == CW_INVALID_ARGUMENT);
  CHECK(cw_ring_find(ring, "ab", 2) == CW_NO_NODE);
  cw_ring_free(ring);
}

// Stops a walk at the node that `user` points to.
static int is_node(void* user, uint32_t node) {
  return node == *(const uint32_t*)user;
}

// Notes the nodes it meets, and stops at none.
struct met {
  uint32_t nodes[8];
  size_t count;
};

static int meet(void* user, uint32_t node) {
  struct met* met = user;
  met->nodes[met->count++] = node;
  return 0;
}

static void test_walks_meet_the_replicas(void) {
  cw_ring* ring = parse(kWide);
  for (uint64_t i = 0; i < kKeys; ++i) {
    const uint64_t hash = i << 55;
    struct met met = {{0}, 0};
    CHECK(cw_ring_walk(ring, hash, meet, &met) == CW_NO_NODE);
    uint32_t replicas[8];
    CHECK(met.count == cw_ring_replicas(ring, hash, 8, replicas));
    CHECK(memcmp(met.nodes, replicas, met.count * sizeof replicas[0]) == 0);
    CHECK(cw_ring_walk(ring, hash, is_node, &replicas[1]) == replicas[1]);
  }
  cw_ring_free(ring);
}

static void test_a_ring_tells_how_it_was_built(void) {
  cw_ring* ring = parse(kWide);
  cw_ring_options options;
  cw_ring_get_options(ring, &options, sizeof options);
  CHECK(is_text(options.name, "sessions"));
  CHECK(is_text(options.scheme, "clockwise-1"));
  CHECK(options.seed == 5 && options.vnodes == 64 && options.width == 64);
  CHECK(options.key_hash == CW_KEY_HASH_XXH3);
  CHECK(options.layout >= CW_LAYOUT_SORTED);
  CHECK(cw_ring_bytes(ring) > 12 * cw_ring_point_count(ring));
  cw_ring_free(ring);

  ring = parse(kNarrow);
  cw_ring_get_options(ring, &options, sizeof options);
  CHECK(options.width == 32 && options.key_hash == CW_KEY_HASH_MURMUR3_32);
  CHECK(options.layout == CW_LAYOUT_SORTED);
  CHECK(options.struct_size == sizeof options);
  cw_ring_free(ring);
}

static void test_a_ring_tells_its_points(void) {
  cw_ring* ring = parse(kNarrow);
  CHECK(cw_ring_collisions(ring) == 0);
  const size_t count = cw_ring_point_count(ring);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t position = cw_ring_position_at(ring, i);
    CHECK(i == 0 || position > cw_ring_position_at(ring, i - 1));
    CHECK(cw_ring_point_at(ring, position) == i);
    CHECK(cw_ring_owner_at(ring, i) == cw_ring_owner_of_hash(ring, position));
  }
  CHECK(cw_ring_point_at(ring, UINT64_MAX) == 0);
  const uint32_t* slots = cw_ring_slots_by_id(ring);
  CHECK(is_text(cw_ring_node_id(ring, slots[0]), "a"));
  CHECK(is_text(cw_ring_node_id(ring, slots[2]), "c"));
  cw_ring_free(ring);
}

static void test_copies_differ_in_epoch_only(void) {
  cw_ring* ring = parse(kWide);
  cw_ring* copy = NULL;
  CHECK(cw_ring_copy(ring, 9, &copy, NULL) == CW_OK);
  char hex[33];
  cw_ring_digest_hex(ring, hex);
  cw_digest digest, of_copy;
  CHECK(cw_ring_records_digest(ring, &digest, NULL) == CW_OK);
  CHECK(digest.high != cw_ring_digest(ring).high);
  cw_ring_free(ring);
  CHECK(cw_ring_epoch(copy) == 9 && has_digest(copy, hex));
  CHECK(cw_ring_records_digest(copy, &of_copy, NULL) == CW_OK);
  CHECK(digest.high == of_copy.high && digest.low == of_copy.low);
  cw_ring_free(copy);
}

static void test_changes_keep_slots_and_the_ring_they_come_from(void) {
  cw_ring* ring = parse(kWide);
  char before[33];
  cw_ring_digest_hex(ring, before);
  const uint32_t hole = cw_ring_find(ring, "b", 1);
  const uint32_t slot_of_d = cw_ring_find(ring, "d", 1);
  cw_builder* builder = NULL;
  CHECK(cw_builder_from_ring(ring, &builder, NULL) == CW_OK);
  cw_node node;
  CHECK(cw_ring_node(ring, cw_ring_find(ring, "a", 1), &node) == CW_OK);
  node.zone = cw_text("y");
  CHECK(cw_builder_update(builder, &node, NULL) == CW_OK);
  CHECK(cw_builder_set_weight(builder, "d", 1, 2000, NULL) == CW_OK);
  CHECK(cw_builder_remove(builder, "b", 1, NULL) == CW_OK);
  cw_ring* next = build(builder, 8);
  cw_builder_free(builder);

  CHECK(has_digest(ring, before));
  CHECK(cw_ring_epoch(next) == 8);
  CHECK(cw_ring_node_count(next) == 3 && cw_ring_slot_count(next) == 4);
  CHECK(cw_ring_node(next, hole, &node) == CW_UNKNOWN_NODE);
  CHECK(cw_ring_node_id(next, hole).size == 0);
  CHECK(cw_ring_find(next, "d", 1) == slot_of_d);
  CHECK(cw_ring_node(next, slot_of_d, &node) == CW_OK);
  CHECK(node.thousandths == 2000 && node.points == 128);
  CHECK(cw_ring_node(next, cw_ring_find(next, "a", 1), &node) == CW_OK);
  CHECK(is_text(node.zone, "y") && is_text(node.rack, "r"));
  cw_ring_free(ring);
  cw_ring_free(next);
}

static void test_points_may_be_given(void) {
  cw_ring_options options;
  cw_ring_options_init(&options, sizeof options);
  options.scheme = cw_text("points");
  options.width = 32;
  options.key_hash = CW_KEY_HASH_MURMUR3_32;
  options.layout = CW_LAYOUT_EYTZINGER;
  cw_builder* builder = NULL;
  CHECK(cw_builder_create(&options, &builder, NULL) == CW_OK);
  cw_node node;
  cw_node_init(&node);
  node.id = cw_text("a");
  const uint64_t of_a[] = {(uint64_t)30 << 32, (uint64_t)10 << 32};
  CHECK(cw_builder_add_points(builder, &node, of_a, 2, NULL) == CW_OK);
  node.id = cw_text("b");
  const uint64_t of_b[] = {(uint64_t)20 << 32};
  CHECK(cw_builder_add_points(builder, &node, of_b, 1, NULL) == CW_OK);
  node.id = cw_text("none");
  CHECK(cw_builder_add_points(builder, &node, NULL, 0, NULL) == CW_OK);
  cw_ring* ring = build(builder, 0);
  const uint32_t hashes[] = {10, 11, 20, 21, 30, 31};
  uint32_t owners[COUNT(hashes)];
  cw_ring_owners_of_hashes32(ring, hashes, COUNT(hashes), owners);
  for (size_t i = 0; i < COUNT(hashes); ++i) {
    CHECK(
        is_text(cw_ring_node_id(ring, owners[i]), &"a\0b\0b\0a\0a\0a"[2 * i]));
  }
  cw_ring_free(ring);
  cw_builder_free(builder);
}

static void test_a_ring_without_points_answers_no_node(void) {
  cw_ring* ring = parse("{\"schema\": 1}");
  uint32_t node;
  CHECK(cw_ring_owner(ring, "k", 1) == CW_NO_NODE);
  CHECK(cw_ring_owner_of_hash(ring, 0) == CW_NO_NODE);
  CHECK(cw_ring_replicas(ring, 0, 1, &node) == 0);
  CHECK(cw_ring_slot_count(ring) == 0);
  cw_ring_free(ring);
}

int main(int argc, char** argv) {
  test_a_builder_makes_the_ring_of_the_members();
  test_options_default_to_those_of_cpp();
  test_members_come_from_a_file(argc > 1 ? argv[1] : ".");
  test_one_key_is_looked_up_as_in_cpp(kWide);
  test_one_key_is_looked_up_as_in_cpp(kNarrow);
  test_batches_answer_as_single_lookups(kWide);
  test_batches_answer_as_single_lookups(kNarrow);
  test_null_is_the_empty_key_and_nothing_longer();
  test_batches_refuse_null();
  test_a_ring_tells_its_nodes();
  test_walks_meet_the_replicas();
  test_a_ring_tells_how_it_was_built();
  test_a_ring_tells_its_points();
  test_copies_differ_in_epoch_only();
  test_changes_keep_slots_and_the_ring_they_come_from();
  test_points_may_be_given();
  test_a_ring_without_points_answers_no_node();
  return check_failures != 0;
}
