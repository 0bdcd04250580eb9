// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/params.h"

namespace clockwise {
namespace {

constexpr size_t kParamHead = 3;  // the two sizes of a packed parameter

}  // namespace

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

std::string RefusalOf(std::string_view name, std::string_view value,
                      size_t& bytes) {
  if (name.empty()) return "a parameter has an empty name";
  if (name.size() > kMaxParamNameBytes) {
    return "parameter '" + std::string(name.substr(0, 32)) +
           "…': the name has " + std::to_string(name.size()) +
           " bytes; at most " + std::to_string(kMaxParamNameBytes);
  }
  const size_t all = bytes + kParamHead + name.size() + value.size();
  if (all > kMaxParamsBytes) {
    return "parameter '" + std::string(name) + "': " + std::to_string(all) +
           " bytes of parameters up to it; at most " +
           std::to_string(kMaxParamsBytes);
  }
  bytes = all;
  return {};
}

std::string RefusalOf(const Params& params) {
  size_t bytes = 0;
  for (const auto& [name, value] : params) {
    std::string why = RefusalOf(name, value, bytes);
    if (!why.empty()) return why;
  }
  return {};
}

size_t PackedBytes(const Params& params) {
  size_t bytes = 0;
  for (const auto& [name, value] : params) {
    bytes += kParamHead + name.size() + value.size();
  }
  return bytes;
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
