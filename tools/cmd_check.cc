// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_check.h"

#include "balance.h"
#include "output.h"

namespace clockwise::tool {
namespace {

struct CheckArgs {
  MembersArgs members;
  KeyArgs keys;
};

std::vector<uint64_t> CountKeys(const Ring& ring, const KeyArgs& args) {
  std::vector<uint64_t> counts(ring.slot_count(), 0);
  std::vector<NodeIndex> owners(KeySource::kBatch);
  KeySource source(args);
  Progress progress;
  for (auto keys = source.Next(); !keys.empty(); keys = source.Next()) {
    ring.Owners(keys.data(), keys.size(), owners.data());
    for (size_t i = 0; i < keys.size(); ++i) ++counts[owners[i]];
    progress.Update(source.count());
  }
  if (source.count() == 0) {
    throw Failure(Exit::kRefused, "the files hold no keys");
  }
  return counts;
}

Exit Check(const CheckArgs& args) {
  const Members members = ReadMembers(args.members);
  const Ring ring = ValueOf(BuildRing(members));
  if (ring.point_count() == 0) {
    throw Failure(Exit::kRefused,
                  members.source + ": no node has points; nothing to check");
  }
  Balance balance(ring);
  if (!args.keys.files.empty()) balance.AddKeys(CountKeys(ring, args.keys));
  Print(balance.ToString());
  return balance.Peak() >= Balance::kAlarm ? Exit::kAlarm : Exit::kOk;
}

}  // namespace

void AddCheck(CLI::App& app, Action& action) {
  auto args = std::make_shared<CheckArgs>();
  CLI::App* verb =
      AddVerb(app, "check", "Hold each node's share against its weight", args,
              Check, action);
  AddMembersOptions(*verb, args->members);
  AddKeyFileOptions(*verb, args->keys);
  verb->footer(
      "Always checks the exact shares of the circle; with FILE, the shares of\n"
      "those keys too. A ratio is a share over what the weight is due; `by\n"
      "chance` is one standard deviation of it, from the number of points "
      "and,\n"
      "for keys, of keys. Warns at 1.3x; at 1.5x the exit code is 3.\n\n"
      "Examples:\n"
      "  clockwise check -m members.json\n"
      "  clockwise check -m members.json access-log-keys.txt\n"
      "  seq 100000 | clockwise check --node a --node b --vnodes 64 -");
}

}  // namespace clockwise::tool
