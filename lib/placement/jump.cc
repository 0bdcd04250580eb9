// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/jump.h"

#include <new>

#include "base/out_of_memory.h"
#include "placement/placed_nodes.h"
#include "search/jump.h"

namespace clockwise {
namespace {

constexpr PlacementScheme kScheme = {.id = "jump", .is_listed = true};

}  // namespace

int32_t JumpHash(uint64_t key, int32_t buckets) noexcept {
  return JumpBucket(key, buckets);
}

int32_t GuavaConsistentHash(uint64_t input, int32_t buckets) noexcept {
  if (buckets < 1) return -1;
  constexpr double kTwoTo31 = 2147483648.0;
  uint64_t state = input;
  int32_t candidate = 0;
  while (true) {
    state = NextJumpState(state);
    // Java's int: the sum wraps to -2^31 where the 31 bits are all ones, and
    // `next` is then negative.
    const auto drawn =
        static_cast<int32_t>(static_cast<uint32_t>(state >> 33) + 1);
    const double next = (candidate + 1.0) / (drawn / kTwoTo31);
    // Compared before it is cut to an integer: Java's cast saturates.
    if (!(next >= 0 && next < buckets)) return candidate;
    candidate = static_cast<int32_t>(next);
  }
}

Result<Jump> Jump::Build(std::span<const Node> nodes,
                         const PlacementOptions& options,
                         BlockSource* source) try {
  auto placed = PlacedNodesMaker::Make(kScheme, options, nodes, source);
  if (!placed.ok()) return placed.status();
  return Jump(std::move(placed).value());
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

// The -1 of no bucket is kNoNode.
NodeIndex Jump::Owner(uint64_t hash) const noexcept {
  return static_cast<NodeIndex>(
      JumpBucket(hash, static_cast<int32_t>(node_count())));
}

void Jump::Owners(const uint64_t* hashes, size_t count,
                  NodeIndex* owners) const noexcept {
  JumpBuckets(hashes, count, static_cast<int32_t>(node_count()), owners);
}

}  // namespace clockwise
