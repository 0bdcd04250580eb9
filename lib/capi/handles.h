// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What stands behind the handles of the C interface, and its arguments checked.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "clockwise/clockwise.h"
#include "clockwise/clockwise_c.h"

struct cw_ring {
  clockwise::Ring ring;
};

struct cw_builder {
  clockwise::RingBuilder builder;
};

namespace clockwise::capi {

// Whether a pointer and a length are bytes.
inline bool IsBytes(const void* data, size_t size) noexcept {
  return data != nullptr || size == 0;
}

inline std::string_view View(const void* data, size_t size) noexcept {
  return {static_cast<const char*>(data), size};
}

// kInvalidArgument: "what is NULL".
inline Status IsNull(const char* what) {
  return {Code::kInvalidArgument, std::string(what) + " is NULL"};
}

// Puts the value of `result` behind a new handle.
template <typename Handle, typename T>
Status Give(Result<T> result, Handle** handle) {
  if (!result.ok()) return result.status();
  *handle = new Handle{std::move(result).value()};
  return {};
}

}  // namespace clockwise::capi
