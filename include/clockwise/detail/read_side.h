// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a thread writes when it begins and ends to read, inlined into Pin.
#pragma once

#include <cstdint>

#include "clockwise/detail/api.h"

namespace clockwise::detail {

// A cache line of its own: only its thread touches it while it reads.
struct alignas(64) ReadSide {
  uint32_t depth = 0;  // pins held
  // Whether the first pin needs a call to begin, and the last one to end. A
  // QSBR thread that is online needs neither.
  bool enters_by_call = true;
  bool leaves_by_call = true;
};

CW_API void EnterRead(ReadSide* side) noexcept;
CW_API void LeaveRead(ReadSide* side) noexcept;
// Whether the calling thread is the one that registered.
[[nodiscard]] CW_API bool IsOwnThread(const ReadSide* side) noexcept;

}  // namespace clockwise::detail
