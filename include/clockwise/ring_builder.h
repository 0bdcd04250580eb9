// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Builds rings: from nodes, from explicit points, or from a ring and changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

inline constexpr std::string_view kNativeScheme = "clockwise-1";
inline constexpr uint32_t kMaxVnodes = 65536;
inline constexpr uint64_t kDefaultMaxPoints = 1u << 24;
inline constexpr uint64_t kMaxPointsLimit = 1u << 27;

// Who owns a position that several points have: the node of the smallest id, as
// in clockwise-1, or the one that was added first or last. The latter two make
// the order of Add part of the ring and its digest, and such rings are built
// whole: RingBuilder::From does not change them. Part of what a scheme's name
// means: the digest does not tell them apart.
enum class Ties : uint8_t { kSmallestId = 0, kFirstAdded = 1, kLastAdded = 2 };

// How a ring is built. Two rings agree on every key if these (but `layout` and
// `max_points`) and their nodes agree.
struct RingOptions {
  std::string name;                         // at most 255 bytes
  std::string scheme{kNativeScheme};        // 1 to 255 bytes. Any other: the
                                            // points are given with each node
  uint32_t vnodes = 512;                    // points of weight 1; 1 to 65,536
  uint32_t width = 64;                      // 64 or 32
  uint64_t seed = 0;                        // one per cluster keeps them apart
  KeyHash key_hash = KeyHash::kXxh3;        // kMurmur3_32: width 32 only
  std::optional<Layout> layout;             // none: the builder picks
  uint64_t max_points = kDefaultMaxPoints;  // at most 2^27
  Params params = {};                       // none in scheme clockwise-1
  Ties ties = Ties::kSmallestId;            // others: explicit points only
};

// Collects nodes and builds a ring. One builder belongs to one thread.
//
// Scheme clockwise-1: point i of a node is XXH3-64, with the ring's seed, of
// its id followed by i as 4 bytes little-endian. A node of weight w has w *
// vnodes points, rounded half up and at least 1; one of weight 0 has none.
// Points are ordered by (position, id, i) and all kept: the first of equal
// positions owns. So the ring does not depend on the order of calls, and adding
// a node then removing it gives back the ring there was.
class RingBuilder {
 public:
  // Refuses options out of range with kInvalidOptions.
  CW_API static Result<RingBuilder> Create(RingOptions options);

  // A builder of what `base` becomes when changed. `base` must outlive it and
  // stay where it is: not be moved from or assigned to. Rings whose ties are
  // not kSmallestId are not changed so: Build answers kInvalidOptions.
  //
  // Survivors keep their slots; a removed node leaves a hole, and the next new
  // nodes (ids ascending) take the lowest. Where less than an eighth of the
  // points change, building costs about a copy of the ring and the work on
  // those; it always gives the bytes that a full build of the same slots would.
  CW_API static RingBuilder From(const Ring& base);
  static RingBuilder From(Ring&& base) = delete;  // it would not outlive

  // A moved-from builder may only be assigned to or destroyed.
  CW_API RingBuilder(RingBuilder&&) noexcept;
  CW_API RingBuilder& operator=(RingBuilder&&) noexcept;
  CW_API ~RingBuilder();

  // Adds a node. Adding a record equal to the present one changes nothing; a
  // different record under a present id is kDuplicateNode. kBadNodeId, kBadNode
  // and kBadWeight as the limits of node.h say; kInvalidOptions if the scheme
  // needs the points with it. A refused call changes nothing.
  CW_API Status Add(const Node& node);
  // Adds a node with its points, left-aligned and in any order; only for
  // schemes other than clockwise-1 (else kInvalidOptions). Any id that is
  // present is kDuplicateNode. kBadPosition where a 32-bit ring is given low
  // bits, kBadWeight where a node of weight 0 is given points.
  CW_API Status Add(const Node& node, std::span<const uint64_t> positions);
  // Replaces the record of a present node (weight, labels, address); else
  // kUnknownNode. Explicit points stay, and weight 0 is kBadWeight if there are
  // any.
  CW_API Status Update(const Node& node);
  // Replaces a present node's weight.
  CW_API Status SetWeight(std::string_view id, Weight weight);
  // Removes a present node; else kUnknownNode.
  CW_API Status Remove(std::string_view id);

  [[nodiscard]] CW_API bool Contains(std::string_view id) const;
  [[nodiscard]] CW_API const RingOptions& options() const noexcept;

  // Builds the ring; the builder stays as it is. Refuses kTooManyNodes and
  // kTooManyPoints before it asks for any block; kOutOfMemory if `source`
  // (DefaultBlockSource() if null) or the heap has none. A ring without points
  // is a ring: it answers kNoNode.
  CW_API Result<Ring> Build(uint64_t epoch = 0,
                            BlockSource* source = nullptr) const;

  // Builds a ring that stands in for `wanted` on this host alone, because of
  // health: of its epoch and base digest, with other weights. `local`, at least
  // 1, rises with each such ring, so that one may follow another of its epoch;
  // and it goes on rising when all weights are those of `wanted` again.
  // kInvalidOptions for a `local` of 0, for a `wanted` of epoch 0, and for one
  // that is local itself. Otherwise as Build.
  CW_API Result<Ring> BuildLocal(const Ring& wanted, uint64_t local,
                                 BlockSource* source = nullptr) const;

 private:
  friend struct BuilderAccess;
  struct State;

  explicit RingBuilder(std::unique_ptr<State> state) noexcept;
  // The record of a member as it stands now; none if it is not one.
  [[nodiscard]] std::optional<Node> Current(std::string_view id) const;
  // Whether a member has points that were given, not derived.
  [[nodiscard]] bool HasExplicitPoints(std::string_view id) const;

  std::unique_ptr<State> state_;
};

}  // namespace clockwise
