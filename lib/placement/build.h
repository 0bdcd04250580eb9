// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// One build of a ring, from what a builder has collected.
#pragma once

#include <cstdint>
#include <utility>

#include "clockwise/ring_builder.h"
#include "placement/members.h"
#include "placement/params.h"

namespace clockwise {

struct RingBuilder::State {
  RingOptions options;
  const Ring* base = nullptr;
  MemberChanges changes;
  uint64_t additions = 0;

  // Records `node` as it will be; its positions stay. Copies it first: a change
  // without a node, which a throw could leave behind, would be a removal.
  void Set(Node node) {
    std::string params = Pack(node.params);
    MemberChange& change = changes[node.id];
    change.params = std::move(params);
    change.node = std::move(node);
  }
};

enum class BuildPath : uint8_t {
  kAuto,   // merge where few points change, else full
  kFull,   // hash and sort all points
  kMerge,  // merge if there is a base of the same form
};

struct BuildRequest {
  uint64_t epoch = 0;
  BlockSource* source = nullptr;
  // Of a local ring: how often health changed it, and what it stands in for.
  uint64_t local = 0;
  Hash128 base_digest = {};
  // A build of the base's own members, which any ties allow.
  bool is_own_rebuild = false;
  // For tests and benchmarks; the bytes do not depend on the path.
  BuildPath path = BuildPath::kAuto;
  uint32_t forced_lines = 0;  // 0: as the points ask
};

// The options that `ring` was built with.
RingOptions OptionsOf(const Ring& ring);

Result<Ring> BuildRing(const RingOptions& options, const Ring* base,
                       const MemberChanges& changes,
                       const BuildRequest& request);

// For tests and benchmarks: what the builder keeps to itself.
struct BuilderAccess {
  static Result<Ring> Build(const RingBuilder& builder,
                            const BuildRequest& request);
};

}  // namespace clockwise
