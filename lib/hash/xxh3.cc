// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/hash.h"
#include "hash/xxh3_inline.h"
#include "hash/xxh3_long.h"

namespace clockwise {
namespace hash_internal {
namespace {

const Xxh3LongCode& Best() noexcept {
  static const Xxh3LongCode& best = *Xxh3LongAt(0);
  return best;
}

}  // namespace

const Xxh3LongCode* Xxh3LongAt(size_t i) noexcept {
  const Xxh3LongCode* here[4] = {};
  size_t count = 0;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) here[count++] = &kXxh3LongAvx512;
  if (__builtin_cpu_supports("avx2")) here[count++] = &kXxh3LongAvx2;
#endif
  here[count++] = &kXxh3LongBaseline;
  return i < count ? here[i] : nullptr;
}

uint64_t Xxh3Long64(const void* key, size_t size, uint64_t seed) noexcept {
  return Best().hash64(key, size, seed);
}

void Xxh3Long128(const void* key, size_t size, uint64_t seed,
                 uint64_t* high_low) noexcept {
  Best().hash128(key, size, seed, high_low);
}

}  // namespace hash_internal

uint64_t Xxh3_64(std::string_view key, uint64_t seed) noexcept {
  return hash_internal::Xxh3Inline(key.data(), key.size(), seed);
}

Hash128 Xxh3_128(std::string_view key, uint64_t seed) noexcept {
  return hash_internal::Xxh3Inline128(key.data(), key.size(), seed);
}

}  // namespace clockwise
