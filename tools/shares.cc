// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "shares.h"

#include <algorithm>
#include <string>

#include "text.h"

namespace clockwise::tool {

std::vector<uint64_t> CountSample(const AnyPlacement& placement) {
  constexpr size_t kBatch = 4096;
  std::vector<std::string> texts(kBatch);
  std::vector<std::string_view> keys(kBatch);
  std::vector<NodeIndex> owners(kBatch);
  std::vector<uint64_t> counts(placement.slot_count(), 0);
  for (uint64_t first = 0; first < kSampleKeys; first += kBatch) {
    for (size_t i = 0; i < kBatch; ++i) {
      texts[i] = Hex(Fmix64(first + i));
      keys[i] = texts[i];
    }
    placement.Owners(keys.data(), kBatch, owners.data());
    for (NodeIndex owner : owners) {
      if (owner != kNoNode) ++counts[owner];
    }
  }
  return counts;
}

std::vector<NodeIndex> NodesById(const AnyPlacement& placement) {
  std::vector<NodeIndex> nodes;
  for (NodeIndex slot = 0; slot < placement.slot_count(); ++slot) {
    if (!placement.node(slot).id.empty()) nodes.push_back(slot);
  }
  std::ranges::sort(nodes, {},
                    [&](NodeIndex n) { return placement.node(n).id; });
  return nodes;
}

}  // namespace clockwise::tool
