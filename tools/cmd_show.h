// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `show`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddShow(CLI::App& app, Action& action);

}  // namespace clockwise::tool
