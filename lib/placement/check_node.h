// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The limits of nodes and of names, as node.h says them.
#pragma once

#include <string>
#include <string_view>

#include "clockwise/node.h"
#include "clockwise/status.h"

namespace clockwise {

inline constexpr size_t kMaxNameBytes = 255;

// "ring 'sessions'", or "ring" where it has no name: for messages.
inline std::string Title(std::string_view kind, const std::string& name) {
  std::string title(kind);
  return name.empty() ? title : title + " '" + name + "'";
}

// kBadNodeId, kBadNode or kBadWeight where a node is beyond a limit.
Status CheckNode(const Node& node);

}  // namespace clockwise
