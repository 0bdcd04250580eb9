// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A Maglev table (Eisenbud et al., NSDI 2016) to compare rings with, as its
// users write it: 16-bit owners, asked by the high 32 bits of a hash. The
// library's own (clockwise/maglev.h) has weights, and takes remainders of
// all 64.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/node.h"

namespace clockwise::bench {

inline constexpr uint32_t kMaglevSlots = 65537;

// Returns the least prime of at least `n`.
uint32_t PrimeFrom(uint32_t n);

// What a loop copies.
class MaglevView {
 public:
  MaglevView(const uint16_t* table, uint32_t slots)
      : table_(table), slots_(slots), inverse_(~uint64_t{0} / slots + 1) {}

  // table[hash mod slots], of the high 32 bits of the hash, by two
  // multiplications (Lemire, Kaser and Kurz, "Faster remainder by direct
  // computation").
  NodeIndex operator()(uint64_t hash) const { return At(hash >> 32); }
  [[nodiscard]] NodeIndex At(uint64_t high32) const {
    __extension__ using Uint128 = unsigned __int128;
    const uint64_t fraction = inverse_ * high32;
    return table_[static_cast<uint64_t>(Uint128{fraction} * slots_ >> 64)];
  }

 private:
  const uint16_t* table_;
  uint64_t slots_;
  uint64_t inverse_;
};

class MaglevTable {
 public:
  // Of nodes NodeId(0 … nodes).
  MaglevTable(uint32_t nodes, uint32_t slots = kMaglevSlots, uint64_t seed = 0);

  [[nodiscard]] MaglevView view() const {
    return {table_.data(), static_cast<uint32_t>(table_.size())};
  }

 private:
  std::vector<uint16_t> table_;
};

}  // namespace clockwise::bench
