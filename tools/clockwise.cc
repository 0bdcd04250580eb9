// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The command and its verbs.
#include "cmd_check.h"
#include "cmd_compare.h"
#include "cmd_diff.h"
#include "cmd_digest.h"
#include "cmd_explain.h"
#include "cmd_pack.h"
#include "cmd_plan.h"
#include "cmd_route.h"
#include "cmd_schemes.h"
#include "cmd_show.h"
#include "cmd_simulate.h"
#include "cmd_tune.h"
#include "command_line.h"
#include "program.h"

namespace clockwise::tool {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  clockwise route --node a --node b --node c=2 --key user:42\n"
    "  clockwise show -m members.json\n"
    "  clockwise check -m members.json keys.txt\n"
    "\n"
    "A members file, of which only `schema` and each `id` are required:\n"
    "  {\"schema\": 1, \"name\": \"sessions\", \"epoch\": 7,\n"
    "   \"ring\": {\"scheme\": \"clockwise-1\", \"vnodes\": 512, \"width\": "
    "64,\n"
    "            \"seed\": 0, \"key_hash\": \"xxh3\", \"layout\": \"line\",\n"
    "            \"max_points\": 16777216, \"params\": {}},\n"
    "   \"nodes\": [{\"id\": \"cache-01\", \"weight\": 1.5, \"region\": "
    "\"eu\",\n"
    "              \"zone\": \"a\", \"rack\": \"r1\",\n"
    "              \"address\": \"10.0.0.1:11211\", \"params\": {}}]}\n"
    "\n"
    "Exit codes: 0, done; 1, data is refused or a key has no owner; 2, "
    "misuse;\n"
    "3, `check` found a node at 1.5 times its due, or `simulate` one that is\n"
    "overloaded.";

Exit Run(int argc, char** argv) {
  const auto program = MakeProgram(
      "clockwise", "Which node owns this key? Consistent-hash routing.");
  CLI::App& app = *program;
  ExpectVerb(app);
  SetFooter(app, kExamples);
  RegisterSchemes();
  Action action;
  AddRoute(app, action);
  AddExplain(app, action);
  AddShow(app, action);
  AddCheck(app, action);
  AddDigest(app, action);
  AddDiff(app, action);
  AddPlan(app, action);
  AddSimulate(app, action);
  AddPack(app, action);
  AddTune(app, action);
  AddCompare(app, action);
  AddSchemes(app, action);
  if (!ParseArguments(app, argc, argv)) return Exit::kOk;
  if (!action) throw Failure(Exit::kMisuse, "no verb; see clockwise --help");
  return action();
}

}  // namespace
}  // namespace clockwise::tool

int main(int argc, char** argv) {
  using namespace clockwise::tool;
  return RunProgram("clockwise", argc, argv, Run);
}
