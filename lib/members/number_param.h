// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Parameters of schemes, read as what they stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/parse_unsigned.h"
#include "clockwise/members.h"
#include "clockwise/status.h"

namespace clockwise {

// The parameter's value; none where it is not given.
inline std::optional<std::string_view> ParamOf(const Params& params,
                                               std::string_view name) {
  const auto found = params.find(name);
  if (found == params.end()) return std::nullopt;
  return found->second;
}

// kInvalidOptions for a value that a parameter does not have.
inline Status BadParam(std::string_view name, std::string_view value,
                       std::string_view wanted) {
  return {Code::kInvalidOptions, "parameter '" + std::string(name) + "': '" +
                                     std::string(value) + "'; " +
                                     std::string(wanted) + " is wanted"};
}
// kBadNode for a parameter of a node.
inline Status BadNodeParam(const Node& node, std::string_view name,
                           std::string_view wanted) {
  return {Code::kBadNode, "node '" + node.id + "': parameter '" +
                              std::string(name) + "': " + std::string(wanted) +
                              " is wanted"};
}

// kBadWeight where a node has another weight than 1.
inline Status CheckNoWeights(const Members& members) {
  for (const Node& node : members.nodes) {
    if (node.weight == Weight()) continue;
    return {Code::kBadWeight, "node '" + node.id + "': weight " +
                                  node.weight.ToString() + "; scheme " +
                                  members.options.scheme + " has none but 1"};
  }
  return {};
}

// Of the ring: a decimal number from `least` to `most`, or `otherwise` where it
// is not given; else kInvalidOptions.
inline Result<uint64_t> NumberParam(const Members& members,
                                    std::string_view name, uint64_t otherwise,
                                    uint64_t least, uint64_t most) {
  const auto text = ParamOf(members.options.params, name);
  if (!text) return otherwise;
  const auto number = ParseUnsigned(*text);
  if (number && *number >= least && *number <= most) return *number;
  return BadParam(name, *text,
                  std::to_string(least) + " to " + std::to_string(most));
}

// Cuts the first part off a list with commas between, as "1,5-7".
inline std::string_view CutFirst(std::string_view& list) {
  const size_t comma = list.find(',');
  const std::string_view first = list.substr(0, comma);
  list = comma == std::string_view::npos ? std::string_view()
                                         : list.substr(comma + 1);
  return first;
}

}  // namespace clockwise
