// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The fields of a members file, schema 1, as tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "members.h"

namespace clockwise::tool {

// A JSON value that is neither an object nor a list.
using Scalar = std::variant<std::nullptr_t, bool, int64_t, uint64_t, double,
                            std::string_view>;

// "-1", "1.5", "'text'", "null": for messages.
std::string ToText(const Scalar& value);

enum class Holds { kScalar, kRing, kNodes, kParams };

struct Field {
  std::string_view name;
  Holds holds = Holds::kScalar;
  // Takes a scalar into the members (the last node, where a node's field is
  // read); returns why it is refused, empty where it is not.
  std::string (*set)(const Scalar&, Members&) = nullptr;
};

std::span<const Field> FileFields();
std::span<const Field> RingFields();
std::span<const Field> NodeFields();

}  // namespace clockwise::tool
