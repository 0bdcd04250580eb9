// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What the command line asks of `simulate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "args.h"
#include "simulate_run.h"

namespace clockwise::tool {

struct SimulateArgs {
  MembersArgs members;
  KeyArgs keys;
  std::vector<SimulateStep> steps;  // ids as given: with commas, perhaps
  std::string utilisation = "80";
  std::optional<std::string> fail_at;
  bool is_cascade = false;
  std::vector<std::string> bounded, vnodes;
  bool is_half_drain = false;
  std::string top = "10";
  bool json = false;
  std::optional<std::string> picture;
};

// The options of `simulate` but those of members and keys.
void AddSimulateOptions(CLI::App& app, SimulateArgs& args);

// One step a node: what was given is an id, or ids with commas between them.
// Throws Failure: kRefused for an id of no member, kMisuse for one given twice.
std::vector<SimulateStep> ResolveSteps(const Ring& ring,
                                       const std::vector<SimulateStep>& given);

// The values of --with-vnodes. Throws Failure (kMisuse).
std::vector<uint32_t> VnodesOf(const SimulateArgs& args);

// The cluster as it is, then each what-if of it; those of other vnodes come
// last, in the order of `vnodes`. Throws Failure (kMisuse).
std::vector<Variant> VariantsOf(const SimulateArgs& args,
                                const std::vector<uint32_t>& vnodes);

}  // namespace clockwise::tool
