// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Replicas by topology: in as many regions, zones and racks as there are.
//
// The rule, which belongs to scheme clockwise-1: replica 1 is the owner. Each
// next one is, among nodes not yet taken, the one with the fewest replicas
// already in its region, then in its zone, then in its rack, compared in that
// order; ties go to the node first met clockwise from the owner's point. A zone
// is told by region and zone, a rack by all three; an empty label is a label.
// Excluded nodes are passed over as if they had no points, from the owner on.
//
// What holds of these lists, of any count n:
//   - the list of n begins that of n + 1;
//   - removing, draining or excluding a node changes no list that it is not in,
//     and adding one changes only lists that it comes into;
//   - a list that loses a node keeps its others, and one comes in, if there is
//     one: no copy moves between nodes that stay. Those before it keep their
//     places; those after it may trade theirs, unlike in a walk without labels.
// So it is with zone counts as well, but for the first.
//
// SpreadIndex is made once of a ring and stands beside it; a SpreadPlan says
// what is wanted. Both never change: any number of threads may ask them at
// once. Moving or destroying one is for one thread, when no other uses it.
// Lookups never allocate, lock, throw or fail.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/detail/spread_tables.h"
#include "clockwise/node.h"
#include "clockwise/replicas.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// The most replicas that a lookup without a SpreadScratch finds.
inline constexpr uint32_t kMaxSpread = 64;

// Where something stands, by labels.
struct Locality {
  std::string region, zone, rack;
};

// How many replicas one zone is to have.
struct ZoneCount {
  std::optional<std::string> region;  // none: whichever region has the zone
  std::string zone;
  uint32_t count = 1;  // 1 to 2^20
};

// Reads "a=2,b=1" or "eu/a=2,us/c=1": zones, or region/zone, with their counts.
// kInvalidOptions, with the part that is at fault, for anything else, a count
// of 0 and a zone given twice. An empty zone or region is one without a name
// ("=2", "/a=1"). Labels that hold '/', ',' or '=' have no such text: fill
// ZoneCount. Allocates; may throw std::bad_alloc.
CW_API Result<std::vector<ZoneCount>> ParseZoneCounts(std::string_view text);

// What two replicas of a key should not share.
enum class Apart : uint8_t { kNode = 0, kRack = 1, kZone = 2, kRegion = 3 };

// What is asked of replicas.
struct SpreadPolicy {
  // Replicas of a key. With zone counts 0, or their sum.
  uint32_t count = 0;
  // A list of which two nodes share such a label is relaxed: the rule chose the
  // most even one, but it is not what was asked for. Not read with zone counts.
  Apart apart = Apart::kZone;
  // Refuse lists that are relaxed or short, rather than answer with a flag.
  bool is_strict = false;
  // Each zone named here gets its count, other zones none: the first replica is
  // the first node clockwise in a zone named here, the next are found by the
  // rule among zones that have less than their count. Places that no node is
  // left for, since a zone has too few, are filled by the rule from all zones,
  // and the list is relaxed. A zone that no node is in is such a zone.
  std::vector<ZoneCount> zone_counts;
  // Where the reader stands. The replicas are the same; their order is not:
  // first those in its rack, then in its zone, its region, elsewhere, and as
  // the rule has them among each. So the owner need not come first. Labels that
  // no node has are far from all.
  std::optional<Locality> near;
};

// What a lookup found.
struct SpreadAnswer {
  uint32_t count = 0;     // nodes written; 0 if it is refused
  uint32_t short_by = 0;  // fewer nodes than asked for
  // The list is not what was asked for: two replicas share what should be
  // apart; or a zone has not its count.
  bool is_relaxed = false;
  bool is_refused = false;  // strict, and relaxed or short
  // Whether two of the replicas share a region, a zone or a rack.
  bool shares_region = false;
  bool shares_zone = false;
  bool shares_rack = false;
};

// A policy made ready for the labels of one ring, by SpreadIndex::Plan. Copies
// allocate.
class SpreadPlan {
 public:
  // Replicas of a key.
  [[nodiscard]] uint32_t count() const noexcept { return count_; }
  [[nodiscard]] bool is_strict() const noexcept { return is_strict_; }

 private:
  friend class SpreadIndex;
  friend struct SpreadAccess;
  SpreadPlan() = default;

  uint32_t count_ = 0;
  Apart apart_ = Apart::kZone;
  bool is_strict_ = false;
  bool is_near_ = false;
  detail::Place near_;
  std::vector<detail::ZoneQuota> quotas_;
};

// Memory for lookups of more than kMaxSpread replicas; 20 bytes a slot. For one
// thread at a time; of any use with every index of no more slots.
class SpreadScratch {
 public:
  // kOutOfMemory if the heap has none.
  CW_API static Result<SpreadScratch> Create(uint32_t slots);

 private:
  friend struct SpreadAccess;
  SpreadScratch() = default;
  uint32_t slots_ = 0;
  std::vector<uint32_t> words_;
};

// All distinct nodes clockwise, as RingView::Clockwise has them, but without
// stepping through points of nodes met before: each next node is found by what
// the index knows of where a node was last. One walk belongs to one thread; the
// index must outlive it, and the ring's image.
//
// Cost: O(log points) a node at most, on rings of any number of slots, and a
// compare where the next point is of a new node; a whole walk O(nodes log
// points), however many points the nodes met before have.
class NodeWalk {
 public:
  NodeWalk(const detail::SpreadTables& tables, const RingView& ring,
           size_t first_point) noexcept
      : tables_(&tables),
        image_(ring.image()),
        first_(static_cast<uint32_t>(first_point)),
        next_(first_),
        left_(tables.nodes) {}

  // Returns the next node not met before; kNoNode when there is none left.
  CW_API NodeIndex Next() noexcept;

 private:
  const detail::SpreadTables* tables_;
  const detail::RingImage* image_;
  uint32_t first_;  // point that the walk began at
  uint32_t next_;   // point not looked at
  uint32_t left_;   // nodes not met
  bool has_wrapped_ = false;
};

// What lookups by topology need to know of a ring beside the ring: which node
// stands where, and for each point where its node was last. 4.3 bytes a point,
// 16 a slot.
class SpreadIndex {
 public:
  // Reads `ring`, which need not outlive the index. Blocks come from `source`
  // (DefaultBlockSource() if null), which must. O(points + nodes log nodes).
  // kOutOfMemory if it or the heap has none.
  CW_API static Result<SpreadIndex> Build(const Ring& ring,
                                          BlockSource* source = nullptr);

  CW_API SpreadIndex(SpreadIndex&&) noexcept;
  CW_API SpreadIndex& operator=(SpreadIndex&&) noexcept;
  CW_API ~SpreadIndex();

  // Returns the plan of `policy` on the ring that the index was built from.
  // Refuses with kInvalidOptions: a count and zone counts of another sum, a
  // zone count of 0 or above 2^20, a zone counted twice, and a zone without a
  // region that several regions have. O(nodes).
  CW_API Result<SpreadPlan> Plan(const Ring& ring,
                                 const SpreadPolicy& policy) const;

  // Writes the replicas of `hash` to `nodes`, which has room for plan.count()
  // or for all nodes of the ring where those are fewer; with less room the list
  // is short. `ring` is the one that the index was built from, or a copy of its
  // image (any NUMA copy of a published one), and `plan` one of this index. A
  // ring of other numbers of slots or points gets an empty answer.
  //
  // Counts above kMaxSpread are refused without `scratch`.
  //
  // Cost: O(nodes walked * count). The walk for a replica ends at the first
  // node in a place that is used no more than any; if the next few nodes are
  // not, the places that have nodes left are looked up first, so that it goes
  // on only where there is such a node. So it is short unless the only such
  // place has very few of the points. Nodes passed over are kept, up to 256,
  // and not walked again; beyond them a walk takes one turn a replica at most.
  // If no node is left the list ends once each was asked for. With `scratch`
  // O(nodes log points) whatever the count, and one turn.
  SpreadAnswer Replicas(const RingView& ring, uint64_t hash,
                        const SpreadPlan& plan,
                        std::span<NodeIndex> nodes) const noexcept {
    return Find(ring, hash, plan, nodes, {}, nullptr);
  }
  SpreadAnswer Replicas(const RingView& ring, uint64_t hash,
                        const SpreadPlan& plan, std::span<NodeIndex> nodes,
                        SpreadScratch& scratch) const noexcept {
    return Find(ring, hash, plan, nodes, {}, &scratch);
  }

  // The same without the nodes for which `is_excluded(node)` holds. The
  // predicate must answer alike throughout the call and not throw. It is asked
  // of a node when that is met, and where a whole zone is out perhaps of all
  // its nodes, at most six times a replica.
  template <typename Exclude>
  SpreadAnswer Replicas(const RingView& ring, uint64_t hash,
                        const SpreadPlan& plan, std::span<NodeIndex> nodes,
                        const Exclude& is_excluded,
                        SpreadScratch* scratch = nullptr) const noexcept {
    const auto ask = [](const void* context, NodeIndex node) noexcept {
      return static_cast<bool>((*static_cast<const Exclude*>(context))(node));
    };
    return Find(ring, hash, plan, nodes,
                {ask, static_cast<const void*>(std::addressof(is_excluded))},
                scratch);
  }

  // All distinct nodes clockwise from `hash`, found as they are asked for, in
  // time linear in the nodes; as RingView::Clockwise otherwise. `ring` as
  // above; one of other numbers of slots or points has none.
  [[nodiscard]] auto Clockwise(const RingView& ring,
                               uint64_t hash) const noexcept {
    return ClockwiseRange<NoExclusion, NodeWalk>(Walk(ring, hash), {});
  }
  template <typename Exclude>
  [[nodiscard]] auto Clockwise(const RingView& ring, uint64_t hash,
                               Exclude is_excluded) const noexcept {
    return ClockwiseRange<Exclude, NodeWalk>(Walk(ring, hash),
                                             std::move(is_excluded));
  }

  // Different regions, zones and racks of nodes that have points.
  [[nodiscard]] uint32_t regions() const noexcept { return tables_.regions; }
  [[nodiscard]] uint32_t zones() const noexcept { return tables_.zones; }
  [[nodiscard]] uint32_t racks() const noexcept { return tables_.racks; }
  [[nodiscard]] size_t bytes() const noexcept { return block_.bytes(); }

 private:
  SpreadIndex() = default;

  [[nodiscard]] CW_API NodeWalk Walk(const RingView& ring,
                                     uint64_t hash) const noexcept;
  CW_API SpreadAnswer Find(const RingView& ring, uint64_t hash,
                           const SpreadPlan& plan, std::span<NodeIndex> nodes,
                           detail::Exclusion exclusion,
                           SpreadScratch* scratch) const noexcept;

  Block block_;
  detail::SpreadTables tables_;
};

}  // namespace clockwise
