// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Highway targets, so that a benchmark runs with each that the CPU has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace clockwise::bench {

// The targets that this CPU can run and that were compiled, best first.
const std::vector<int64_t>& Targets();

// Returns "AVX2" and the like.
std::string TargetName(int64_t target);

// Makes batches run with `target`; 0: with the CPU's best.
void UseTarget(int64_t target);

}  // namespace clockwise::bench
