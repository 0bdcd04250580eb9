// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/balance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace clockwise {
namespace {

template <typename P>
double TotalWeight(const P& placement) {
  double total = 0;
  for (NodeIndex slot = 0; slot < placement.slot_count(); ++slot) {
    const NodeView node = placement.node(slot);
    if (!node.id.empty()) {
      total += static_cast<double>(node.weight.thousandths());
    }
  }
  return total;
}

// `points` is 0 for placements that are no rings.
template <typename P>
std::vector<Due> DuesOfNodes(const P& placement, bool is_ring, double points) {
  const double total = TotalWeight(placement);
  std::vector<Due> dues(placement.slot_count());
  for (NodeIndex slot = 0; slot < dues.size(); ++slot) {
    const NodeView node = placement.node(slot);
    if (node.id.empty() || total <= 0) continue;
    Due& due = dues[slot];
    due.share = static_cast<double>(node.weight.thousandths()) / total;
    due.is_placed = is_ring ? node.points > 0 : due.share > 0;
    if (is_ring && due.is_placed) {
      due.deviation = ShareDeviation(node.points, points);
    }
  }
  return dues;
}

}  // namespace

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

double ToFraction(HashCount count) noexcept {
  return std::ldexp(static_cast<double>(count), -64);
}

double ShareDeviation(double points, double all) noexcept {
  return std::sqrt((all - points) / (points * (all + 1)));
}

double ExpectedPeak(std::span<const double> deviations) noexcept {
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

double ChanceOf(double ratio, double deviation) noexcept {
  if (ratio <= 1) return 1;
  if (deviation <= 0) return 0;
  return std::exp(-(ratio - 1 - std::log(ratio)) / (deviation * deviation));
}

std::vector<Due> DuesOf(const Ring& ring) {
  return DuesOfNodes(ring, true, ring.point_count());
}

std::vector<Due> DuesOf(const AnyPlacement& placement) {
  if (placement.ring() != nullptr) return DuesOf(*placement.ring());
  return DuesOfNodes(placement, false, 0);
}

Balance BalanceOf(std::span<const Due> dues, std::vector<double> shares,
                  double keys) {
  Balance balance;
  balance.ratios.resize(dues.size());
  balance.deviations.resize(dues.size());
  for (size_t slot = 0; slot < dues.size(); ++slot) {
    const Due& due = dues[slot];
    if (!due.is_placed || due.share <= 0) continue;
    const double of_keys = keys > 0 ? (1 - due.share) / (due.share * keys) : 0;
    balance.ratios[slot] = shares[slot] / due.share;
    balance.deviations[slot] =
        std::sqrt(due.deviation * due.deviation + of_keys);
  }
  balance.shares = std::move(shares);
  balance.expected_peak = ExpectedPeak(balance.deviations);
  return balance;
}

Balance BalanceOf(std::span<const Due> dues, std::span<const uint64_t> counts) {
  double keys = 0;
  for (uint64_t count : counts) keys += static_cast<double>(count);
  std::vector<double> shares;
  for (uint64_t count : counts) {
    shares.push_back(keys > 0 ? static_cast<double>(count) / keys : 0);
  }
  return BalanceOf(dues, std::move(shares), keys);
}

std::string_view BalanceLevelName(BalanceLevel level) noexcept {
  constexpr std::string_view kNames[] = {"ok", "warn", "alarm"};
  const auto i = static_cast<size_t>(level);
  return i < std::size(kNames) ? kNames[i] : "unknown";
}

BalanceVerdict Judge(double ratio, double deviation, size_t nodes) noexcept {
  BalanceVerdict verdict;
  verdict.chance =
      std::min(1.0, ChanceOf(ratio, deviation) * static_cast<double>(nodes));
  const BalanceLevel level = LevelOfRatio(ratio);
  if (verdict.chance < kChanceLimit) {
    verdict.level = level;
  } else {
    verdict.is_by_chance = level != BalanceLevel::kOk;
  }
  return verdict;
}

}  // namespace clockwise
