// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What ThreadSanitizer cannot see: liburcu is not built with it, so the order
// that a grace period makes is told to it by hand. Nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define CW_HAS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CW_HAS_TSAN 1
#endif
#endif

#ifdef CW_HAS_TSAN
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace clockwise::rcu {

inline char order_of_grace_periods;

// Before a thread says that it no longer reads.
inline void TsanRelease() noexcept {
#ifdef CW_HAS_TSAN
  __tsan_release(&order_of_grace_periods);
#endif
}

// After a grace period.
inline void TsanAcquire() noexcept {
#ifdef CW_HAS_TSAN
  __tsan_acquire(&order_of_grace_periods);
#endif
}

}  // namespace clockwise::rcu
