// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Files whose names come from outside, opened with suspicion.
#pragma once

#include <string>

#include "clockwise/status.h"

namespace clockwise {

// Returns the whole of a regular file of at most kMaxMembersBytes, read once
// through one descriptor. kIo, by name, for anything else: a FIFO or a device
// is told apart without waiting for it. May throw std::bad_alloc.
Result<std::string> ReadWholeFile(const std::string& path);

}  // namespace clockwise
