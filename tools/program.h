// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What the programs here share: how they end.
#pragma once

#include "failure.h"

namespace clockwise::tool {

// Returns the exit code of `run`. What it throws ends here, as a line on
// standard error that begins with `name`.
int RunProgram(const char* name, int argc, char** argv,
               Exit (*run)(int argc, char** argv));

}  // namespace clockwise::tool
