// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What is wrong with a ring file.
#pragma once

#include <string>
#include <utility>

#include "clockwise/ring_file.h"
#include "clockwise/status.h"

namespace clockwise {

// A fault and what a message says of it; none by default.
struct Defect {
  RingFileFault fault = RingFileFault::kNone;
  std::string what;

  // Whether there is one.
  explicit operator bool() const noexcept {
    return fault != RingFileFault::kNone;
  }
};

// "`name`: point_order: `what`"
inline Status ToStatus(const Defect& defect, std::string_view name) {
  return {Code::kBadRingFile, std::string(name) + ": " +
                                  std::string(RingFileFaultName(defect.fault)) +
                                  ": " + defect.what};
}

// "`what` `value`; `limit`"
inline Defect OutOfRange(RingFileFault fault, const char* what, uint64_t value,
                         const std::string& limit) {
  return {fault,
          std::string(what) + " " + std::to_string(value) + "; " + limit};
}

}  // namespace clockwise
