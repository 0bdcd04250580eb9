// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface, from C: what is refused, and how it is told.
#include <stdlib.h>

#include "capi_check.h"
#include "clockwise/clockwise_c.h"
#include "failing_new.h"

static const char kMembers[] =
    "{\"schema\": 1, \"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\","
    " \"address\": \"an address too long to be kept within a string\"}]}";

static cw_node node_called(const char* id) {
  cw_node node;
  cw_node_init(&node);
  node.id = cw_text(id);
  return node;
}

static cw_builder* builder_of_a(const cw_ring_options* options) {
  cw_builder* builder = NULL;
  CHECK(cw_builder_create(options, &builder, NULL) == CW_OK);
  if (builder == NULL) exit(1);
  const cw_node node = node_called("a");
  if (options == NULL) CHECK(cw_builder_add(builder, &node, NULL) == CW_OK);
  return builder;
}

static void test_numbers_have_names(void) {
  CHECK(strcmp(cw_status_name(CW_OK), "ok") == 0);
  CHECK(strcmp(cw_status_name(CW_TOO_MANY_POINTS), "too_many_points") == 0);
  CHECK(strcmp(cw_status_name(CW_BAD_MEMBERS), "bad_members") == 0);
  CHECK(strcmp(cw_status_name(CW_IO), "io") == 0);
  CHECK(strcmp(cw_status_name(CW_INVALID_ARGUMENT), "invalid_argument") == 0);
  CHECK(strcmp(cw_status_name(CW_SUSPICIOUS_CHANGE), "suspicious_change") == 0);
  CHECK(strcmp(cw_status_name(CW_BAD_RING_FILE), "bad_ring_file") == 0);
  CHECK(strcmp(cw_status_name((cw_status)63), "unknown") == 0);
  CHECK(strcmp(cw_status_name((cw_status)256), "unknown") == 0);
  CHECK(strcmp(cw_layout_name(CW_LAYOUT_SPLUS), "splus") == 0);
  CHECK(strcmp(cw_layout_name(CW_LAYOUT_AUTO), "unknown") == 0);
  CHECK(strcmp(cw_key_hash_name(CW_KEY_HASH_MURMUR3_32), "murmur3-32") == 0);
  CHECK(strcmp(cw_key_hash_name((cw_key_hash)3), "unknown") == 0);
}

static void test_options_out_of_range_are_refused(void) {
  cw_ring_options bad[6];
  const char* says[] = {"vnodes 0",   "width 48", "max_points",
                        "key_hash 3", "layout 4", "layout -2"};
  for (size_t i = 0; i < COUNT(bad); ++i) {
    cw_ring_options_init(&bad[i], sizeof bad[i]);
  }
  bad[0].vnodes = 0;
  bad[1].width = 48;
  bad[2].max_points = UINT64_MAX;
  bad[3].key_hash = 3;
  bad[4].layout = 4;
  bad[5].layout = -2;
  for (size_t i = 0; i < COUNT(bad); ++i) {
    cw_error error;
    cw_builder* builder = (cw_builder*)&error;
    const cw_status answer = cw_builder_create(&bad[i], &builder, &error);
    CHECK(is_refusal(answer, &error, CW_INVALID_OPTIONS, says[i]));
    CHECK(builder == NULL);
  }
}

static void test_options_of_other_versions(void) {
  // As a program compiled against a later header would see it.
  struct later_options {
    cw_ring_options options;
    uint64_t later;
  } options;
  cw_error error;
  cw_builder* builder = NULL;
  cw_ring_options_init(&options.options, sizeof options);
  CHECK(cw_builder_create(&options.options, &builder, &error) == CW_OK);
  cw_builder_free(builder);
  options.later = 1;
  cw_status answer = cw_builder_create(&options.options, &builder, &error);
  CHECK(is_refusal(answer, &error, CW_INVALID_ARGUMENT, "does not know"));
  const size_t sizes[] = {0, sizeof(cw_ring_options) - 1, SIZE_MAX};
  for (size_t i = 0; i < COUNT(sizes); ++i) {
    options.options.struct_size = sizes[i];
    answer = cw_builder_create(&options.options, &builder, &error);
    CHECK(is_refusal(answer, &error, CW_INVALID_ARGUMENT, "struct_size"));
  }
}

static void test_bad_nodes_are_refused_and_change_nothing(void) {
  cw_builder* builder = builder_of_a(NULL);
  cw_error error;
  cw_node node = node_called("");
  cw_status answer = cw_builder_add(builder, &node, &error);
  CHECK(is_refusal(answer, &error, CW_BAD_NODE_ID, "empty"));
  node = node_called("a");
  node.thousandths = 2000;
  answer = cw_builder_add(builder, &node, &error);
  CHECK(is_refusal(answer, &error, CW_DUPLICATE_NODE, "'a'"));
  node.thousandths = 1000000001;
  answer = cw_builder_update(builder, &node, &error);
  CHECK(is_refusal(answer, &error, CW_BAD_WEIGHT, "1000000"));
  answer = cw_builder_set_weight(builder, "a", 1, UINT64_MAX, &error);
  CHECK(is_refusal(answer, &error, CW_BAD_WEIGHT, "1000000"));
  char label[256] = {0};
  memset(label, 'z', 256);
  node = node_called("b");
  node.zone.data = label;
  node.zone.size = sizeof label;
  answer = cw_builder_add(builder, &node, &error);
  CHECK(is_refusal(answer, &error, CW_BAD_NODE, "256 bytes; at most 255"));
  node = node_called("b");
  answer = cw_builder_update(builder, &node, &error);
  CHECK(is_refusal(answer, &error, CW_UNKNOWN_NODE, "'b'"));
  answer = cw_builder_set_weight(builder, "b", 1, 1000, &error);
  CHECK(is_refusal(answer, &error, CW_UNKNOWN_NODE, "'b'"));
  answer = cw_builder_remove(builder, "b", 1, &error);
  CHECK(is_refusal(answer, &error, CW_UNKNOWN_NODE, "'b'"));
  cw_ring* ring = NULL;
  CHECK(cw_builder_build(builder, 0, &ring, NULL) == CW_OK);
  CHECK(cw_ring_node_count(ring) == 1 && cw_ring_point_count(ring) == 512);
  cw_ring_free(ring);
  cw_builder_free(builder);
}

static void test_points_are_checked(void) {
  const uint64_t low_bits[] = {1};
  cw_error error;
  cw_node node = node_called("b");
  cw_builder* native = builder_of_a(NULL);
  cw_status answer = cw_builder_add_points(native, &node, low_bits, 1, &error);
  CHECK(is_refusal(answer, &error, CW_INVALID_OPTIONS, "derives its own"));
  cw_builder_free(native);

  cw_ring_options options;
  cw_ring_options_init(&options, sizeof options);
  options.scheme = cw_text("points");
  options.width = 32;
  cw_builder* builder = builder_of_a(&options);
  answer = cw_builder_add(builder, &node, &error);
  CHECK(is_refusal(answer, &error, CW_INVALID_OPTIONS, "needs its points"));
  answer = cw_builder_add_points(builder, &node, low_bits, 1, &error);
  CHECK(is_refusal(answer, &error, CW_BAD_POSITION, "low bits"));
  answer = cw_builder_add_points(builder, &node, NULL, 1, &error);
  CHECK(is_refusal(answer, &error, CW_INVALID_ARGUMENT, "positions is NULL"));
  node.thousandths = 0;
  answer = cw_builder_add_points(builder, &node, low_bits, 1, &error);
  CHECK(is_refusal(answer, &error, CW_BAD_WEIGHT, "weight 0"));
  cw_builder_free(builder);
}

static void test_null_is_refused_by_name(void) {
  cw_error error;
  cw_builder* builder = (cw_builder*)&error;
  cw_ring* ring = NULL;
  const cw_node node = node_called("b");
  cw_node no_text = node;
  no_text.rack.size = 1;
#define REFUSES(call, what) \
  CHECK(is_refusal(call, &error, CW_INVALID_ARGUMENT, what))
  REFUSES(cw_builder_create(NULL, NULL, &error), "handle is NULL");
  REFUSES(cw_builder_from_ring(NULL, &builder, &error), "ring is NULL");
  CHECK(builder == NULL);
  builder = builder_of_a(NULL);
  REFUSES(cw_builder_add(NULL, &node, &error), "builder is NULL");
  REFUSES(cw_builder_add(builder, NULL, &error), "node is NULL");
  REFUSES(cw_builder_add(builder, &no_text, &error), "node.rack is NULL");
  REFUSES(cw_builder_update(NULL, &node, &error), "builder is NULL");
  REFUSES(cw_builder_update(builder, NULL, &error), "node is NULL");
  REFUSES(cw_builder_add_points(NULL, &node, NULL, 0, &error),
          "builder is NULL");
  REFUSES(cw_builder_set_weight(NULL, "a", 1, 1, &error), "builder is NULL");
  REFUSES(cw_builder_set_weight(builder, NULL, 1, 1, &error), "id is NULL");
  REFUSES(cw_builder_remove(NULL, "a", 1, &error), "builder is NULL");
  REFUSES(cw_builder_remove(builder, NULL, 1, &error), "id is NULL");
  REFUSES(cw_builder_build(NULL, 0, &ring, &error), "builder is NULL");
  REFUSES(cw_builder_build(builder, 0, NULL, &error), "handle is NULL");
  REFUSES(cw_ring_load_members(NULL, &ring, &error), "path is NULL");
  REFUSES(cw_ring_load_members(".", NULL, &error), "handle is NULL");
  REFUSES(cw_ring_parse_members(NULL, 1, NULL, &ring, &error), "text is NULL");
  REFUSES(cw_ring_parse_members("", 0, NULL, NULL, &error), "handle is NULL");
#undef REFUSES
  CHECK(ring == NULL);
  cw_builder_free(builder);
  cw_builder_free(NULL);
  cw_ring_free(NULL);
}

static cw_status parse(const char* text, const char* source, cw_ring** ring,
                       cw_error* error) {
  return cw_ring_parse_members(text, strlen(text), source, ring, error);
}

static void test_members_are_refused_with_their_reason(void) {
  cw_error error;
  cw_ring* ring = (cw_ring*)&error;
  cw_status answer = parse("{\"schema\": 2}", "here", &ring, &error);
  CHECK(is_refusal(answer, &error, CW_BAD_MEMBERS, "here:1:12: schema: 2"));
  CHECK(ring == NULL);
  answer = parse("", NULL, &ring, &error);
  CHECK(is_refusal(answer, &error, CW_BAD_MEMBERS, "members: is empty"));
  answer = parse(
      "{\"schema\": 1, \"ring\": {\"max_points\": 1},"
      " \"nodes\": [{\"id\": \"a\"}]}",
      "here", &ring, &error);
  CHECK(
      is_refusal(answer, &error, CW_TOO_MANY_POINTS, "here: ring: needs 512"));
  answer = cw_ring_load_members("/nowhere/at all", &ring, &error);
  CHECK(is_refusal(answer, &error, CW_IO, "/nowhere/at all: No such file"));
  answer = cw_ring_load_members(".", &ring, &error);
  CHECK(is_refusal(answer, &error, CW_IO, ".: is a directory"));
  CHECK(parse("", NULL, &ring, NULL) == CW_BAD_MEMBERS);
}

// A source of `size` bytes 'x' and then `end`, whose message passes 511 bytes.
static void refuse_with(size_t size, const char* end, cw_error* error) {
  char source[600];
  memset(source, 'x', size);
  strcpy(source + size, end);
  memset(error, '#', sizeof *error);
  cw_ring* ring;
  CHECK(parse("", source, &ring, error) == CW_BAD_MEMBERS);
}

static void test_long_messages_are_cut_between_characters(void) {
  cw_error error;
  refuse_with(499, "", &error);  // and ": is empty", 10 bytes
  CHECK(strlen(error.message) == 509 && strstr(error.message, "empty"));
  refuse_with(501, "", &error);
  CHECK(strlen(error.message) == 511 && strstr(error.message, "empty"));
  refuse_with(502, "", &error);
  CHECK(strlen(error.message) == 511);
  CHECK(strcmp(error.message + 502, ": is e...") == 0);
  const char snowman[] = "\xE2\x98\x83 and more of it";
  refuse_with(505, snowman, &error);  // fits before the dots
  CHECK(strcmp(error.message + 504, "x\xE2\x98\x83...") == 0);
  refuse_with(506, snowman, &error);
  CHECK(strcmp(error.message + 505, "x...") == 0);
  refuse_with(507, snowman, &error);
  CHECK(strcmp(error.message + 506, "x...") == 0);
}

static void test_messages_show_nul_as_a_question_mark(void) {
  cw_error error;
  cw_builder* builder = builder_of_a(NULL);
  const cw_status answer = cw_builder_remove(builder, "x\0y", 3, &error);
  CHECK(is_refusal(answer, &error, CW_UNKNOWN_NODE, "'x?y'"));
  cw_builder_free(builder);
}

// The calls that allocate, with what they work on.
struct world {
  cw_builder* builder;  // of `ring`, changed by each call
  cw_ring* ring;
};

static cw_status call(int i, struct world* w, cw_error* error) {
  // Longer than a std::string keeps within itself.
  static const char kId[] = "a node with an id that is long";
  const cw_node node = node_called(kId);
  cw_node b = node_called("b");
  b.zone = cw_text("a zone whose name is as long");
  cw_ring* ring = NULL;
  cw_builder* builder = NULL;
  cw_status status = CW_OK;
  switch (i) {
    case 0:
      status = cw_builder_create(NULL, &builder, error);
      break;
    case 1:
      status = cw_builder_from_ring(w->ring, &builder, error);
      break;
    case 2:
      status = cw_builder_add(w->builder, &node, error);
      break;
    case 3:
      status = cw_builder_update(w->builder, &b, error);
      break;
    case 4:
      status = cw_builder_set_weight(w->builder, "b", 1, 1500, error);
      break;
    case 5:
      status = cw_builder_build(w->builder, 0, &ring, error);
      break;
    case 6:
      status = cw_builder_remove(w->builder, kId, sizeof kId - 1, error);
      break;
    case 7:
      status = parse(kMembers, "the source of the members", &ring, error);
      break;
    case 9:
      status = cw_ring_copy(w->ring, 1, &ring, error);
      break;
    case 10: {
      cw_digest digest;
      status = cw_ring_records_digest(w->ring, &digest, error);
      break;
    }
    case 8:
      status = cw_ring_load_members("/nowhere/at all, I say", &ring, error);
      if (status == CW_IO) status = CW_OK;  // as it should be with memory
      break;
  }
  if (status != CW_OK) CHECK(ring == NULL && builder == NULL);
  cw_ring_free(ring);
  cw_builder_free(builder);
  return status;
}

static void digest_of(const cw_builder* builder, char hex[33]) {
  cw_ring* ring = NULL;
  CHECK(cw_builder_build(builder, 0, &ring, NULL) == CW_OK);
  if (ring == NULL) exit(1);
  cw_ring_digest_hex(ring, hex);
  cw_ring_free(ring);
}

static void test_want_of_memory_is_a_status(void) {
  struct world w;
  CHECK(parse(kMembers, NULL, &w.ring, NULL) == CW_OK);
  CHECK(cw_builder_from_ring(w.ring, &w.builder, NULL) == CW_OK);
  for (int i = 0; i <= 10; ++i) {
    char before[33], after[33];
    digest_of(w.builder, before);
    long allocations = 0;
    for (;; ++allocations) {
      cw_error error;
      fail_allocations_after(allocations);
      const cw_status status = call(i, &w, &error);
      stop_failing();
      if (status == CW_OK) break;
      CHECK(is_refusal(status, &error, CW_OUT_OF_MEMORY, "out of memory"));
      digest_of(w.builder, after);
      CHECK(strcmp(before, after) == 0);
    }
    CHECK(allocations > 0);
  }
  cw_builder_free(w.builder);
  cw_ring_free(w.ring);
}

int main(void) {
  test_numbers_have_names();
  test_options_out_of_range_are_refused();
  test_options_of_other_versions();
  test_bad_nodes_are_refused_and_change_nothing();
  test_points_are_checked();
  test_null_is_refused_by_name();
  test_members_are_refused_with_their_reason();
  test_long_messages_are_cut_between_characters();
  test_messages_show_nul_as_a_question_mark();
  test_want_of_memory_is_a_status();
  return check_failures != 0;
}
