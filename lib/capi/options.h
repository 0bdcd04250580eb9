// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Structs that grow: how programs built against one version of the header get
// on with the library of another.
//
// A struct begins with `struct_size`, what its caller takes its size for. Later
// versions add fields past the end of the struct, its padding included, so that
// the size tells which fields there are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "clockwise/clockwise_c.h"
#include "clockwise/status.h"

namespace clockwise::capi {

// Above the size of any version of any struct.
inline constexpr size_t kMaxOptionsSize = 4096;

// Fills in a struct that its caller takes to have `size` bytes: with zeros what
// this version does not know.
template <typename T>
void FillIn(T* out, const T& filled, size_t size) noexcept {
  std::memset(out, 0, size);
  std::memcpy(out, &filled, std::min(size, sizeof filled));
}

// The options in the struct of this version: an earlier one's with the defaults
// of what it lacks, a later one's if nothing else in it is set. NULL: the
// defaults. `init` is the function of C that sets those.
template <typename T>
Result<T> ThisVersion(const T* given, void (*init)(T*, size_t),
                      const char* name_of_init) {
  constexpr size_t kFirstSize = sizeof(T);  // of its first version
  T options;
  init(&options, sizeof options);
  if (given == nullptr) return options;
  const size_t size = given->struct_size;
  if (size < kFirstSize || size > kMaxOptionsSize) {
    return Status(Code::kInvalidArgument, "options: struct_size " +
                                              std::to_string(size) + "; " +
                                              name_of_init + " sets it");
  }
  const size_t known = std::min(size, sizeof options);
  std::memcpy(&options, given, known);
  const auto* bytes = reinterpret_cast<const char*>(given);
  if (std::any_of(bytes + known, bytes + size, [](char c) { return c != 0; })) {
    return Status(Code::kInvalidArgument,
                  "options: a field is set that this version does not know");
  }
  return options;
}

// kInvalidOptions for a number that names nothing.
inline Status NamesNothing(const char* what, int32_t value) {
  return {Code::kInvalidOptions,
          std::string(what) + ' ' + std::to_string(value) + "; unknown"};
}

}  // namespace clockwise::capi
