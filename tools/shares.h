// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How much each node owns: of a ring's circle exactly, else of a sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/ring.h"

namespace clockwise::tool {

// A count of hashes out of 2^64; the whole circle is 2^64 itself.
__extension__ using HashCount = unsigned __int128;

// Returns what each slot owns; all together 2^64, or 0 for an empty ring.
// O(points).
std::vector<HashCount> ExactShares(const RingView& ring);

// As a fraction of the circle.
double ToFraction(HashCount count);

// What each node owns of the keys that are 16 hex digits of a mixed counter:
// for placements of which it cannot be told exactly.
inline constexpr uint64_t kSampleKeys = uint64_t{1} << 20;
std::vector<uint64_t> CountSample(const AnyPlacement& placement);

// The numbers of its nodes, by ascending id.
std::vector<NodeIndex> NodesById(const AnyPlacement& placement);

// The relative standard deviation of the share of a node with `points` points
// of `all`, over rings like this one: with equal nodes, of V points each, it is
// sqrt((n - 1) / (nV + 1)).
double ShareDeviation(double points, double all);

// About the largest of ratios that scatter around 1 by these deviations: the x
// beyond which the bounds exp(-((x - 1) / d)^2 / 2) add up to one ratio. For n
// equal ones it is 1 + d sqrt(2 ln n).
double ExpectedPeak(std::span<const double> deviations);

}  // namespace clockwise::tool
