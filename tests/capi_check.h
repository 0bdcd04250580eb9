// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Checks for tests in C.
#pragma once

#include <stdio.h>
#include <string.h>

#include "clockwise/clockwise_c.h"

static int check_failures = 0;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++check_failures;                                                       \
    }                                                                         \
  } while (0)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// Whether a call answered `status` and `error` says so, with `text` in it.
static inline int is_refusal(cw_status answer, const cw_error* error,
                             cw_status status, const char* text) {
  const int is_so = answer == status && error->status == status &&
                    strstr(error->message, text) != NULL;
  if (!is_so) {
    fprintf(stderr, "%s: %s\n", cw_status_name(answer), error->message);
  }
  return is_so;
}
