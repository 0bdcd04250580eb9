// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A ring by the C++ interface, for a test in C to compare with.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Builds the ring that the functions below answer from, in place of the last.
// Returns whether it could.
int reference_build(const char* members);

uint32_t reference_owner(const void* key, size_t size);
uint32_t reference_owner_of_hash(uint64_t hash);
uint64_t reference_hash(const void* key, size_t size);
size_t reference_replicas(uint64_t hash, size_t count, uint32_t* nodes);
uint32_t reference_points(void);
void reference_digest(uint64_t* high, uint64_t* low, char hex[33]);

#ifdef __cplusplus
}
#endif
