// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `check`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddCheck(CLI::App& app, Action& action);

}  // namespace clockwise::tool
