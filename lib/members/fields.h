// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The fields of a members file, schema 1, as tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "clockwise/members.h"

namespace clockwise::schema {

// A JSON value that is neither an object nor a list.
using Scalar = std::variant<std::nullptr_t, bool, int64_t, uint64_t, double,
                            std::string_view>;

// "-1", "1.5", "'text'", "null": for messages.
std::string ToText(const Scalar& value);

// What a field holds. Scalars differ in how SetField reads them from a text.
enum class Holds { kText, kCount, kWeight, kRing, kNodes, kParams };

struct Field {
  std::string_view name;
  Holds holds;
  // Takes a scalar into the members (the last node, where a node's field is
  // read); returns why it is refused, empty where it is not.
  std::string (*set)(const Scalar&, Members&) = nullptr;

  [[nodiscard]] constexpr bool IsScalar() const { return set != nullptr; }
};

std::span<const Field> FileFields();
std::span<const Field> RingFields();
std::span<const Field> NodeFields();

// The field of this name; null where there is none.
const Field* FindField(std::span<const Field> fields, std::string_view name);

// Takes a parameter, written as a text, a whole number, true or false; returns
// why it is refused, empty where it is not.
std::string SetParam(std::string_view name, const Scalar& value,
                     Params& params);
// The same for a name that is not there yet beside others of `bytes` bytes, to
// which it adds its own: in constant time but for the map.
std::string SetParam(std::string_view name, const Scalar& value, Params& params,
                     size_t& bytes);

}  // namespace clockwise::schema
