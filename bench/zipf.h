// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Keys of which few are asked for most of the time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clockwise::bench {

// Draws key k of `keys` with a probability proportional to 1 / (k +
// 1)^exponent.
class Zipf {
 public:
  Zipf(size_t keys, double exponent) {
    double sum = 0;
    for (size_t k = 1; k <= keys; ++k) {
      sum += std::pow(static_cast<double>(k), -exponent);
      sums_.push_back(sum);
    }
  }

  // The key that 64 random bits draw.
  [[nodiscard]] size_t operator()(uint64_t random) const {
    const double u = static_cast<double>(random >> 11) * 0x1p-53;
    const auto at =
        std::upper_bound(sums_.begin(), sums_.end(), u * sums_.back());
    return std::min(static_cast<size_t>(at - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
};

}  // namespace clockwise::bench
