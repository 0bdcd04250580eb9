// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <new>

#include "base/out_of_memory.h"
#include "clockwise/simulate.h"

namespace clockwise {

Result<ArcLoads> ArcLoads::Create(const RingView& ring) try {
  ArcLoads loads(ring);
  loads.units_.resize(ring.point_count());
  return loads;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<ArcLoads> ArcLoads::OfCircle(const RingView& ring) {
  Result<ArcLoads> result = Create(ring);
  if (!result.ok() || ring.point_count() == 0) return result;
  ArcLoads& loads = result.value();
  const uint64_t first = ring.PositionAt(0);
  uint64_t before = first;
  for (size_t i = 1; i < loads.units_.size(); ++i) {
    const uint64_t position = ring.PositionAt(i);
    loads.units_[i] = position - before;
    before = position;
  }
  // The first point has what is left: the arc over the end of the circle.
  loads.total_ = LoadUnits{1} << 64;
  loads.units_[0] = loads.total_ - (before - first);
  return result;
}

void ArcLoads::Count(std::span<const uint64_t> hashes) noexcept {
  if (units_.empty()) return;
  for (const uint64_t hash : hashes) ++units_[ring_.PointAt(hash)];
  total_ += hashes.size();
}

}  // namespace clockwise
