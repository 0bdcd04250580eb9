// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a simulated cluster is made of: points that are taken off the walk, and
// where the load of their arcs goes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clockwise/simulate.h"
#include "plan/live_points.h"

namespace clockwise {

struct Simulation::State {
  struct Slot {
    uint64_t weight = 0;     // of capacity; 0 for a slot without points
    uint64_t effective = 0;  // of what is on the ring: 0 when down
    bool is_down = false;
    bool is_halved = false;
  };

  // May throw std::bad_alloc.
  State(const Ring& of, const ArcLoads& loads, const SimulationOptions& given);

  [[nodiscard]] bool is_bounded() const { return options.balance_factor != 0; }
  [[nodiscard]] std::span<const uint32_t> PointsOf(NodeIndex slot) const {
    return {by_owner.data() + begins[slot], begins[slot + 1] - begins[slot]};
  }
  // The most that is not above `percent` of the capacity, rounded down: a whole
  // load is above that exactly where it is above this.
  [[nodiscard]] LoadUnits Limit(NodeIndex slot, uint32_t percent) const {
    return total * slots[slot].weight * percent /
           (LoadUnits{all_weight} * options.utilisation);
  }
  [[nodiscard]] bool IsMoreLoaded(NodeIndex a, NodeIndex b) const {
    return now[a] * slots[b].weight > now[b] * slots[a].weight;
  }
  [[nodiscard]] Status CheckUp(NodeIndex slot) const;

  void GroupPoints();
  void TakeAway(std::span<const uint32_t> points);
  void HandOver(uint32_t point);
  void SetCaps();
  void Place();
  void PlaceArc(uint32_t arc);

  const Ring* ring;
  SimulationOptions options;
  // By point: the load of its arc and, unless loads are bounded, of the arcs
  // before it whose own points are gone.
  std::vector<LoadUnits> units;
  LoadUnits total;
  LoadUnits spilled = 0;
  LivePoints live;
  LivePoints room;  // of `live` those whose nodes have room: while placing
  std::vector<Slot> slots;
  std::vector<LoadUnits> now, before;  // loads by slot
  std::vector<LoadUnits> caps;         // where loads are bounded
  std::vector<uint32_t> by_owner;      // points, those of a slot together
  std::vector<uint32_t> begins;        // of a slot's points in by_owner
  uint64_t all_weight = 0;             // of the nodes that have points
  uint64_t up_weight = 0;              // of those that are up
  uint32_t up = 0;
};

}  // namespace clockwise
