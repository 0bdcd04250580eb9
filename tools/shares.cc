// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "shares.h"

#include <cmath>

namespace clockwise::tool {

std::vector<HashCount> ExactShares(const RingView& ring) {
  std::vector<HashCount> shares(ring.slot_count(), 0);
  const size_t points = ring.point_count();
  if (points == 0) return shares;
  // A point owns the hashes after the point before it, up to itself; one that
  // shares its position with the point before owns none. The first owns the
  // rest of the circle.
  const uint64_t first = ring.PositionAt(0);
  uint64_t before = first;
  for (size_t i = 1; i < points; ++i) {
    const uint64_t position = ring.PositionAt(i);
    shares[ring.OwnerAt(i)] += position - before;
    before = position;
  }
  shares[ring.OwnerAt(0)] += (HashCount{1} << 64) - (before - first);
  return shares;
}

double ToFraction(HashCount count) {
  return std::ldexp(static_cast<double>(count), -64);
}

double ShareDeviation(double points, double all) {
  return std::sqrt((all - points) / (points * (all + 1)));
}

double ExpectedPeak(std::span<const double> deviations) {
  const auto count_beyond = [&](double x) {
    double count = 0;
    for (double d : deviations) {
      if (d > 0) count += std::exp(-((x - 1) / d) * ((x - 1) / d) / 2);
    }
    return count;
  };
  double low = 1;
  double high = 2;
  while (count_beyond(high) > 1) high *= 2;
  while (high - low > 1e-4) {
    const double middle = (low + high) / 2;
    (count_beyond(middle) > 1 ? low : high) = middle;
  }
  return low;
}

}  // namespace clockwise::tool
