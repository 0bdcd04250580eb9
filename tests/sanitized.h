// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Whether this program has the address or the thread sanitizer, which take a
// multiple of the time and cannot do all that tests do. Asked when it runs:
// what is linked into it may be compiled without. For C, too.
#pragma once

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif
// Each is there with its sanitizer alone.
void __asan_init(void) __attribute__((weak));
void __tsan_init(void) __attribute__((weak));
#ifdef __cplusplus
}
#endif

static inline bool IsSanitized(void) {
  return __asan_init != 0 || __tsan_init != 0;
}
