// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_check.h"

#include <fmt/format.h>

#include "balance.h"
#include "clockwise/scheme.h"
#include "output.h"
#include "text.h"

namespace clockwise::tool {
namespace {

struct CheckArgs {
  MembersArgs members;
  KeyArgs keys;
};

std::vector<uint64_t> CountKeys(const AnyPlacement& placement,
                                const KeyArgs& args) {
  std::vector<uint64_t> counts(placement.slot_count(), 0);
  uint64_t owned = 0;
  std::vector<NodeIndex> owners(KeySource::kBatch);
  KeySource source(args);
  Progress progress;
  for (auto keys = source.Next(); !keys.empty(); keys = source.Next()) {
    placement.Owners(keys.data(), keys.size(), owners.data());
    for (size_t i = 0; i < keys.size(); ++i) {
      if (owners[i] == kNoNode) continue;
      ++counts[owners[i]];
      ++owned;
    }
    progress.Update(source.count());
  }
  if (source.count() == 0) {
    throw Failure(Exit::kRefused, "the files hold no keys");
  }
  if (owned == 0) {
    throw Failure(Exit::kRefused, "no key of the files has an owner");
  }
  return counts;
}

// Whether a node is due something, so that there is something to hold.
bool IsPlaced(const AnyPlacement& placement) {
  if (placement.ring() != nullptr) return placement.ring()->point_count() > 0;
  for (NodeIndex node = 0; node < placement.slot_count(); ++node) {
    if (placement.node(node).weight.thousandths() > 0) return true;
  }
  return false;
}

// What the scheme's own traps do to these members, a line each.
std::string Warnings(const Members& members, const AnyPlacement& placement) {
  const Scheme* scheme = FindScheme(members.options.scheme);
  std::vector<std::string> warnings;
  // Rings of files may be of schemes that are not known here.
  if (scheme == nullptr) return {};
  if (scheme->warn != nullptr) scheme->warn(members, placement, warnings);
  std::string text;
  for (const std::string& warning : warnings) {
    text += fmt::format("warn: {}: {}\n", scheme->id, Escaped(warning));
  }
  return text;
}

Exit Check(const CheckArgs& args) {
  MembersOrRing read = ReadMembers(args.members);
  const Members& members = read.members;
  const AnyPlacement placement = PlacementOf(read);
  if (!IsPlaced(placement)) {
    throw Failure(
        Exit::kRefused,
        fmt::format("{}: no node has {}; nothing to check", members.source,
                    placement.ring() != nullptr ? "points" : "a weight"));
  }
  BalanceReport balance(placement);
  if (!args.keys.files.empty()) {
    balance.AddKeys(CountKeys(placement, args.keys));
  }
  Print(balance.ToString() + Warnings(members, placement));
  return balance.Peak() >= kAlarmRatio ? Exit::kAlarm : Exit::kOk;
}

}  // namespace

void AddCheck(CLI::App& app, Action& action) {
  auto args = std::make_shared<CheckArgs>();
  CLI::App& verb =
      AddVerb(app, "check", "Hold each node's share against its weight", args,
              Check, action);
  AddMembersOptions(verb, args->members);
  AddKeyFileOptions(verb, args->keys);
  SetFooter(
      verb,
      "Always checks the exact shares of the circle (for schemes that are no\n"
      "rings, those of 1,048,576 sample keys); with FILE, the shares of those\n"
      "keys too. Warns where the nodes step into a trap of their scheme. A "
      "ratio is a share over what the weight is due; `by\n"
      "chance` is one standard deviation of it, from the number of points "
      "and,\n"
      "for keys, of keys. Warns at 1.3x; at 1.5x the exit code is 3.\n\n"
      "Examples:\n"
      "  clockwise check -m members.json\n"
      "  clockwise check -m members.json access-log-keys.txt\n"
      "  seq 100000 | clockwise check --node a --node b --vnodes 64 -");
}

}  // namespace clockwise::tool
