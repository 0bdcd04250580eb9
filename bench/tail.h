// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Percentiles of very many short times.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clockwise::bench {

// Counts times in ticks: each short one exactly, in a table that a first-level
// cache holds, and long ones in a list.
class Tail {
 public:
  Tail() { long_.reserve(size_t{1} << 20); }

  void Add(uint64_t ticks) {
    ++count_;
    if (ticks < kShort) [[likely]] {
      ++short_[ticks];
    } else {
      long_.push_back(ticks);
    }
  }

  void Add(const Tail& other) {
    count_ += other.count_;
    for (size_t ticks = 0; ticks < kShort; ++ticks) {
      short_[ticks] += other.short_[ticks];
    }
    long_.insert(long_.end(), other.long_.begin(), other.long_.end());
  }

  [[nodiscard]] uint64_t count() const { return count_; }

  // The least time that `share` of all times do not exceed; 1: the longest. 0
  // where no time was added.
  [[nodiscard]] uint64_t Percentile(double share) {
    if (count_ == 0) return 0;
    auto rank = static_cast<uint64_t>(share * static_cast<double>(count_ - 1));
    for (size_t ticks = 0; ticks < kShort; ++ticks) {
      if (rank < short_[ticks]) return ticks;
      rank -= short_[ticks];
    }
    std::nth_element(long_.begin(), long_.begin() + static_cast<long>(rank),
                     long_.end());
    return long_[rank];
  }

 private:
  static constexpr size_t kShort = 2048;

  uint64_t count_ = 0;
  std::array<uint32_t, kShort> short_ = {};
  std::vector<uint64_t> long_;
};

}  // namespace clockwise::bench
