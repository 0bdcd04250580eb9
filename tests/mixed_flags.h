// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The same user code, built twice: with baseline and with other CPU flags.
#pragma once

#include <cstdint>
#include <vector>

#include "clockwise/clockwise.h"

namespace baseline {
std::vector<clockwise::NodeIndex> Owners(const clockwise::Ring& ring,
                                         const std::vector<uint64_t>& hashes);
}  // namespace baseline

namespace flagged {
std::vector<clockwise::NodeIndex> Owners(const clockwise::Ring& ring,
                                         const std::vector<uint64_t>& hashes);
}  // namespace flagged
