// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A clock for single lookups: the CPU's counter, read in order with what is
// timed. Where it cannot be read, the system's clock in nanoseconds.
#pragma once

#include <time.h>

#include <cstdint>

namespace clockwise::bench {

inline uint64_t Nanoseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(t.tv_nsec);
}

inline uint64_t Ticks() {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
  const uint64_t ticks = __builtin_ia32_rdtsc();
  __builtin_ia32_lfence();
  return ticks;
#elif defined(__aarch64__)
  uint64_t ticks;
  asm volatile("isb\n mrs %0, cntvct_el0\n isb" : "=r"(ticks) : : "memory");
  return ticks;
#else
  return Nanoseconds();
#endif
}

// Measured against the system's clock for 20 ms.
inline double TicksPerNanosecond() {
  const uint64_t begin = Nanoseconds();
  const uint64_t first = Ticks();
  while (Nanoseconds() - begin < 20'000'000) {
  }
  return static_cast<double>(Ticks() - first) /
         static_cast<double>(Nanoseconds() - begin);
}

}  // namespace clockwise::bench
