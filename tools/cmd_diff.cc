// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_diff.h"

#include "output.h"
#include "picture.h"
#include "plan_report.h"

namespace clockwise::tool {
namespace {

Exit Diff(const ChangeArgs& args) {
  if (args.picture) CheckPictureName(*args.picture);
  MembersOrRing before = ReadSide(args.before);
  MembersOrRing after = ReadSide(args.after);
  const Change change = MakeChange(before, after, args);
  PlanReport report;
  report.change = &change;
  report.lists_ranges = args.ranges;
  Print(args.json ? ToJson(report) : ToText(report));
  if (args.picture) DrawPicture(ToPicture(report), *args.picture);
  return Exit::kOk;
}

constexpr const char* kFooter =
    "Shares are exact: sums of the arcs that change hands, as fractions of "
    "the\n"
    "circle. With --replicas N a range moves where a node is among the first "
    "N\n"
    "after and was not before; shares then add up to N at most. Ranges that\n"
    "touch and have the same nodes are one.\n"
    "Rings may differ in all but width, seed and key hash: with another of\n"
    "these an arc is of other keys. Such rings, and placements that are no\n"
    "rings, are compared by the owners of real keys, --keys FILE.\n"
    "\n"
    "JSON: `share_moved` (a fraction of 1), `share_moved_exact`,\n"
    "`percent_moved`; `by_node`; `by_pair`; `ranges`, hashes above `begin` up "
    "to\n"
    "`end` in hex (all of them where these are equal, over the end of the\n"
    "circle where `end` is the lower; left-aligned where `width` is 32), each\n"
    "with its nodes, null where there is none, and as which replica. With "
    "keys\n"
    "`keys`, `keys_moved`, `keys_by_pair`, and `keys` of each range.\n"
    "\n"
    "Examples:\n"
    "  clockwise diff before.json after.json\n"
    "  clockwise diff before.json after.json --replicas 3 --ranges\n"
    "  clockwise diff before.json after.json --keys keys.txt --json\n"
    "  clockwise diff before.json after.json --picture change.svg";

}  // namespace

void AddDiff(CLI::App& app, Action& action) {
  auto args = std::make_shared<ChangeArgs>();
  CLI::App& verb =
      AddVerb(app, "diff", "What two members or ring files place apart", args,
              Diff, action);
  AddChangeOptions(verb, *args);
  AddOption(verb, "--picture", args->picture,
            "Draw both circles and the shares: FILE.svg or FILE.png")
      .Type("FILE");
  SetFooter(verb, kFooter);
}

}  // namespace clockwise::tool
