// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The command: its verbs, and the one place where failures end.
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "args.h"
#include "cmd_check.h"
#include "cmd_digest.h"
#include "cmd_explain.h"
#include "cmd_route.h"
#include "cmd_show.h"
#include "failure.h"
#include "output.h"
#include "text.h"

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
    "3, `check` found a node at 1.5 times its due.";

// The arguments, last one first, as the parser takes them. It would look for
// the value of "--flag=" in the next argument.
std::vector<std::string> Arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  bool is_after_mark = false;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    is_after_mark |= argument == "--";
    const size_t equals = argument.find('=');
    if (!is_after_mark && argument.starts_with("--") &&
        equals == argument.size() - 1) {
      arguments.push_back(argument.substr(0, equals));
      argument.clear();
    }
    arguments.push_back(std::move(argument));
  }
  return {arguments.rbegin(), arguments.rend()};
}

Exit Run(int argc, char** argv) {
  CLI::App app("Which node owns this key? Consistent-hash routing.",
               "clockwise");
  app.set_version_flag("--version", "clockwise " CLOCKWISE_VERSION);
  app.require_subcommand(0, 1);  // no second verb: a key may be called "show"
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.get_formatter()->label("Subcommands", "Verbs");
  app.footer(kExamples);
  Action action;
  AddRoute(app, action);
  AddExplain(app, action);
  AddShow(app, action);
  AddCheck(app, action);
  AddDigest(app, action);
  try {
    app.parse(Arguments(argc, argv));
  } catch (const CLI::CallForVersion& version) {
    Print(std::string(version.what()) + '\n');
    return Exit::kOk;
  } catch (const CLI::Success&) {
    Print(app.help());
    return Exit::kOk;
  } catch (const CLI::ParseError& error) {
    throw Failure(Exit::kMisuse,
                  std::string(error.what()) + "; see clockwise --help");
  }
  if (!action) throw Failure(Exit::kMisuse, "no verb; see clockwise --help");
  return action();
}

Exit Complain(Exit code, std::string_view message) {
  // Not fmt::print, which throws where standard error is closed.
  std::fputs(("clockwise: " + Escaped(message) + '\n').c_str(), stderr);
  return code;
}

Exit RunGuarded(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const Failure& failure) {
    return Complain(failure.code(), failure.message());
  } catch (const std::bad_alloc&) {
    return Complain(Exit::kRefused, "out of memory");
  } catch (const std::exception& error) {
    return Complain(Exit::kRefused, error.what());
  }
}

}  // namespace
}  // namespace clockwise::tool

int main(int argc, char** argv) {
  // A closed pipe is then an error of the write, with a message.
  std::signal(SIGPIPE, SIG_IGN);
  return static_cast<int>(clockwise::tool::RunGuarded(argc, argv));
}
