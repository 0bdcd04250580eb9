// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `plan`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddPlan(CLI::App& app, Action& action);

}  // namespace clockwise::tool
