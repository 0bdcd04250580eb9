// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "clockwise/status.h"

namespace clockwise {

// kIo for a call on the file `path` that just failed: "PATH: WHAT: REASON", the
// reason that of errno.
inline Status ByErrno(const std::string& path, const char* what) {
  return {Code::kIo,
          path + ": " + what + ": " + std::generic_category().message(errno)};
}

}  // namespace clockwise
