// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CW_CHECK: for our own mistakes, never for what came from outside.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace clockwise {

[[noreturn, gnu::cold]] inline void CheckFailed(const char* what,
                                                const char* file, int line) {
  std::fprintf(stderr, "%s:%d: clockwise is wrong: %s\n", file, line, what);
  std::abort();
}

}  // namespace clockwise

#define CW_CHECK(condition) \
  ((condition) ? void()     \
               : ::clockwise::CheckFailed(#condition, __FILE__, __LINE__))
