// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/simulate.h"

#include <new>
#include <string>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/bounded_load.h"
#include "clockwise/ring_builder.h"
#include "plan/simulation_state.h"

namespace clockwise {
namespace {

Status CheckRange(const char* what, uint32_t value, uint32_t least,
                  uint32_t most) {
  if (value >= least && value <= most) return {};
  return {Code::kInvalidOptions,
          std::string(what) + " " + std::to_string(value) + " %; " +
              std::to_string(least) + " to " + std::to_string(most)};
}

Status Check(const Ring& ring, const ArcLoads& loads,
             const SimulationOptions& options) {
  const uint32_t factor = options.balance_factor;
  for (Status status :
       {CheckRange("utilisation", options.utilisation, 1, kMaxUtilisation),
        CheckRange("fail_at", options.fail_at, 1, kMaxFailAt),
        factor == 0
            ? Status()
            : CheckRange("balance factor", factor, 100, kMaxBalanceFactor)}) {
    if (!status.ok()) return status;
  }
  if (loads.ring().digest() != ring.digest() ||
      loads.units().size() != ring.point_count()) {
    return {Code::kInvalidOptions, "the loads are those of another ring"};
  }
  if (ring.point_count() == 0) {
    return {Code::kInvalidOptions, "no node has points"};
  }
  if (loads.total() == 0) return {Code::kInvalidOptions, "there are no keys"};
  return {};
}

Weight Halved(Weight weight) {
  return Weight::Thousandths((weight.thousandths() + 1) / 2);
}

// Returns the points of `ring` that it lacks when one node has half its weight.
// Those that stay are in the same order: the points of a lower weight are some
// of those of the higher one.
Result<std::vector<uint32_t>> PointsOfHalf(const Ring& ring, NodeIndex node) {
  auto change = RingBuilder::From(ring);
  const NodeView record = ring.node(node);
  Status status = change.SetWeight(record.id, Halved(record.weight));
  if (!status.ok()) return status;
  const Result<Ring> built = change.Build();
  if (!built.ok()) return built.status();
  const Ring& halved = built.value();
  std::vector<uint32_t> lost;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ring.point_count(); ++i) {
    const bool is_kept = kept < halved.point_count() &&
                         halved.PositionAt(kept) == ring.PositionAt(i) &&
                         halved.OwnerAt(kept) == ring.OwnerAt(i);
    if (is_kept) {
      ++kept;
    } else {
      lost.push_back(i);
    }
  }
  return lost;
}

}  // namespace

Simulation::Simulation(std::unique_ptr<State> state) noexcept
    : state_(std::move(state)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Result<Simulation> Simulation::Create(const Ring& ring, const ArcLoads& loads,
                                      const SimulationOptions& options) try {
  if (Status status = Check(ring, loads, options); !status.ok()) return status;
  return Simulation(std::make_unique<State>(ring, loads, options));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status Simulation::Kill(NodeIndex node) {
  if (Status status = state_->CheckUp(node); !status.ok()) return status;
  State::Slot& slot = state_->slots[node];
  slot.is_down = true;
  slot.effective = 0;
  if (slot.weight != 0) --state_->up;
  state_->up_weight -= slot.weight;
  state_->TakeAway(state_->PointsOf(node));
  return {};
}

Status Simulation::HalfDrain(NodeIndex node) try {
  if (Status status = state_->CheckUp(node); !status.ok()) return status;
  const Ring& ring = *state_->ring;
  const std::string id(ring.node(node).id);
  if (ring.scheme() != kNativeScheme) {
    return {Code::kInvalidOptions, "half-drain of '" + id + "': scheme '" +
                                       std::string(ring.scheme()) +
                                       "' is not clockwise-1"};
  }
  State::Slot& slot = state_->slots[node];
  if (slot.is_halved) {
    return {Code::kInvalidOptions, "node '" + id + "' has half already"};
  }
  const Result<std::vector<uint32_t>> lost = PointsOfHalf(ring, node);
  if (!lost.ok()) return lost.status();
  slot.is_halved = true;
  slot.effective = Halved(ring.node(node).weight).thousandths();
  state_->TakeAway(lost.value());
  return {};
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

NodeIndex Simulation::Peak() const noexcept {
  NodeIndex peak = kNoNode;
  for (const NodeIndex node : state_->ring->slots_by_id()) {
    if (!IsUp(node)) continue;
    if (peak == kNoNode || state_->IsMoreLoaded(node, peak)) peak = node;
  }
  return peak;
}

NodeIndex Simulation::NextToFail() const noexcept {
  const NodeIndex peak = Peak();
  if (peak == kNoNode) return kNoNode;
  const LoadUnits limit = state_->Limit(peak, state_->options.fail_at);
  return state_->now[peak] > limit ? peak : kNoNode;
}

bool Simulation::IsUp(NodeIndex node) const noexcept {
  return node < state_->slots.size() && state_->slots[node].effective != 0;
}

uint32_t Simulation::up_count() const noexcept { return state_->up; }

std::span<const LoadUnits> Simulation::loads() const noexcept {
  return state_->now;
}
std::span<const LoadUnits> Simulation::previous_loads() const noexcept {
  return state_->before;
}
LoadUnits Simulation::total() const noexcept { return state_->total; }
LoadUnits Simulation::spilled() const noexcept { return state_->spilled; }

double Simulation::Percent(NodeIndex node, LoadUnits load) const noexcept {
  if (node >= state_->slots.size()) return 0;
  const uint64_t weight = state_->slots[node].weight;
  if (weight == 0) return 0;
  return static_cast<double>(load) / static_cast<double>(state_->total) *
         static_cast<double>(state_->all_weight) / static_cast<double>(weight) *
         state_->options.utilisation;
}

double Simulation::MeanPercent() const noexcept {
  if (state_->up == 0) return 0;
  return static_cast<double>(state_->all_weight) /
         static_cast<double>(state_->up_weight) * state_->options.utilisation;
}

uint32_t Simulation::CountAbove(uint32_t percent) const noexcept {
  uint32_t count = 0;
  for (NodeIndex node = 0; node < state_->slots.size(); ++node) {
    const bool is_above = state_->now[node] > state_->Limit(node, percent);
    if (IsUp(node) && is_above) ++count;
  }
  return count;
}

}  // namespace clockwise
