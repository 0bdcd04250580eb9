// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_plan.h"

#include <fmt/format.h>

#include "output.h"
#include "plan_report.h"
#include "text.h"

namespace clockwise::tool {
namespace {

struct PlanArgs {
  ChangeArgs change;
  std::optional<std::string> bytes, rate, progress, step;
  std::vector<std::string> done;
  bool is_before_join = false;
  bool is_after_join = false;
};

uint32_t ParseMove(std::string_view text) {
  const uint64_t number = ParseCount("--done", text, 0);
  if (number < kNoMove) return static_cast<uint32_t>(number);
  throw Failure(Exit::kMisuse, fmt::format("--done: no range {}", number));
}

// Adds "N" or "N-M".
void AddMoves(std::string_view text, uint32_t count,
              std::vector<uint32_t>& moves) {
  const size_t dash = text.find('-');
  const uint32_t first = ParseMove(text.substr(0, dash));
  const uint32_t last =
      dash == std::string_view::npos ? first : ParseMove(text.substr(dash + 1));
  if (first > last || last >= count) {
    throw Failure(Exit::kMisuse,
                  fmt::format("--done: '{}': the plan has {} ranges, from 0",
                              text, count));
  }
  for (uint32_t i = first; i <= last; ++i) moves.push_back(i);
}

std::vector<uint32_t> ParseMoves(const std::vector<std::string>& texts,
                                 uint32_t count) {
  std::vector<uint32_t> moves;
  for (std::string_view rest : texts) {
    while (true) {
      const size_t comma = rest.find(',');
      AddMoves(rest.substr(0, comma), count, moves);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return moves;
}

std::optional<PlanProgress> ReadProgress(const PlanArgs& args,
                                         const MigrationPlan& plan) {
  if (!args.progress) return std::nullopt;
  PlanProgress progress = ValueOf(PlanProgress::Open(plan, *args.progress));
  const auto moves =
      ParseMoves(args.done, static_cast<uint32_t>(plan.moves().size()));
  if (!moves.empty()) ThrowIfError(progress.MarkDone(moves));
  return progress;
}

void CheckTogether(const PlanArgs& args) {
  const auto refuse = [](const char* why) {
    throw Failure(Exit::kMisuse, why);
  };
  if (args.is_before_join && args.is_after_join) {
    refuse("--before-join excludes --after-join");
  }
  if (args.rate && !args.bytes) refuse("--rate needs --bytes");
  if (!args.done.empty() && !args.progress) refuse("--done needs --progress");
}

std::vector<RollingStep> StepsOf(const PlanArgs& args, const Members& before,
                                 const Members& after, uint32_t replicas) {
  if (!args.step) return {};
  const uint64_t count = ParseCount("--step", *args.step, 1);
  RollingOptions options;
  options.at_a_time = static_cast<uint32_t>(
      std::min<uint64_t>(count, before.nodes.size() + after.nodes.size() + 1));
  options.replicas = replicas;
  return ValueOf(PlanRolling(before, after, options));
}

Exit Plan(const PlanArgs& args) {
  CheckTogether(args);
  PlanReport report;
  if (args.bytes) report.bytes = ParseCount("--bytes", *args.bytes, 0);
  if (args.rate) report.rate = ParseCount("--rate", *args.rate, 1);
  MembersOrRing before = ReadSide(args.change.before);
  MembersOrRing after = ReadSide(args.change.after);
  const Change change = MakeChange(before, after, args.change);
  if (!change.plan) {
    throw Failure(Exit::kRefused,
                  fmt::format("{} and {} have no plan: their arcs do not "
                              "compare; `clockwise diff --keys` counts",
                              before.members.source, after.members.source));
  }
  report.change = &change;
  report.is_plan = true;
  report.lists_ranges = args.change.ranges;
  if (args.is_after_join) report.order = JoinOrder::kAfterJoin;
  report.steps =
      StepsOf(args, before.members, after.members, change.plan->replicas());
  const auto progress = ReadProgress(args, *change.plan);
  if (progress) report.progress = &*progress;
  Print(args.change.json ? ToJson(report) : ToText(report));
  return Exit::kOk;
}

void AddPlanOptions(CLI::App& app, PlanArgs& args) {
  const char* order = "Order";
  AddFlag(app, "--before-join", args.is_before_join,
          "Data that must not be lost: copy, switch, drop (default)")
      .Group(order);
  AddFlag(app, "--after-join", args.is_after_join,
          "Caches: switch, then each node fetches what it got")
      .Group(order);
  AddOption(app, "--step", args.step,
            "Show the change in steps of so many nodes as well")
      .Type("K")
      .Group(order);
  const char* guesses = "Guesses";
  AddOption(app, "--bytes", args.bytes, "Bytes of one copy of all data")
      .Type("TOTAL")
      .Group(guesses);
  AddOption(app, "--rate", args.rate, "Bytes that are copied in a second")
      .Type("BYTES")
      .Group(guesses);
  const char* progress = "Progress";
  AddOption(app, "--progress", args.progress,
            "Which ranges are done; made when the first one is")
      .Type("FILE")
      .Group(progress);
  AddRepeated(app, "--done", args.done, "Mark ranges as done: 3, or 3,7-9")
      .Type("N,...")
      .Group(progress);
}

constexpr const char* kFooter =
    "The ranges are those of `diff`, numbered from 0; the same two members "
    "files\n"
    "give the same plan. A mover copies each range from its old node to its "
    "new\n"
    "one, marks it with --done, and goes on after a crash with the first that "
    "is\n"
    "not marked. FILE is replaced as a whole: it is the old one or the new "
    "one.\n"
    "It is refused with the plan of other members.\n"
    "With --step K nodes come first, then change, then go, K at a time; "
    "`most\n"
    "in` and `most out` name the nodes that gain and lose most in a step.\n"
    "Guesses take bytes to be spread as hashes are.\n"
    "\n"
    "JSON: as of `diff`, and `schema` 1, `order`, `phases`, `steps`; of all "
    "and\n"
    "of each range `bytes`, `seconds` and what is `done`.\n"
    "\n"
    "Examples:\n"
    "  clockwise plan before.json after.json --step 1\n"
    "  clockwise plan before.json after.json --json > plan.json\n"
    "  clockwise plan before.json after.json --progress moves.done --done 0-9";

}  // namespace

void AddPlan(CLI::App& app, Action& action) {
  auto args = std::make_shared<PlanArgs>();
  CLI::App& verb =
      AddVerb(app, "plan", "What to move, in which order", args, Plan, action);
  AddChangeOptions(verb, args->change);
  AddPlanOptions(verb, *args);
  SetFooter(verb, kFooter);
}

}  // namespace clockwise::tool
