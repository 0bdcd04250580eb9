// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A heap of C++ that runs out of memory when a test wants it, on all threads.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Lets `count` more allocations succeed, and none after them.
void fail_allocations_after(long count);
// Lets them succeed again. Returns how many failed.
long stop_failing(void);

#ifdef __cplusplus
}
#endif
