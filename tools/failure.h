// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Why a run of the command ends early.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "clockwise/status.h"

namespace clockwise::tool {

// Exit codes, which scripts rely on.
enum class Exit : int {
  kOk = 0,
  kRefused = 1,  // data is refused, or a key has no owner
  kMisuse = 2,   // the command line is wrong
  kAlarm = 3,    // `check` found a node far above its share, `simulate` one
                 // that is overloaded
};

// Thrown anywhere, caught once, in main. The message names the item, its value
// and the limit; it may hold any bytes, since main escapes it.
class Failure : public std::exception {
 public:
  Failure(Exit code, std::string message)
      : code_(code), message_(std::move(message)) {}

  [[nodiscard]] Exit code() const noexcept { return code_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const char* what() const noexcept override {
    return message_.c_str();
  }

 private:
  Exit code_;
  std::string message_;
};

// Throws where `status` is an error: data that the library refuses.
inline void ThrowIfError(const Status& status) {
  if (!status.ok()) throw Failure(Exit::kRefused, status.message());
}

// The value of a result; throws where there is none.
template <typename T>
T ValueOf(Result<T> result) {
  ThrowIfError(result.status());
  return std::move(result).value();
}

}  // namespace clockwise::tool
