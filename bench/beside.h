// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A thread that does what is measured, beside it.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>

#include "keys.h"

namespace clockwise::bench {

// From its making to its end, runs run(first, count) on stretches of kQueries
// from their middle on.
class Beside {
 public:
  template <typename Run>
  explicit Beside(Run run)
      : thread_([this, run = std::move(run)] {
          size_t first = kQueries / 2;
          while (!is_over_) {
            run(first, kStretch);
            first = (first + kStretch) % kQueries;
          }
        }) {}
  ~Beside() {
    is_over_ = true;
    thread_.join();
  }

 private:
  static constexpr size_t kStretch = 4096;
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

}  // namespace clockwise::bench
