// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What tests of bounded loads share.
#pragma once

#include <cstdint>

#include "clockwise/clockwise.h"
#include "failing_source.h"
#include "placement_maker.h"

namespace clockwise {

// A node each at 1, 2, … of 16 parts of the circle: from hash 0 on, n0 is the
// owner, and the others follow in order.
inline Ring Row(size_t nodes) {
  std::vector<std::pair<uint64_t, std::string>> points;
  for (size_t i = 0; i < nodes; ++i) {
    points.push_back({uint64_t{i + 1} << 56, "n" + std::to_string(100 + i)});
  }
  return MakePointRing(64, Layout::kLine, points);
}

// The loads of all slots together.
inline uint64_t SumOf(const LoadTable& loads) {
  uint64_t sum = 0;
  for (NodeIndex slot = 0; slot < loads.slot_count(); ++slot) {
    sum += loads.load(slot);
  }
  return sum;
}

}  // namespace clockwise
