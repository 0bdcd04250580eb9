// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The verb `digest`.
#pragma once

#include "args.h"

namespace clockwise::tool {

void AddDigest(CLI::App& app, Action& action);

}  // namespace clockwise::tool
