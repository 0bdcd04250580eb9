// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `diff`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddDiff(CLI::App& app, Action& action);

}  // namespace clockwise::tool
