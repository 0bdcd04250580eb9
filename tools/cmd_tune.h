// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// `clockwise tune`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddTune(CLI::App& app, Action& action);

}  // namespace clockwise::tool
