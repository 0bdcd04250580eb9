// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What building a placement that is not a ring begins and ends with.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clockwise/placement.h"
#include "placement/check_node.h"
#include "placement/digest.h"

namespace clockwise {

// How a scheme takes its nodes.
struct PlacementScheme {
  std::string_view id;
  bool is_listed = false;      // nodes in list order; else by ascending id
  bool has_weights = false;    // else 0 and 1 only
  bool keeps_drained = false;  // nodes of weight 0 are numbered too
  bool is_foreign = false;     // any key hash, parameters of nodes, and those
                               // of weight 0 in the digest
  uint32_t width = 64;         // bits of hashes
  uint32_t points = 0;         // of each node
};

// kInvalidOptions with a message that begins with the placement's title.
inline Status RefuseOptions(const PlacementScheme& scheme,
                            const PlacementOptions& options,
                            const std::string& what) {
  return {Code::kInvalidOptions, Title(scheme.id, options.name) + ": " + what};
}

// Returns the nodes to place in the order of their indexes, or why not. They
// view `nodes`, and have no parameters.
Result<std::vector<NodeView>> ListNodes(const PlacementScheme& scheme,
                                        const PlacementOptions& options,
                                        std::span<const Node> nodes);

struct PlacedNodesMaker {
  // Of nodes that ListNodes gave; those of weight 0 are in the digest of a
  // foreign scheme only.
  // `parameters` are by name. kOutOfMemory if `source` has no block.
  static Result<PlacedNodes> Make(const PlacementScheme& scheme,
                                  const PlacementOptions& options,
                                  std::span<const NodeView> nodes,
                                  std::span<const SchemeParameter> parameters,
                                  BlockSource* source);
  // The same from ListNodes on, where a scheme has no parameters and makes
  // nothing else of its nodes.
  static Result<PlacedNodes> Make(const PlacementScheme& scheme,
                                  const PlacementOptions& options,
                                  std::span<const Node> nodes,
                                  BlockSource* source);
};

}  // namespace clockwise
