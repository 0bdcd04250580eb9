// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What the programs here share: arguments in, failures out.
#pragma once

#include "failure.h"

namespace CLI {
class App;
}  // namespace CLI

namespace clockwise::tool {

// Parses the command line. Returns false where it asked only for help or the
// version, which are then printed. Throws Failure (kMisuse).
bool ParseArguments(CLI::App& app, int argc, char** argv);

// Returns the exit code of `run`. What it throws ends here, as a line on
// standard error that begins with `name`.
int RunProgram(const char* name, int argc, char** argv,
               Exit (*run)(int argc, char** argv));

}  // namespace clockwise::tool
