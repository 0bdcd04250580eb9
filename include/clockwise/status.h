// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Errors as values: a code, and a message that names the item and the limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "clockwise/detail/api.h"

namespace clockwise {

// What went wrong. Values are stable: they may be logged and compared.
enum class Code : uint8_t {
  kOk = 0,
  kInvalidOptions = 1,   // an option of a ring is out of its range
  kBadNodeId = 2,        // an id is empty or longer than 255 bytes
  kBadNode = 3,          // a label or address is too long
  kBadWeight = 4,        // a weight is not a whole count of thousandths, is
                         // above 1,000,000, or is 0 for a node with points
  kDuplicateNode = 5,    // the id is taken by a different record
  kUnknownNode = 6,      // no node has this id
  kBadPosition = 7,      // an explicit position does not fit the ring's width
  kTooManyNodes = 8,     // more than 2^20 slots
  kTooManyPoints = 9,    // more points than `max_points`, or than 2^27
  kOutOfMemory = 10,     // the block source or the heap had no memory
  kForked = 11,          // this process was forked; see Domain::AfterForkChild
  kWouldDeadlock = 12,   // the calling thread holds a pin
  kStaleEpoch = 13,      // the epoch is lower than that of the newest ring
  kEpochConflict = 14,   // the newest ring has this epoch and another digest
  kEpochExhausted = 15,  // no epoch is left above that of the newest ring
  kRemapRefused = 16,    // the ring would place keys by another recipe
  kGraceTimeout = 17,    // readers of an older ring did not let go in time
  kNoThread = 18,        // the system has no further thread
  kBadMembers = 19,      // what a members file holds is refused
  kIo = 20,              // a file cannot be read or written
  // C interface: a pointer is NULL, or a struct's size is no known one.
  kInvalidArgument = 21,
  kSuspiciousChange = 22,  // more weight would be gone than one step may take
  kBadRingFile = 23,       // a ring file is refused; see RingFileFault
};
inline constexpr size_t kCodeCount = 24;

// Returns a lower-case name of the code, such as "too_many_points".
CW_API std::string_view CodeName(Code code) noexcept;

// Success, or a code with a message for a person.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message)
      : code_(code), message_(std::move(message)) {}

  [[nodiscard]] bool ok() const noexcept { return code_ == Code::kOk; }
  [[nodiscard]] Code code() const noexcept { return code_; }
  // Empty on success. Names the item and the limit it passed.
  [[nodiscard]] const std::string& message() const noexcept { return message_; }

 private:
  Code code_ = Code::kOk;
  std::string message_;
};

// A value, or the status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}        // NOLINT: implicit
  Result(Status status) : state_(std::move(status)) {  // NOLINT: implicit
    if (std::get<Status>(state_).ok()) std::abort();   // a bug of the caller
  }

  [[nodiscard]] bool ok() const noexcept {
    return std::holds_alternative<T>(state_);
  }
  // The status of a failed result; Status() of a successful one.
  [[nodiscard]] Status status() const {
    return ok() ? Status() : std::get<Status>(state_);
  }
  // The value. Aborts on a failed result: look at ok() first.
  [[nodiscard]] T& value() & {
    if (!ok()) std::abort();
    return std::get<T>(state_);
  }
  [[nodiscard]] const T& value() const& {
    if (!ok()) std::abort();
    return std::get<T>(state_);
  }
  [[nodiscard]] T&& value() && { return std::move(value()); }

 private:
  std::variant<Status, T> state_;
};

}  // namespace clockwise
