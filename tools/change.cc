// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "change.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>
#include <utility>

#include "clockwise/ring_file.h"

namespace clockwise::tool {
namespace {

uint32_t ReplicasOf(const ChangeArgs& args) {
  const uint64_t replicas = ParseCount("--replicas", args.replicas, 1);
  if (replicas <= kMaxPlanReplicas) return static_cast<uint32_t>(replicas);
  throw Failure(Exit::kMisuse, fmt::format("--replicas: {} is above {}",
                                           replicas, kMaxPlanReplicas));
}

// Why there are no arcs to compare; empty if there are.
std::string ReasonAgainst(const AnyPlacement& before,
                          const AnyPlacement& after) {
  for (const AnyPlacement* each : {&before, &after}) {
    if (each->ring() == nullptr) {
      return fmt::format("scheme {} is no ring: it has no arcs",
                         each->scheme());
    }
  }
  return CheckComparable(*before.ring(), *after.ring()).message();
}

// The option that was given and needs arcs; null if none was.
const char* OptionOfArcs(const ChangeArgs& args) {
  if (ReplicasOf(args) > 1) return "--replicas";
  if (args.ranges) return "--ranges";
  return args.picture ? "--picture" : nullptr;
}

}  // namespace

void AddChangeOptions(CLI::App& app, ChangeArgs& args) {
  AddOption(app, "BEFORE", args.before.file, "Members or ring file of what is")
      .Type("")
      .Required();
  AddOption(app, "AFTER", args.after.file,
            "Members or ring file of what is to be")
      .Type("")
      .Required();
  AddRepeated(app, "--keys", args.keys.files,
              "Count these keys too, a key a line; - is standard input; "
              "repeatable")
      .Type("FILE")
      .Group("Keys");
  AddKeyFormOptions(app, args.keys);
  AddOption(app, "--replicas", args.replicas,
            "Nodes that hold each key, the owner and the next ones (1)")
      .Type("N");
  AddFlag(app, "--ranges", args.ranges, "List every range");
  AddFlag(app, "--json", args.json, "One JSON object");
}

MembersOrRing ReadSide(MembersArgs args) {
  std::ifstream file(args.file, std::ios::binary);
  char first[kRingFileMark.size()] = {};
  file.read(first, sizeof(first));
  if (std::string_view(first, sizeof(first)) == kRingFileMark) {
    args.ring_file = std::exchange(args.file, std::string());
  }
  return ReadMembers(args);
}

Change MakeChange(MembersOrRing& before, MembersOrRing& after,
                  const ChangeArgs& args) {
  const uint32_t replicas = ReplicasOf(args);
  Change change{PlacementOf(before), PlacementOf(after), {}, {}};
  const bool has_keys = !args.keys.files.empty();
  const std::string reason = ReasonAgainst(change.before, change.after);
  if (reason.empty()) {
    change.plan = ValueOf(MigrationPlan::Create(
        *change.before.ring(), *change.after.ring(), {replicas}));
  } else if (!has_keys) {
    throw Failure(
        Exit::kRefused,
        fmt::format("{} and {}: {}; count real keys, by "
                    "`clockwise diff --keys FILE`",
                    before.members.source, after.members.source, reason));
  } else if (const char* option = OptionOfArcs(args)) {
    throw Failure(Exit::kMisuse, fmt::format("{}: {}", option, reason));
  }
  if (has_keys) change.keys = CountKeyMoves(change, args.keys);
  return change;
}

}  // namespace clockwise::tool
