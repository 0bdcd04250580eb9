// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a simulation found, for a person and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulate_run.h"

namespace clockwise::tool {

struct SimulateReport {
  uint64_t keys = 0;  // 0: the circle
  std::vector<SimulateStep> steps;
  std::vector<SimulateRun> runs;  // the first is the cluster as it is
};

// Tables: the stages of the first run, who inherits at each of its steps, and
// the runs side by side. Of heirs and of rounds of a cascade about `top` a
// step.
std::string ToText(const SimulateReport& report, uint64_t top);

// One JSON document, on which the picture is drawn as well.
std::string ToJson(const SimulateReport& report);

// "cache-1 is killed", of what began a stage; escaped.
std::string Title(const SimulateRun& run, const Stage& stage);
// "start", "kill", "half-drain", "gone", "fail" or "down-already".
const char* EventName(Event event);

}  // namespace clockwise::tool
