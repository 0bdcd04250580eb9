// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// XXH3 of keys above 240 bytes: the only ones for which xxHash has SIMD code,
// fixed by compiler flags, so that each variant is a file with flags of its own
// and one is chosen at run time. All give the same value.
//
// Included by those files: keep inline code of others out of it.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace clockwise::hash_internal {

inline constexpr size_t kXxh3ShortMax = 240;

struct Xxh3LongCode {
  const char* name;
  uint64_t (*hash64)(const void* key, size_t size, uint64_t seed) noexcept;
  // high_low[0] is the high half of the 128-bit hash, high_low[1] the low one.
  void (*hash128)(const void* key, size_t size, uint64_t seed,
                  uint64_t* high_low) noexcept;
};

extern const Xxh3LongCode kXxh3LongBaseline;
extern const Xxh3LongCode kXxh3LongAvx2;    // in x86-64 builds only
extern const Xxh3LongCode kXxh3LongAvx512;  // in x86-64 builds only

// Returns the i-th of those that this CPU can run, best first; null past them.
const Xxh3LongCode* Xxh3LongAt(size_t i) noexcept;

// Xxh3LongAt(0)'s functions. `size` is above kXxh3ShortMax.
uint64_t Xxh3Long64(const void* key, size_t size, uint64_t seed) noexcept;
void Xxh3Long128(const void* key, size_t size, uint64_t seed,
                 uint64_t* high_low) noexcept;

}  // namespace clockwise::hash_internal
