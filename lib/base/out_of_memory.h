// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The status for a heap that has no more to give.
#pragma once

#include "clockwise/status.h"

namespace clockwise {

// The message fits into a string without allocating.
inline Status OutOfMemory() {
  return Status(Code::kOutOfMemory, "out of memory");
}

}  // namespace clockwise
