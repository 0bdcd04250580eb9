// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `route`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddRoute(CLI::App& app, Action& action);

}  // namespace clockwise::tool
