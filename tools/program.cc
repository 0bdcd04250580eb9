// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "program.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "output.h"
#include "text.h"

namespace clockwise::tool {
namespace {

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

int Complain(const char* name, Exit code, std::string_view message) {
  // Not fmt::print, which throws where standard error is closed.
  std::fputs((name + (": " + Escaped(message)) + '\n').c_str(), stderr);
  return static_cast<int>(code);
}

}  // namespace

bool ParseArguments(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(Arguments(argc, argv));
    return true;
  } catch (const CLI::CallForVersion& version) {
    Print(std::string(version.what()) + '\n');
    return false;
  } catch (const CLI::Success&) {
    Print(app.help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw Failure(Exit::kMisuse, std::string(error.what()) + "; see " +
                                     app.get_name() + " --help");
  }
}

int RunProgram(const char* name, int argc, char** argv,
               Exit (*run)(int argc, char** argv)) {
  // A closed pipe is then an error of the write, with a message.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return static_cast<int>(run(argc, argv));
  } catch (const Failure& failure) {
    return Complain(name, failure.code(), failure.message());
  } catch (const std::bad_alloc&) {
    return Complain(name, Exit::kRefused, "out of memory");
  } catch (const std::exception& error) {
    return Complain(name, Exit::kRefused, error.what());
  }
}

}  // namespace clockwise::tool
