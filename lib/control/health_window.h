// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What threads tell of a node, and what a window of intervals remembers of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "clockwise/health.h"

namespace clockwise {

inline constexpr uint32_t kMaxWindowIntervals = 64;

// Told since the last evaluation.
struct Outcomes {
  uint64_t successes = 0;
  uint64_t failures = 0;
  uint64_t latency = 0;  // of all successes, in nanoseconds; saturates

  Outcomes& operator+=(const Outcomes& other) noexcept {
    successes += other.successes;
    failures += other.failures;
    latency = latency > UINT64_MAX - other.latency ? UINT64_MAX
                                                   : latency + other.latency;
    return *this;
  }
};

// A node's cache line, which requests write. All relaxed: the counts order
// nothing, and an outcome that is told during an evaluation is of this interval
// or of the next one.
class alignas(64) OutcomeCounters {
 public:
  // An hour: 2^64 ns are five million of them, more than an interval sees.
  static constexpr uint64_t kMaxLatency = 3'600'000'000'000;

  void Succeed(int64_t latency) noexcept {
    const auto counted = static_cast<uint64_t>(
        std::clamp<int64_t>(latency, 0, static_cast<int64_t>(kMaxLatency)));
    successes_.fetch_add(1, std::memory_order_relaxed);
    latency_.fetch_add(counted, std::memory_order_relaxed);
    // Read first: in good times nobody writes it.
    if (run_.load(std::memory_order_relaxed) != 0) {
      run_.store(0, std::memory_order_relaxed);
    }
  }
  // `limit` failures in a row are remembered until they are taken; 0: never.
  void Fail(uint32_t limit) noexcept {
    failures_.fetch_add(1, std::memory_order_relaxed);
    const uint32_t run = run_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (run == limit) has_tripped_.store(true, std::memory_order_relaxed);
  }

  Outcomes Take() noexcept {
    return {successes_.exchange(0, std::memory_order_relaxed),
            failures_.exchange(0, std::memory_order_relaxed),
            latency_.exchange(0, std::memory_order_relaxed)};
  }
  // Whether there were `limit` failures in a row since it was asked last, or
  // are now.
  bool TakeTripped(uint32_t limit) noexcept {
    const bool is_run =
        limit != 0 && run_.load(std::memory_order_relaxed) >= limit;
    return has_tripped_.exchange(false, std::memory_order_relaxed) || is_run;
  }
  // Begins a run anew: failures before it were another time's.
  void Forget() noexcept {
    Take();
    has_tripped_.store(false, std::memory_order_relaxed);
    run_.store(0, std::memory_order_relaxed);
  }

  [[nodiscard]] HealthLevel level() const noexcept {
    return level_.load(std::memory_order_relaxed);
  }
  void set_level(HealthLevel level) noexcept {
    level_.store(level, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> successes_{0};
  std::atomic<uint64_t> failures_{0};
  std::atomic<uint64_t> latency_{0};
  std::atomic<uint32_t> run_{0};
  std::atomic<HealthLevel> level_{kFullLevel};
  std::atomic<bool> has_tripped_{false};
};
static_assert(sizeof(OutcomeCounters) == 64);

// The last intervals of a node.
class OutcomeWindow {
 public:
  OutcomeWindow() = default;
  explicit OutcomeWindow(uint32_t intervals) : kept_(intervals) {}

  void Add(const Outcomes& outcomes) noexcept {
    next_ = next_ + 1 < kept_.size() ? next_ + 1 : 0;
    kept_[next_] = outcomes;
  }
  [[nodiscard]] Outcomes Sum() const noexcept {
    Outcomes sum;
    for (const Outcomes& interval : kept_) sum += interval;
    return sum;
  }
  void Forget() noexcept { std::fill(kept_.begin(), kept_.end(), Outcomes()); }

 private:
  std::vector<Outcomes> kept_;
  size_t next_ = 0;
};

}  // namespace clockwise
