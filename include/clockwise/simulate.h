// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What happens when nodes die: who inherits their keys, how loaded the
// survivors are, and who fails next.
//
//   ArcLoads loads = ArcLoads::Create(ring).value();
//   loads.Count(hashes);                    // of real keys, as they come
//   Simulation cluster =
//       Simulation::Create(ring, loads, {.utilisation = 80}).value();
//   Status status = cluster.Kill(ring.Find("cache-1"));
//   while (cluster.NextToFail() != kNoNode) {             // a cascade
//     status = cluster.Kill(cluster.NextToFail());
//   }
//
// All keys of an arc walk the same nodes, so keys are counted by arc: memory is
// bounded by the points, however many keys there are, and one pass over them
// serves every step. All counts are whole numbers, and exact.
//
// The model: a node that is down is passed over in the walk, as by
// RingView::Clockwise, and the ring is unchanged. The capacity of a node is in
// proportion to its weight, and chosen so that before anything dies all load is
// `utilisation` percent of all capacity. Each key is as much load as any other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// A count of keys, or of hashes out of 2^64.
__extension__ using LoadUnits = unsigned __int128;

// How much load each arc of a ring has. Belongs to one thread.
class ArcLoads {
 public:
  // No keys yet. `ring` must outlive it. kOutOfMemory. O(points).
  CW_API static Result<ArcLoads> Create(const RingView& ring);
  // The circle itself in place of keys: the load of an arc is the count of the
  // hashes in it, 2^64 in all (0 for a ring without points). Otherwise as
  // Create.
  CW_API static Result<ArcLoads> OfCircle(const RingView& ring);

  // Counts keys by their hashes, as RingView::HashOf has them. A ring without
  // points takes none. O(log points) a key.
  CW_API void Count(std::span<const uint64_t> hashes) noexcept;

  // The load of the arc that ends at each point, in ring order; of points that
  // are shadowed 0.
  [[nodiscard]] std::span<const LoadUnits> units() const noexcept {
    return units_;
  }
  [[nodiscard]] LoadUnits total() const noexcept { return total_; }
  [[nodiscard]] const RingView& ring() const noexcept { return ring_; }

 private:
  explicit ArcLoads(const RingView& ring) : ring_(ring) {}

  RingView ring_;
  std::vector<LoadUnits> units_;
  LoadUnits total_ = 0;
};

inline constexpr uint32_t kMaxUtilisation = 1000;
inline constexpr uint32_t kMaxFailAt = 10000;

struct SimulationOptions {
  // Of all capacity before anything dies, in percent: 1 to 1,000.
  uint32_t utilisation = 80;
  // A node whose load is above this percentage of its capacity fails: 1 to
  // 10,000.
  uint32_t fail_at = 100;
  // Bounded loads with this balance factor in percent, 100 to 65,536; 0: none.
  //
  // Then all keys are requests in flight at once, m of them, and a node of
  // weight w of the W that are up has at most ceil(factor * m * w / (100 * W)),
  // as BoundedLoad::Cap(node, m) says. They are placed in the order of their
  // hashes, those past the last point first, each on the first node clockwise
  // that has room. In another order other keys would spill; the caps are the
  // same. Over the circle a cap is a count of hashes.
  uint32_t balance_factor = 0;
};

// A cluster whose nodes leave one by one. Moved, not copied; a moved-from one
// may only be assigned to or destroyed. Belongs to one thread.
class Simulation {
 public:
  // The cluster before anything dies. `ring` must outlive it; `loads` need not.
  // kInvalidOptions for an option out of its range, for loads of another ring,
  // and where there is no load or no node with points; kOutOfMemory. O(points +
  // slots), 28 bytes a point.
  CW_API static Result<Simulation> Create(
      const Ring& ring, const ArcLoads& loads,
      const SimulationOptions& options = {});

  CW_API Simulation(Simulation&&) noexcept;
  CW_API Simulation& operator=(Simulation&&) noexcept;
  CW_API ~Simulation();

  // Takes a node down: its keys go to the next nodes clockwise that are up. A
  // member without points goes down and nothing moves. kUnknownNode for a slot
  // without a node, kInvalidOptions for one that is down already; what is
  // refused changes nothing. O(points of the node + slots); with bounded loads
  // O(points). Never allocates.
  CW_API Status Kill(NodeIndex node);

  // Takes half of a node's points, as halving its weight would (rounded up to a
  // whole thousandth, so one point at least stays). Its capacity stays, and
  // with bounded loads its cap is that of the lower weight. Kill takes the
  // rest. Refuses as Kill does, and kInvalidOptions for a node that was halved,
  // and in other schemes than clockwise-1, where points of a lower weight need
  // not be some of those it had. kOutOfMemory. O(points).
  CW_API Status HalfDrain(NodeIndex node);

  // The node that fails next: of those above fail_at the one with the most load
  // by capacity, the smallest id of equals; kNoNode if there is none. O(slots).
  [[nodiscard]] CW_API NodeIndex NextToFail() const noexcept;
  // The node with the most load by capacity; kNoNode if none is up. O(slots).
  [[nodiscard]] CW_API NodeIndex Peak() const noexcept;

  // Whether the node has points and is not down.
  [[nodiscard]] CW_API bool IsUp(NodeIndex node) const noexcept;
  [[nodiscard]] CW_API uint32_t up_count() const noexcept;

  // The load of each slot, now and before the last Kill or HalfDrain; what a
  // survivor gained is the difference, and without bounded loads all of it
  // comes from the node that changed. Views of this object.
  [[nodiscard]] CW_API std::span<const LoadUnits> loads() const noexcept;
  [[nodiscard]] CW_API std::span<const LoadUnits> previous_loads()
      const noexcept;
  // Of all keys; they are on nodes while any is up.
  [[nodiscard]] CW_API LoadUnits total() const noexcept;
  // Of keys that the first node clockwise had no room for. 0 if loads are not
  // bounded.
  [[nodiscard]] CW_API LoadUnits spilled() const noexcept;

  // `load` in percent of the node's capacity, down or not; 0 for a slot that
  // never had points.
  [[nodiscard]] CW_API double Percent(NodeIndex node,
                                      LoadUnits load) const noexcept;
  // All load in percent of the capacity of the nodes that are up: what each had
  // if all were alike. 8 nodes at 80 % are at 91.4 % when one is gone, at 106.7
  // % when two are. 0 if none is up.
  [[nodiscard]] CW_API double MeanPercent() const noexcept;
  // Nodes whose load is above `percent` of their capacity. O(slots).
  [[nodiscard]] CW_API uint32_t CountAbove(uint32_t percent) const noexcept;

 private:
  struct State;
  explicit Simulation(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace clockwise
