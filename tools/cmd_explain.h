// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `explain`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddExplain(CLI::App& app, Action& action);

}  // namespace clockwise::tool
