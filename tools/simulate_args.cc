// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "simulate_args.h"

#include <fmt/format.h>

#include <set>

#include "clockwise/bounded_load.h"
#include "clockwise/ring_builder.h"

namespace clockwise::tool {
namespace {

const char* FlagOf(const SimulateStep& step) {
  return step.is_drain ? "--drain" : "--kill";
}

uint32_t ParseInRange(const char* flag, std::string_view text, uint32_t least,
                      uint32_t most) {
  const uint64_t value = ParseCount(flag, text, least);
  if (value <= most) return static_cast<uint32_t>(value);
  throw Failure(Exit::kMisuse,
                fmt::format("{}: {} is above {}", flag, value, most));
}

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Variant PlainOf(const SimulateArgs& args) {
  Variant plain;
  plain.name = "as it is";
  plain.options.utilisation =
      ParseInRange("--utilisation", args.utilisation, 1, kMaxUtilisation);
  plain.is_cascade = args.is_cascade || args.fail_at;
  if (args.fail_at) {
    plain.options.fail_at =
        ParseInRange("--fail-at", *args.fail_at, 1, kMaxFailAt);
  }
  return plain;
}

// --kill and --drain, which keep the order between them.
void AddStepOption(CLI::App& app, const char* flag, bool is_drain,
                   const char* help, std::vector<SimulateStep>& steps) {
  const auto take = [&steps, is_drain](const std::string& text) {
    steps.push_back({is_drain, text});
  };
  AddInOrder(app, flag, take, help)
      .Type("ID,...")
      .Group("Steps, in the order given");
}

void AddStepOptions(CLI::App& app, SimulateArgs& args) {
  AddStepOption(app, "--kill", false,
                "Nodes that die, one after the other; repeatable", args.steps);
  AddStepOption(app, "--drain", true,
                "Nodes that give half of their points, then the rest",
                args.steps);
}

void AddModelOptions(CLI::App& app, SimulateArgs& args) {
  const char* group = "Model";
  AddOption(app, "--utilisation,--utilization", args.utilisation,
            "Load before anything dies, in percent of all capacity (80)")
      .Type("P")
      .Group(group);
  AddFlag(app, "--cascade", args.is_cascade,
          "A node above its capacity fails next, the most loaded first")
      .Group(group);
  AddOption(app, "--fail-at", args.fail_at,
            "--cascade, but above this percentage (100)")
      .Type("P")
      .Group(group);
}

void AddWhatIfOptions(CLI::App& app, SimulateArgs& args) {
  const char* group = "What if";
  AddRepeated(app, "--bounded", args.bounded,
              "Loads were bounded by this balance factor, in percent")
      .Type("F")
      .Group(group);
  AddFlag(app, "--half-drain", args.is_half_drain,
          "Each node that dies gave half of its points first")
      .Group(group);
  AddRepeated(app, "--with-vnodes", args.vnodes,
              "The ring had so many points of weight 1")
      .Type("N")
      .Group(group);
}

}  // namespace

void AddSimulateOptions(CLI::App& app, SimulateArgs& args) {
  AddStepOptions(app, args);
  AddModelOptions(app, args);
  AddWhatIfOptions(app, args);
  AddOption(app, "--top", args.top,
            "Heirs, and rounds of a cascade, shown of each step (10)")
      .Type("N");
  AddFlag(app, "--json", args.json, "One JSON object");
  AddOption(app, "--picture", args.picture,
            "Draw the runs: FILE.svg or FILE.png")
      .Type("FILE");
}

std::vector<SimulateStep> ResolveSteps(const Ring& ring,
                                       const std::vector<SimulateStep>& given) {
  std::vector<SimulateStep> steps;
  std::set<std::string> ids;
  for (const SimulateStep& step : given) {
    const bool is_one = ring.Find(step.id) != kNoNode;
    for (const std::string& id :
         is_one ? std::vector{step.id} : SplitAtCommas(step.id)) {
      if (ring.Find(id) == kNoNode) {
        throw Failure(Exit::kRefused,
                      fmt::format("{}: no node '{}'", FlagOf(step), id));
      }
      if (!ids.insert(id).second) {
        throw Failure(Exit::kMisuse,
                      fmt::format("{}: '{}' is given twice", FlagOf(step), id));
      }
      steps.push_back({step.is_drain, id});
    }
  }
  return steps;
}

std::vector<uint32_t> VnodesOf(const SimulateArgs& args) {
  std::vector<uint32_t> vnodes;
  for (const std::string& text : args.vnodes) {
    vnodes.push_back(ParseInRange("--with-vnodes", text, 1, kMaxVnodes));
  }
  return vnodes;
}

std::vector<Variant> VariantsOf(const SimulateArgs& args,
                                const std::vector<uint32_t>& vnodes) {
  std::vector<Variant> variants = {PlainOf(args)};
  const auto add = [&](std::string name) -> Variant& {
    variants.push_back(variants.front());
    variants.back().name = std::move(name);
    return variants.back();
  };
  for (const std::string& text : args.bounded) {
    const uint32_t factor =
        ParseInRange("--bounded", text, 100, kMaxBalanceFactor);
    add(fmt::format("bounded {}%", factor)).options.balance_factor = factor;
  }
  if (args.is_half_drain) add("half-drain").is_half_drain = true;
  for (const uint32_t count : vnodes) add(fmt::format("{} vnodes", count));
  return variants;
}

}  // namespace clockwise::tool
