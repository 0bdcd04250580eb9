// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface, from C: ring files.
#include <stdlib.h>

#include "capi_check.h"
#include "clockwise/clockwise_ring_file_c.h"

// The folder that the test may write to.
static const char* folder;

static const char* path_of(const char* name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static cw_ring* make_ring(void) {
  static const char members[] =
      "{\"schema\": 1, \"epoch\": 7, \"nodes\": [{\"id\": \"a\"}, "
      "{\"id\": \"b\", \"weight\": 2}]}";
  cw_ring* ring = NULL;
  CHECK(cw_ring_parse_members(members, sizeof members - 1, NULL, &ring, NULL) ==
        CW_OK);
  return ring;
}

static void test_a_saved_ring_is_loaded(void) {
  cw_ring* ring = make_ring();
  cw_error error;
  char path[4096];
  snprintf(path, sizeof path, "%s", path_of("capi.cwr"));
  CHECK(cw_ring_save(ring, path, &error) == CW_OK);
  for (int mode = CW_LOAD_MAP; mode <= CW_LOAD_COPY; ++mode) {
    for (int check = CW_CHECK_FULL; check <= CW_CHECK_TRUSTED_WRITER_ONLY;
         ++check) {
      for (int layout = CW_LAYOUT_AUTO; layout <= CW_LAYOUT_LINE; ++layout) {
        cw_ring_load_options options;
        cw_ring_load_options_init(&options, sizeof options);
        options.mode = mode;
        options.check = check;
        options.layout = layout;
        cw_ring* loaded = NULL;
        unsigned fault = 99;
        CHECK(cw_ring_load(path, &options, &loaded, &fault, &error) == CW_OK);
        CHECK(fault == 0 && error.message[0] == '\0');
        CHECK(cw_ring_epoch(loaded) == 7);
        for (uint64_t i = 0; i < 1000; ++i) {
          const uint64_t hash = i * UINT64_C(0x9E3779B97F4A7C15);
          CHECK(cw_ring_owner_of_hash(loaded, hash) ==
                cw_ring_owner_of_hash(ring, hash));
        }
        cw_ring_free(loaded);
      }
    }
  }
  CHECK(remove(path) == 0);
  cw_ring_free(ring);
}

static void test_refusals_say_why(void) {
  cw_ring* ring = make_ring();
  cw_ring* none = ring;
  cw_error error;
  unsigned fault = 99;
  const char* path = path_of("capi-bad.cwr");
  CHECK(is_refusal(cw_ring_load(path, NULL, &none, &fault, &error), &error,
                   CW_IO, "cannot be opened"));
  CHECK(none == NULL && fault == 0);
  FILE* file = fopen(path, "w");
  CHECK(file != NULL && fputs("hello", file) >= 0 && fclose(file) == 0);
  CHECK(is_refusal(cw_ring_load(path, NULL, &none, &fault, &error), &error,
                   CW_BAD_RING_FILE, "not_ring_file"));
  CHECK(fault == 1);
  CHECK(strcmp(cw_ring_file_fault_name(fault), "not_ring_file") == 0);
  CHECK(strcmp(cw_ring_file_fault_name(28), "derived_points") == 0);
  CHECK(strcmp(cw_ring_file_fault_name(29), "unknown") == 0);
  CHECK(cw_ring_load(path, NULL, &none, NULL, NULL) == CW_BAD_RING_FILE);
  CHECK(remove(path) == 0);
  CHECK(is_refusal(cw_ring_save(ring, "/no/such/folder/r", &error), &error,
                   CW_IO, "cannot be made"));
  cw_ring_free(ring);
}

static void test_arguments_are_checked(void) {
  cw_ring* ring = make_ring();
  cw_ring* none = NULL;
  cw_error error;
  CHECK(is_refusal(cw_ring_load(NULL, NULL, &none, NULL, &error), &error,
                   CW_INVALID_ARGUMENT, "path is NULL"));
  CHECK(cw_ring_load("x", NULL, NULL, NULL, NULL) == CW_INVALID_ARGUMENT);
  CHECK(is_refusal(cw_ring_save(NULL, "x", &error), &error, CW_INVALID_ARGUMENT,
                   "ring is NULL"));
  CHECK(is_refusal(cw_ring_save(ring, NULL, &error), &error,
                   CW_INVALID_ARGUMENT, "path is NULL"));
  for (int field = 0; field < 4; ++field) {
    cw_ring_load_options options;
    cw_ring_load_options_init(&options, sizeof options);
    const char* const names[] = {"mode", "check", "layout", "reserved"};
    int32_t* const fields[] = {&options.mode, &options.check, &options.layout,
                               &options.reserved};
    *fields[field] = 4;
    CHECK(is_refusal(cw_ring_load("x", &options, &none, NULL, &error), &error,
                     CW_INVALID_OPTIONS, names[field]));
    *fields[field] = -2;
    CHECK(cw_ring_load("x", &options, &none, NULL, NULL) == CW_INVALID_OPTIONS);
  }
  cw_ring_load_options options = {0};
  CHECK(is_refusal(cw_ring_load("x", &options, &none, NULL, &error), &error,
                   CW_INVALID_ARGUMENT, "struct_size"));
  cw_ring_free(ring);
}

int main(int argc, char** argv) {
  folder = argc > 1 ? argv[1] : ".";
  test_a_saved_ring_is_loaded();
  test_refusals_say_why();
  test_arguments_are_checked();
  return check_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
