// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "maglev.h"

#include "clockwise/hash.h"
#include "keys.h"
#include "placement/maglev_fill.h"
#include "rings.h"

namespace clockwise::bench {
namespace {

std::vector<MaglevNode> NodesOf(uint32_t nodes, uint32_t slots, uint64_t seed) {
  std::vector<MaglevNode> filling;
  for (uint32_t i = 0; i < nodes; ++i) {
    const std::string id = NodeId(i);
    const uint64_t offset = Xxh3_64(id, seed) % slots;
    const uint64_t skip = Xxh3_64(id, seed + 1) % (slots - 1) + 1;
    filling.push_back(
        {static_cast<uint32_t>(offset), static_cast<uint32_t>(skip), 1.0});
  }
  return filling;
}

void CheckFastmod(const MaglevView& view, const std::vector<uint16_t>& table) {
  Random random(3);
  for (int i = 0; i < 10000; ++i) {
    const uint64_t hash = random();
    Require(view(hash) == table[(hash >> 32) % table.size()], "maglev");
  }
}

}  // namespace

uint32_t PrimeFrom(uint32_t n) {
  while (!IsPrime(n)) ++n;
  return n;
}

MaglevTable::MaglevTable(uint32_t nodes, uint32_t slots, uint64_t seed) {
  std::vector<NodeIndex> owners(slots);
  FillByWeight(NodesOf(nodes, slots, seed), owners);
  for (NodeIndex owner : owners) {
    table_.push_back(static_cast<uint16_t>(owner));
  }
  CheckFastmod(view(), table_);
}

}  // namespace clockwise::bench
