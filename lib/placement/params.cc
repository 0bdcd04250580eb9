// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/params.h"

namespace clockwise {

std::optional<std::string_view> ParamsView::Find(
    std::string_view name) const noexcept {
  std::optional<std::string_view> found;
  ForEach([&](std::string_view other, std::string_view value) {
    if (other == name) found = value;
  });
  return found;
}

Params ParamsView::ToParams() const {
  Params params;
  ForEach([&](std::string_view name, std::string_view value) {
    params.emplace_hint(params.end(), name, value);
  });
  return params;
}

std::string RefusalOf(const Params& params) {
  size_t bytes = 0;
  for (const auto& [name, value] : params) {
    if (name.empty()) return "a parameter has an empty name";
    if (name.size() > kMaxParamNameBytes) {
      return "parameter '" + name.substr(0, 32) + "…': the name has " +
             std::to_string(name.size()) + " bytes; at most " +
             std::to_string(kMaxParamNameBytes);
    }
    bytes += 3 + name.size() + value.size();
    if (bytes <= kMaxParamsBytes) continue;
    return "parameter '" + name + "': " + std::to_string(bytes) +
           " bytes of parameters up to it; at most " +
           std::to_string(kMaxParamsBytes);
  }
  return {};
}

std::string Pack(const Params& params) {
  std::string packed;
  for (const auto& [name, value] : params) {
    packed.push_back(static_cast<char>(name.size()));
    packed.push_back(static_cast<char>(value.size() & 0xFF));
    packed.push_back(static_cast<char>(value.size() >> 8));
    packed.append(name).append(value);
  }
  return packed;
}

}  // namespace clockwise
