// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Nodes that leave a cluster step by step, and what each step left behind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/simulate.h"

namespace clockwise::tool {

// One node that is told to leave: at once, or half of its points first.
struct SimulateStep {
  bool is_drain = false;
  std::string id;  // of a member
};

// The same steps under other rules.
struct Variant {
  std::string name;
  SimulationOptions options;
  bool is_cascade = false;
  bool is_half_drain = false;  // each kill is a drain
};

enum class Event : uint8_t { kStart, kKill, kHalf, kGone, kFail, kDownAlready };

// What holds after one node left, or gave half of its points.
struct Stage {
  uint32_t step = 0;   // from 1; 0 before the first
  uint32_t round = 0;  // of the cascades of this step, from 1; else 0
  Event event = Event::kStart;
  NodeIndex node = kNoNode;
  double had = 0;  // the node's load before, in percent
  uint32_t up = 0;
  double mean = 0;  // loads in percent of capacity
  NodeIndex peak = kNoNode;
  double peak_load = 0;
  uint32_t above = 0;  // nodes above 100 %
  double spilled = 0;  // of all load
  // By slot, in percent of capacity and as a share of all load. Empty for the
  // rounds in the midst of a cascade once they would be many.
  std::vector<double> loads, shares;
};

struct SimulateRun {
  Variant variant;
  uint32_t vnodes = 0;
  const Ring* ring = nullptr;
  std::vector<Stage> stages;

  [[nodiscard]] const Stage& end() const { return stages.back(); }
  // Nodes that failed in cascades up to one of the stages, that included.
  [[nodiscard]] uint32_t FellUntil(const Stage& stage) const;
  [[nodiscard]] uint32_t Fell() const { return FellUntil(end()); }
  // Whether a node fell, a survivor is above 100 % at the end, or none is left.
  [[nodiscard]] bool IsAlarm() const;
};

// Takes the steps one by one. A cascade begins wherever a node is above its
// limit, at the start too. Throws Failure.
SimulateRun RunSteps(const Ring& ring, const ArcLoads& loads,
                     const Variant& variant,
                     const std::vector<SimulateStep>& steps);

}  // namespace clockwise::tool
