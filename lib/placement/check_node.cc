// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/check_node.h"

#include <utility>

#include "placement/params.h"

namespace clockwise {
namespace {

Status TooLong(const Node& node, const char* what, size_t bytes, size_t limit) {
  return {Code::kBadNode, "node '" + node.id + "': the " + what + " has " +
                              std::to_string(bytes) + " bytes; at most " +
                              std::to_string(limit)};
}

Status CheckWeight(std::string_view id, Weight weight) {
  if (weight.thousandths() <= Weight::kMaxThousandths) return {};
  return {Code::kBadWeight, "node '" + std::string(id) + "': weight " +
                                weight.ToString() + "; at most 1000000"};
}

}  // namespace

Status CheckNode(const Node& node) {
  if (node.id.empty()) return {Code::kBadNodeId, "a node has an empty id"};
  if (node.id.size() > kMaxIdBytes) {
    return {Code::kBadNodeId,
            "node '" + node.id.substr(0, 32) + "…': the id has " +
                std::to_string(node.id.size()) + " bytes; at most 255"};
  }
  const std::pair<const char*, const std::string*> labels[] = {
      {"region", &node.region}, {"zone", &node.zone}, {"rack", &node.rack}};
  for (const auto& [what, label] : labels) {
    if (label->size() > kMaxLabelBytes) {
      return TooLong(node, what, label->size(), kMaxLabelBytes);
    }
  }
  if (node.address.size() > kMaxAddressBytes) {
    return TooLong(node, "address", node.address.size(), kMaxAddressBytes);
  }
  if (std::string why = RefusalOf(node.params); !why.empty()) {
    return {Code::kBadNode, "node '" + node.id + "': " + why};
  }
  return CheckWeight(node.id, node.weight);
}

}  // namespace clockwise
