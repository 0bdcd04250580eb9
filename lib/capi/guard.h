// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The border that no exception crosses.
#pragma once

#include "base/out_of_memory.h"
#include "clockwise/clockwise_c.h"
#include "clockwise/detail/api.h"
#include "clockwise/status.h"

namespace clockwise::capi {

// Tells the caller of `status`: fills in `error`, unless it is null, and
// returns the code. Exported for clockwise-compat.
CW_API cw_status Report(const Status& status, cw_error* error) noexcept;

// Reports the status that `body` returns. The library throws for want of memory
// only.
template <typename Body>
cw_status Guarded(cw_error* error, Body body) noexcept try {
  return Report(body(), error);
} catch (...) {
  return Report(OutOfMemory(), error);
}

// The same for a function that makes a handle; null unless it succeeds.
template <typename Handle, typename Body>
cw_status Guarded(Handle** handle, cw_error* error, Body body) noexcept {
  if (handle != nullptr) *handle = nullptr;
  return Guarded(error, [&]() -> Status {
    if (handle == nullptr) {
      return {Code::kInvalidArgument, "the place for the handle is NULL"};
    }
    return body();
  });
}

}  // namespace clockwise::capi
