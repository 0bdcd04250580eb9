// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The arguments of a program: its verbs, their options, and the parsing. The
// parser's own header is code that each file would compile, several seconds of
// it; command_line.cc alone includes it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "failure.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace clockwise::tool {

// A program with --help and --version. Shared, which needs no more of its class
// than its name.
std::shared_ptr<CLI::App> MakeProgram(const char* name, const char* help);

// Has the program take one verb, and no second: a key may be called "show".
void ExpectVerb(CLI::App& program);

// What the verb on the command line does, once everything is parsed.
using Action = std::function<Exit()>;

// Adds a verb to the program. `run` becomes `action` when it is the one given.
CLI::App& AddVerb(CLI::App& program, const char* name, const char* help,
                  Action run, Action& action);
// The same of a function of `args`, which it keeps: what the options write to.
template <typename Args>
CLI::App& AddVerb(CLI::App& program, const char* name, const char* help,
                  const std::shared_ptr<Args>& args, Exit (*run)(const Args&),
                  Action& action) {
  return AddVerb(
      program, name, help, [=] { return run(*args); }, action);
}

// Sets what --help says after the options.
void SetFooter(CLI::App& app, const char* text);

// An option that was added, to say more of it; each function returns it again.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  // What help calls the value; "" leaves it out.
  Option Type(const char* name);
  // The heading of help that it stands below.
  Option Group(const char* heading);
  Option Required();
  // Refuses it without, or with, the option of that name, added before.
  Option Needs(const char* name);
  Option Excludes(const char* name);

 private:
  CLI::Option* option_;
};

// Adds an option, or an argument by its place where `name` begins with no "-".
// What is parsed is written to `value`, which must live until then.
Option AddOption(CLI::App& app, const char* name, std::string& value,
                 const char* help);
Option AddOption(CLI::App& app, const char* name,
                 std::optional<std::string>& value, const char* help);
// The same of an option without a value.
Option AddFlag(CLI::App& app, const char* name, bool& value, const char* help);
// The same of all further arguments by their place, as many as there are.
Option AddRest(CLI::App& app, const char* name,
               std::vector<std::string>& values, const char* help);

// Adds an option that may be repeated, with one value each time.
Option AddRepeated(CLI::App& app, const char* name,
                   std::vector<std::string>& values, const char* help);
// The same, but `take` gets each value when it is read: in the order of the
// command line, also between several options.
Option AddInOrder(CLI::App& app, const char* name,
                  std::function<void(const std::string& value)> take,
                  const char* help);

// Parses the command line. Returns false where it asked only for help or the
// version, which are then printed. Throws Failure (kMisuse).
bool ParseArguments(CLI::App& program, int argc, char** argv);

}  // namespace clockwise::tool
