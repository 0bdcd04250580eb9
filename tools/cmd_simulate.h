// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `simulate`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddSimulate(CLI::App& app, Action& action);

}  // namespace clockwise::tool
