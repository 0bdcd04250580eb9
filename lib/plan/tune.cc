// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/tune.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

#include "base/out_of_memory.h"
#include "clockwise/balance.h"
#include "clockwise/simulate.h"
#include "placement/points.h"
#include "plan/live_points.h"

namespace clockwise {
namespace {

// A ring that gets fewer and fewer vnodes. Points of fewer vnodes are a prefix
// of those of more, so each step only takes points away, and each hands its arc
// to the next one that is left.
class ShrinkingRing {
 public:
  ShrinkingRing(const Ring& ring, std::span<const LoadUnits> units)
      : ring_(ring),
        units_(units.begin(), units.end()),
        live_(static_cast<uint32_t>(ring.point_count())),
        shares_(ExactShares(ring)),
        dues_(DuesOf(ring)),
        points_(ring.point_count()) {
    FindPlaces();
  }

  [[nodiscard]] VnodesBalance Measure(uint32_t vnodes) const {
    VnodesBalance found;
    found.vnodes = vnodes;
    found.points = points_;
    found.low = HUGE_VAL;
    double squares = 0;
    uint32_t count = 0;
    for (size_t slot = 0; slot < dues_.size(); ++slot) {
      if (!dues_[slot].is_placed) continue;
      const double ratio = ToFraction(shares_[slot]) / dues_[slot].share;
      found.peak = std::max(found.peak, ratio);
      found.low = std::min(found.low, ratio);
      squares += (ratio - 1) * (ratio - 1);
      ++count;
    }
    found.deviation = std::sqrt(squares / count);
    return found;
  }

  // To one vnode less than `vnodes`, which it has; those are at least 2.
  void ShrinkFrom(uint32_t vnodes) {
    for (NodeIndex slot = 0; slot < ring_.slot_count(); ++slot) {
      const Weight weight = ring_.node(slot).weight;
      const uint64_t least = PointCount(weight, vnodes - 1);
      for (uint64_t i = PointCount(weight, vnodes); i > least; --i) {
        Remove(places_[first_[slot] + i - 1]);
      }
    }
  }

 private:
  // Finds where on the circle each point of each node is.
  void FindPlaces() {
    const uint64_t mask = ring_.width() == 32 ? 0xFFFFFFFF00000000u : ~0ull;
    std::vector<bool> is_taken(points_);
    places_.reserve(points_);
    for (NodeIndex slot = 0; slot < ring_.slot_count(); ++slot) {
      first_.push_back(places_.size());
      const NodeView node = ring_.node(slot);
      ForEachPoint(node.id, ring_.seed(), 0, node.points, [&](uint64_t hash) {
        // Points of one position lie in the order of this loop: by id, as slots
        // of a full build are, then by number.
        size_t at = ring_.PointAt(hash & mask);
        while (is_taken[at]) ++at;
        is_taken[at] = true;
        places_.push_back(static_cast<uint32_t>(at));
      });
    }
  }

  void Remove(uint32_t point) {
    live_.Remove(point);
    const uint32_t heir = live_.At(point);
    shares_[ring_.OwnerAt(point)] -= units_[point];
    shares_[ring_.OwnerAt(heir)] += units_[point];
    units_[heir] += units_[point];
    --points_;
  }

  const Ring& ring_;
  std::vector<LoadUnits> units_;  // of the arc that ends at each live point
  LivePoints live_;
  std::vector<HashCount> shares_;  // by slot
  std::vector<Due> dues_;
  uint64_t points_;
  std::vector<size_t> first_;     // by slot, of places_
  std::vector<uint32_t> places_;  // of each node's points, in their order
};

Status CheckSweep(const RingOptions& options, std::span<const Node> nodes,
                  uint32_t max_vnodes) {
  if (options.scheme != kNativeScheme) {
    return {Code::kInvalidOptions, "scheme " + options.scheme +
                                       " has no vnodes to choose; only " +
                                       std::string(kNativeScheme) + " has"};
  }
  if (max_vnodes == 0 || max_vnodes > kMaxVnodes) {
    return {Code::kInvalidOptions,
            "max_vnodes " + std::to_string(max_vnodes) + "; 1 to 65536"};
  }
  if (std::ranges::all_of(nodes, [](const Node& node) {
        return node.weight.thousandths() == 0;
      })) {
    return {Code::kInvalidArgument, "no node has a weight"};
  }
  return {};
}

Result<Ring> BuildLargest(RingOptions options, std::span<const Node> nodes,
                          uint32_t vnodes, BlockSource* source) {
  options.vnodes = vnodes;
  auto builder = RingBuilder::Create(std::move(options));
  if (!builder.ok()) return builder.status();
  for (const Node& node : nodes) {
    if (Status s = builder.value().Add(node); !s.ok()) return s;
  }
  return builder.value().Build(0, source);
}

}  // namespace

Result<std::vector<VnodesBalance>> SweepVnodes(const RingOptions& options,
                                               std::span<const Node> nodes,
                                               uint32_t max_vnodes,
                                               BlockSource* source) try {
  if (Status s = CheckSweep(options, nodes, max_vnodes); !s.ok()) return s;
  const auto ring = BuildLargest(options, nodes, max_vnodes, source);
  if (!ring.ok()) return ring.status();
  const auto arcs = ArcLoads::OfCircle(ring.value());
  if (!arcs.ok()) return arcs.status();
  ShrinkingRing shrinking(ring.value(), arcs.value().units());
  std::vector<VnodesBalance> sweep(max_vnodes);
  for (uint32_t vnodes = max_vnodes; vnodes > 0; --vnodes) {
    sweep[vnodes - 1] = shrinking.Measure(vnodes);
    if (vnodes > 1) shrinking.ShrinkFrom(vnodes);
  }
  return sweep;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

uint32_t LeastVnodes(std::span<const VnodesBalance> sweep,
                     double peak) noexcept {
  for (const VnodesBalance& each : sweep) {
    if (each.peak <= peak) return each.vnodes;
  }
  return 0;
}

uint32_t LeastSteadyVnodes(std::span<const VnodesBalance> sweep,
                           double peak) noexcept {
  uint32_t least = 0;
  for (size_t i = sweep.size(); i > 0 && sweep[i - 1].peak <= peak; --i) {
    least = sweep[i - 1].vnodes;
  }
  return least;
}

double PeakByChance(std::span<const Node> nodes, uint32_t vnodes) {
  double all = 0;
  for (const Node& node : nodes) {
    all += static_cast<double>(PointCount(node.weight, vnodes));
  }
  std::vector<double> deviations;
  for (const Node& node : nodes) {
    const uint64_t points = PointCount(node.weight, vnodes);
    if (points == 0) continue;
    deviations.push_back(ShareDeviation(static_cast<double>(points), all));
  }
  return ExpectedPeak(deviations);
}

uint32_t LeastVnodesByChance(std::span<const Node> nodes, double peak) {
  if (!(PeakByChance(nodes, kMaxVnodes) <= peak)) return 0;
  uint32_t low = 0;  // too few
  uint32_t high = kMaxVnodes;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (PeakByChance(nodes, middle) <= peak ? high : low) = middle;
  }
  return high;
}

}  // namespace clockwise
