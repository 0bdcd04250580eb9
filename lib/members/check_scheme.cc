// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "members/check_scheme.h"

#include <algorithm>

namespace clockwise {
namespace {

Status RefuseDecided(const Scheme& scheme, const std::string& what) {
  return {Code::kInvalidOptions,
          what + "; scheme " + std::string(scheme.id) + " does not take it"};
}

// What only rings read.
Status CheckNotRing(const Scheme& scheme, const RingOptions& options) {
  const RingOptions defaults;
  if (options.layout != defaults.layout) {
    return RefuseDecided(scheme,
                         "layout " + std::string(LayoutName(*options.layout)));
  }
  if (options.max_points != defaults.max_points) {
    return RefuseDecided(scheme,
                         "max_points " + std::to_string(options.max_points));
  }
  return {};
}

Status CheckDecided(const Scheme& scheme, const RingOptions& options) {
  const RingOptions defaults;
  if (options.vnodes != defaults.vnodes) {
    return RefuseDecided(scheme, "vnodes " + std::to_string(options.vnodes));
  }
  if (options.width != defaults.width) {
    return RefuseDecided(scheme, "width " + std::to_string(options.width));
  }
  if (!scheme.is_ring()) {
    if (Status s = CheckNotRing(scheme, options); !s.ok()) return s;
  }
  if (scheme.takes_key_hash) return {};
  if (options.seed != defaults.seed) {
    return RefuseDecided(scheme, "seed " + std::to_string(options.seed));
  }
  if (options.key_hash != defaults.key_hash) {
    return RefuseDecided(
        scheme, "key hash " + std::string(KeyHashName(options.key_hash)));
  }
  return {};
}

}  // namespace

std::string RefusalOfParam(std::string_view name, std::string_view scheme,
                           std::span<const std::string_view> known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  std::string text = "unknown parameter '" + std::string(name) + "'; scheme " +
                     std::string(scheme);
  if (known.empty()) return text + " has none";
  text += " reads";
  const char* before = " '";
  for (std::string_view each : known) {
    text += before + std::string(each) + '\'';
    before = ", '";
  }
  return text;
}

Status CheckAgainst(const Scheme& scheme, const Members& members) {
  for (const auto& [name, value] : members.options.params) {
    const std::string why = RefusalOfParam(name, scheme.id, scheme.ring_params);
    if (!why.empty()) return {Code::kInvalidOptions, why};
  }
  for (const Node& node : members.nodes) {
    for (const auto& [name, value] : node.params) {
      const std::string why =
          RefusalOfParam(name, scheme.id, scheme.node_params);
      if (!why.empty())
        return {Code::kBadNode, "node '" + node.id + "': " + why};
    }
  }
  const bool is_native = scheme.is_ring() && scheme.build_ring == nullptr;
  return is_native ? Status() : CheckDecided(scheme, members.options);
}

}  // namespace clockwise
