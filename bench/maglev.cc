// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "maglev.h"

#include "clockwise/hash.h"
#include "keys.h"
#include "rings.h"

namespace clockwise::bench {
namespace {

constexpr uint16_t kFree = 0xFFFF;

// The slots that one node wishes for, in order.
struct Wishes {
  uint32_t next;
  uint32_t skip;

  uint32_t Take(uint32_t slots) {
    const uint32_t slot = next;
    next = (next + skip) % slots;
    return slot;
  }
};

std::vector<Wishes> WishesOf(uint32_t nodes, uint32_t slots, uint64_t seed) {
  std::vector<Wishes> wishes;
  for (uint32_t i = 0; i < nodes; ++i) {
    const std::string id = NodeId(i);
    const uint64_t offset = Xxh3_64(id, seed) % slots;
    const uint64_t skip = Xxh3_64(id, seed + 1) % (slots - 1) + 1;
    wishes.push_back(
        {static_cast<uint32_t>(offset), static_cast<uint32_t>(skip)});
  }
  return wishes;
}

bool IsPrime(uint32_t n) {
  for (uint32_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
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

MaglevTable::MaglevTable(uint32_t nodes, uint32_t slots, uint64_t seed)
    : table_(slots, kFree) {
  auto wishes = WishesOf(nodes, slots, seed);
  for (uint32_t filled = 0; filled < slots; ++filled) {
    const uint32_t node = filled % nodes;  // equal weights: all in turn
    uint32_t slot = wishes[node].Take(slots);
    while (table_[slot] != kFree) slot = wishes[node].Take(slots);
    table_[slot] = static_cast<uint16_t>(node);
  }
  CheckFastmod(view(), table_);
}

}  // namespace clockwise::bench
