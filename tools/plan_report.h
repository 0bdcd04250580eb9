// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What moves, for a person and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "change.h"
#include "clockwise/plan_progress.h"
#include "clockwise/rolling_plan.h"
#include "clockwise/transition.h"

namespace clockwise::tool {

// What is known of a plan beside its moves.
struct PlanReport {
  const Change* change = nullptr;
  bool lists_ranges = false;
  bool is_plan = false;  // else a diff
  JoinOrder order = JoinOrder::kBeforeJoin;
  std::optional<uint64_t> bytes;  // of one copy of all data
  std::optional<uint64_t> rate;   // bytes per second
  const PlanProgress* progress = nullptr;
  std::vector<RollingStep> steps;

  // Guesses from shares, rounded up; only with `bytes`, and `rate`.
  [[nodiscard]] uint64_t BytesOf(HashCount hashes) const;
  [[nodiscard]] uint64_t SecondsOf(HashCount hashes) const;
};

std::string ToText(const PlanReport& report);
std::string ToJson(const PlanReport& report);
// That of a diff, and what its picture has beside it. There must be a plan.
std::string ToPicture(const PlanReport& report);

// "copy", "switch", "drop" or "switch", "warm": what is done with all ranges,
// in order.
std::vector<std::string> PhasesOf(JoinOrder order);

}  // namespace clockwise::tool
