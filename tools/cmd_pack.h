// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `pack`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddPack(CLI::App& app, Action& action);

}  // namespace clockwise::tool
