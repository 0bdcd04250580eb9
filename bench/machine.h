// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What figures are worth nothing without: the machine and how this was built.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace clockwise::bench {

// Name and value of each context line: cpu, caches, compiler, flags, targets.
std::vector<std::pair<std::string, std::string>> Machine();

}  // namespace clockwise::bench
