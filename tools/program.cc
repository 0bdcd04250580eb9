// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "program.h"

#include <csignal>
#include <cstdio>
#include <new>
#include <string>

#include "text.h"

namespace clockwise::tool {
namespace {

int Complain(const char* name, Exit code, std::string_view message) {
  // Not fmt::print, which throws where standard error is closed.
  std::fputs((name + (": " + Escaped(message)) + '\n').c_str(), stderr);
  return static_cast<int>(code);
}

}  // namespace

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
