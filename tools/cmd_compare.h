// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// `clockwise compare`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddCompare(CLI::App& app, Action& action);

}  // namespace clockwise::tool
