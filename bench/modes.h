// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The three ways to ask, written once for all contenders.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "clockwise/node.h"
#include "rounds.h"

namespace clockwise::bench {

enum class Mode {
  kLatency,      // each hash is xor-ed with the last owner: a chain
  kIndependent,  // single calls, of which a CPU may overlap many
  kBatch,        // 256 at a time
};

inline constexpr size_t kBatch = 256;

inline const char* ModeName(Mode mode) {
  if (mode == Mode::kLatency) return "latency";
  return mode == Mode::kIndependent ? "independent" : "batch";
}

// `owner_of(i, last)` answers item i; where `kChained`, `last` is the answer
// before it, to be mixed into the item, else 0. Returns the sum of the answers.
template <bool kChained, typename OwnerOf>
uint64_t RunSingle(OwnerOf owner_of, size_t first, size_t count) {
  uint64_t sum = 0;
  NodeIndex last = 0;
  for (size_t i = first; i < first + count; ++i) {
    const NodeIndex owner = owner_of(i, last);
    if (kChained) last = owner;
    sum += owner;
  }
  return sum;
}

// `owners_of(i, count, owners)` answers items [i, i + count).
template <typename OwnersOf>
uint64_t RunBatches(OwnersOf owners_of, size_t first, size_t count) {
  alignas(64) NodeIndex owners[kBatch];
  uint64_t sum = 0;
  for (size_t i = first; i < first + count; i += kBatch) {
    owners_of(i, std::min(kBatch, first + count - i), owners);
    Keep(&owners[0]);
    sum += owners[0];
  }
  return sum;
}

// A batch of single calls.
template <typename OwnerOf>
uint64_t RunBatchesOfSingle(OwnerOf owner_of, size_t first, size_t count) {
  return RunBatches(
      [owner_of](size_t i, size_t some, NodeIndex* owners) {
        for (size_t j = 0; j < some; ++j) owners[j] = owner_of(i + j, 0);
      },
      first, count);
}

template <typename OwnerOf>
uint64_t RunSingle(Mode mode, OwnerOf owner_of, size_t first, size_t count) {
  if (mode == Mode::kLatency) return RunSingle<true>(owner_of, first, count);
  if (mode == Mode::kBatch) return RunBatchesOfSingle(owner_of, first, count);
  return RunSingle<false>(owner_of, first, count);
}

}  // namespace clockwise::bench
