// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Replicas by topology, as the command line asks for them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "args.h"
#include "clockwise/any_placement.h"
#include "clockwise/spread.h"

namespace clockwise::tool {

struct SpreadArgs {
  bool is_asked = false;
  bool is_strict = false;
  std::optional<std::string> zone_counts;
  std::optional<std::string> near;
};

// --spread and --zone-counts.
void AddSpreadOptions(CLI::App& app, SpreadArgs& args);

// --near and --strict, after those.
void AddSpreadAnswerOptions(CLI::App& app, SpreadArgs& args);

// Lookups by topology. Throws Failure where the placement is no ring, or what
// is asked for makes no sense on it. `placement` and `excluded` must outlive
// it.
class Spreader {
 public:
  // `replicas` as given: nothing where --replicas is not.
  Spreader(const AnyPlacement& placement, const SpreadArgs& args,
           std::optional<uint64_t> replicas, const SlotSet& excluded);

  // Replicas of a key.
  [[nodiscard]] uint64_t wanted() const noexcept { return wanted_; }
  [[nodiscard]] const SpreadIndex& index() const noexcept { return *index_; }

  // What one hash has: nodes until the next call, none if it is refused.
  struct Found {
    std::span<const NodeIndex> nodes;
    NodeIndex owner = kNoNode;  // the first by the rule
    bool is_relaxed = false;
  };
  Found Find(uint64_t hash);

 private:
  SpreadAnswer Ask(uint64_t hash, const SpreadPlan& plan);

  const Ring* ring_;
  const SlotSet& excluded_;
  uint64_t wanted_;
  std::vector<NodeIndex> nodes_;
  std::optional<SpreadIndex> index_;
  std::optional<SpreadPlan> plan_;       // in the order of the rule
  std::optional<SpreadPlan> near_plan_;  // nearest first, if so asked
  std::optional<SpreadScratch> scratch_;
};

}  // namespace clockwise::tool
