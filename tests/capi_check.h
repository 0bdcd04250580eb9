// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Checks for tests in C.
#pragma once

#include <stdio.h>
#include <string.h>

static int check_failures = 0;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++check_failures;                                                       \
    }                                                                         \
  } while (0)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
