// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Looks hashes up in every inlined way. Built once per set of CPU flags, with
// FLAGS the namespace that tells the copies apart.
#include "mixed_flags.h"

namespace FLAGS {

using clockwise::NodeIndex;

std::vector<NodeIndex> Owners(const clockwise::Ring& ring,
                              const std::vector<uint64_t>& hashes) {
  std::vector<NodeIndex> owners;
  for (uint64_t hash : hashes) owners.push_back(ring.Owner(hash));
  if (const auto view = ring.line64()) {
    for (uint64_t hash : hashes) owners.push_back(view->Owner(hash));
  }
  if (const auto view = ring.line32()) {
    for (uint64_t hash : hashes) owners.push_back(view->Owner(hash));
  }
  for (uint64_t hash : hashes) {
    for (NodeIndex node : ring.Clockwise(hash)) owners.push_back(node);
  }
  return owners;
}

}  // namespace FLAGS
