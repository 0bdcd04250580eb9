// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Parameters of schemes: named texts of a ring or of a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "clockwise/detail/api.h"

namespace clockwise {

// What a scheme other than clockwise-1 reads beside ids and weights, such as
// the fields of the system that it reproduces. By name, 1 to 255 bytes; names
// and values are any bytes. Part of the digest.
using Params = std::map<std::string, std::string, std::less<>>;

inline constexpr size_t kMaxParamNameBytes = 255;
// Of one ring or node: all names and values, and 3 bytes more for each.
inline constexpr size_t kMaxParamsBytes = 65535;

// The same, seen inside a ring. Valid while the ring lives.
class ParamsView {
 public:
  ParamsView() = default;
  // For each by name: u8 size of the name, u16 size of the value (low byte
  // first), name, value.
  explicit ParamsView(std::string_view packed) noexcept : packed_(packed) {}

  [[nodiscard]] bool empty() const noexcept { return packed_.empty(); }
  [[nodiscard]] std::string_view packed() const noexcept { return packed_; }

  // Calls f(name, value) for each, names ascending.
  template <typename F>
  void ForEach(F&& f) const {
    for (std::string_view rest = packed_; !rest.empty();) {
      const size_t name = Byte(rest, 0);
      const size_t value = Byte(rest, 1) | Byte(rest, 2) << 8;
      f(rest.substr(3, name), rest.substr(3 + name, value));
      rest.remove_prefix(3 + name + value);
    }
  }
  // Returns the value of that name, if there is one.
  [[nodiscard]] CW_API std::optional<std::string_view> Find(
      std::string_view name) const noexcept;
  [[nodiscard]] CW_API Params ToParams() const;

  friend bool operator==(ParamsView, ParamsView) = default;

 private:
  static size_t Byte(std::string_view text, size_t i) noexcept {
    return static_cast<uint8_t>(text[i]);
  }

  std::string_view packed_;
};

}  // namespace clockwise
