// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "plan/simulation_state.h"

#include <algorithm>
#include <string>
#include <utility>

namespace clockwise {

Simulation::State::State(const Ring& of, const ArcLoads& loads,
                         const SimulationOptions& given)
    : ring(&of),
      options(given),
      units(loads.units().begin(), loads.units().end()),
      total(loads.total()),
      live(of.point_count()),
      room(given.balance_factor == 0 ? 0 : of.point_count()),
      slots(of.slot_count()),
      now(of.slot_count()),
      before(of.slot_count()),
      caps(of.slot_count()) {
  GroupPoints();
  for (NodeIndex slot = 0; slot < slots.size(); ++slot) {
    const NodeView node = of.node(slot);
    if (node.points == 0) continue;
    slots[slot].weight = slots[slot].effective = node.weight.thousandths();
    all_weight += slots[slot].weight;
    ++up;
  }
  up_weight = all_weight;
  if (is_bounded()) {
    Place();
  } else {
    for (size_t i = 0; i < units.size(); ++i) now[of.OwnerAt(i)] += units[i];
  }
  before = now;
}

void Simulation::State::GroupPoints() {
  begins.resize(slots.size() + 1);
  by_owner.resize(units.size());
  const auto count = static_cast<uint32_t>(units.size());
  for (uint32_t i = 0; i < count; ++i) ++begins[ring->OwnerAt(i) + 1];
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    begins[slot + 1] += begins[slot];
  }
  std::vector<uint32_t> ends(begins.begin(), begins.end() - 1);
  for (uint32_t i = 0; i < count; ++i) by_owner[ends[ring->OwnerAt(i)]++] = i;
}

Status Simulation::State::CheckUp(NodeIndex slot) const {
  if (slot >= slots.size() || ring->node(slot).id.empty()) {
    return {Code::kUnknownNode, "no node in slot " + std::to_string(slot)};
  }
  if (!slots[slot].is_down) return {};
  return {Code::kInvalidOptions,
          "node '" + std::string(ring->node(slot).id) + "' is down already"};
}

// Takes points of one node off the walk, all at once.
void Simulation::State::TakeAway(std::span<const uint32_t> points) {
  before = now;
  for (const uint32_t point : points) live.Remove(point);
  if (is_bounded()) return Place();
  for (const uint32_t point : points) HandOver(point);
}

void Simulation::State::HandOver(uint32_t point) {
  const LoadUnits moved = std::exchange(units[point], 0);
  if (moved == 0) return;
  now[ring->OwnerAt(point)] -= moved;
  const uint32_t heir = live.At(point);
  if (heir == LivePoints::kNone) return;
  units[heir] += moved;
  now[ring->OwnerAt(heir)] += moved;
}

// As BoundedLoad has them, of the weights that the ring has now. Neither
// product passes 2^112.
void Simulation::State::SetCaps() {
  LoadUnits whole = 0;
  for (const Slot& slot : slots) whole += LoadUnits{100} * slot.effective;
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    const LoadUnits share =
        LoadUnits{slots[slot].effective} * options.balance_factor;
    caps[slot] = whole == 0 ? 0 : (total * share + whole - 1) / whole;
  }
}

void Simulation::State::Place() {
  SetCaps();
  std::fill(now.begin(), now.end(), 0);
  spilled = 0;
  room = live;
  const auto count = static_cast<uint32_t>(units.size());
  for (uint32_t arc = 0; arc < count; ++arc) PlaceArc(arc);
}

void Simulation::State::PlaceArc(uint32_t arc) {
  LoadUnits rest = units[arc];
  const uint32_t first = rest == 0 ? LivePoints::kNone : live.At(arc);
  if (first == LivePoints::kNone) return;
  while (rest > 0) {
    const NodeIndex node = ring->OwnerAt(room.At(arc));
    const LoadUnits taken = std::min(rest, caps[node] - now[node]);
    rest -= taken;
    now[node] += taken;
    if (node != ring->OwnerAt(first)) spilled += taken;
    if (now[node] < caps[node]) continue;
    for (const uint32_t point : PointsOf(node)) room.Remove(point);
  }
}

}  // namespace clockwise
