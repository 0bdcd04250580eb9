// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "shares.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "text.h"

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

std::vector<uint64_t> CountSample(const AnyPlacement& placement) {
  constexpr size_t kBatch = 4096;
  std::vector<std::string> texts(kBatch);
  std::vector<std::string_view> keys(kBatch);
  std::vector<NodeIndex> owners(kBatch);
  std::vector<uint64_t> counts(placement.slot_count(), 0);
  for (uint64_t first = 0; first < kSampleKeys; first += kBatch) {
    for (size_t i = 0; i < kBatch; ++i) {
      texts[i] = Hex(Fmix64(first + i));
      keys[i] = texts[i];
    }
    placement.Owners(keys.data(), kBatch, owners.data());
    for (NodeIndex owner : owners) {
      if (owner != kNoNode) ++counts[owner];
    }
  }
  return counts;
}

std::vector<NodeIndex> NodesById(const AnyPlacement& placement) {
  std::vector<NodeIndex> nodes;
  for (NodeIndex slot = 0; slot < placement.slot_count(); ++slot) {
    if (!placement.node(slot).id.empty()) nodes.push_back(slot);
  }
  std::ranges::sort(nodes, {},
                    [&](NodeIndex n) { return placement.node(n).id; });
  return nodes;
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
