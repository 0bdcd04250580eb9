// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The points of a ring that are still walked to, as they are taken away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace clockwise {

// A disjoint set for each run of removed points and the live one after it: to
// find that one costs about O(1), however many were removed.
class LivePoints {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  // All of `count` points live. May throw std::bad_alloc.
  explicit LivePoints(uint32_t count) : next_(size_t{count} + 1) {
    std::iota(next_.begin(), next_.end(), uint32_t{0});
  }

  [[nodiscard]] bool Contains(uint32_t i) const noexcept {
    return next_[i] == i;
  }
  void Remove(uint32_t i) noexcept {
    if (Contains(i)) next_[i] = i + 1;
  }
  // Returns the first live point at or after `i`, going round; kNone if there
  // is none.
  [[nodiscard]] uint32_t At(uint32_t i) noexcept {
    const auto end = static_cast<uint32_t>(next_.size() - 1);
    uint32_t found = Root(i);
    if (found == end) found = Root(0);
    return found == end ? kNone : found;
  }

 private:
  // Halves the path as it goes.
  uint32_t Root(uint32_t i) noexcept {
    while (next_[i] != i) i = next_[i] = next_[next_[i]];
    return i;
  }

  std::vector<uint32_t> next_;  // itself where live; the last is past the end
};

}  // namespace clockwise
