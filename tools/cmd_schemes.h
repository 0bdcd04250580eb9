// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `schemes`.
#pragma once

#include "args.h"

namespace clockwise::tool {

// Makes the schemes known that this command was built with. Throws Failure.
void RegisterSchemes();

void AddSchemes(CLI::App& app, Action& action);

}  // namespace clockwise::tool
