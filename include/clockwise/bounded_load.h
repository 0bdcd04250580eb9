// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Consistent hashing with bounded loads: a key goes to its owner unless that
// has its share of the requests in flight times a factor, else to the next node
// in ring order that has not (Mirrokni, Thorup, Zadimoghaddam, "Consistent
// Hashing with Bounded Loads", 2018).
//
//   LoadTable loads = LoadTable::Create(1000).value();       // for all rings
//   BoundedLoad bounded = BoundedLoad::Build(ring, loads).value();  // for this
//   {
//     const Ticket ticket = bounded.Acquire(ring, ring.HashOf("user:42"));
//     if (ticket) Ask(ring.node(ticket.node()));
//   }                                                        // released here
//
// With m requests in flight, the arriving one included, a node of weight w of W
// has at most ceil(factor * m * w / (100 * W)), in whole numbers throughout.
// The caps of all nodes sum to m or more, so one of them has room. A load may
// exceed a cap that fell since, when others were released: no request is moved.
//
// Why no placement breaks its cap, whatever other threads do:
//
// 1. An Acquire adds 1 to the total and keeps the sum: that is its m, which
//    counts itself, and the only time that it reads the total. Requests that
//    are on their way count, those that will be refused as well.
// 2. It places itself by one compare-and-exchange of the node's counter from l
//    to l + 1, and only where l * 100 * W < factor * m * w. For whole l that is
//    l + 1 <= ceil(factor * m * w / (100 * W)), with no division to round. Had
//    another thread changed the counter since l was read, the exchange would
//    fail, and l be read and tested anew. So the value that the exchange wrote,
//    this request included, is within the cap of this m.
// 3. The test needs the values of that one counter in their own order, which
//    every thread sees alike, and numbers that no other thread changes. So all
//    of it is relaxed: no counter hands any other data over.
// 4. Nothing is added to a counter and then taken back: a request that finds a
//    node full leaves no trace there that could turn another away.
// 5. A counter is lowered once for each time that it was raised, by the ticket
//    of that placement, hence later; so it never falls below 0. The same holds
//    of the total. The total is raised before the counter and lowered after it.
//
// When kAllFull: the nodes have at most m - 1 requests when m is read. If no
// other thread places any during the walk, and none is excluded by this request
// alone, some node is below its cap, and the walk finds it. Otherwise others
// may have filled, by larger m, what this m leaves free: ask again, which reads
// a new m, or take the least loaded node (WhenFull). Excluding a node for one
// request leaves the caps of the others as they are, so that they can all be
// full. So a node that is down for all requests belongs in the BoundedLoad:
// ejected there, its share goes to the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/load_table.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

namespace detail {

// Whether load + 1 <= ceil(in_flight * share / whole), for any share and whole
// below 2^64.
CW_INLINE constexpr bool HasRoom(uint64_t load, uint64_t in_flight,
                                 uint64_t share, uint64_t whole) noexcept {
  __extension__ using Uint128 = unsigned __int128;
  return Uint128{load} * whole < Uint128{in_flight} * share;
}

}  // namespace detail

inline constexpr uint32_t kDefaultBalanceFactor = 125;
inline constexpr uint32_t kMaxBalanceFactor = 65536;

// Something to call with a node, that answers true or false; or nothing. Keeps
// a reference: what it was made of must live while it is used, and not throw.
class NodePredicate {
 public:
  NodePredicate() = default;
  template <typename F,
            typename = std::enable_if_t<!std::is_same_v<F, NodePredicate>>>
  CW_INLINE NodePredicate(const F& f) noexcept  // NOLINT: implicit
      : object_(&f), call_([](const void* object, NodeIndex node) -> bool {
          return (*static_cast<const F*>(object))(node);
        }) {}

  [[nodiscard]] CW_INLINE explicit operator bool() const noexcept {
    return call_ != nullptr;
  }
  // False where there is nothing to call.
  [[nodiscard]] CW_INLINE bool operator()(NodeIndex node) const noexcept {
    return call_ != nullptr && call_(object_, node);
  }

 private:
  const void* object_ = nullptr;
  bool (*call_)(const void*, NodeIndex) = nullptr;
};

// What to do where every node met is excluded or full.
enum class WhenFull : uint8_t {
  kRefuse = 0,       // no node: kAllFull
  kLeastLoaded = 1,  // over its cap, the node met with the least load by weight
};

struct AcquireOptions {
  // Nodes that this request must not have, such as those it has tried. Their
  // weights still count: see above.
  NodePredicate is_excluded = {};
  WhenFull when_full = WhenFull::kRefuse;
};

struct BoundedLoadOptions {
  // In percent of a node's share: 100 (as even as whole requests can be) to
  // 65,536. The lower, the more requests spill.
  uint32_t factor = kDefaultBalanceFactor;
  // Nodes that are down, asked once for each: they get no requests and have no
  // share.
  NodePredicate is_ejected = {};
};

// The caps of one ring's nodes, over the counters of a LoadTable. Never changes
// after it is built; build another when the ring, its weights or its ejected
// nodes change, over the same table, and publish it beside the ring. Any number
// of threads may acquire at once, through several of them. Moved, not copied; a
// moved-from one may only be assigned to or destroyed.
class BoundedLoad {
 public:
  BoundedLoad(BoundedLoad&&) noexcept = default;
  BoundedLoad& operator=(BoundedLoad&&) noexcept = default;

  // Returns the caps of the nodes of `ring` that have points and are not
  // ejected. `loads` must outlive it; the ring need not. Refuses, naming the
  // limit: kInvalidOptions for a factor out of range, kTooManyNodes if the ring
  // has more slots than the table, kOutOfMemory. O(slots).
  CW_API static Result<BoundedLoad> Build(
      const Ring& ring, LoadTable& loads,
      const BoundedLoadOptions& options = {});
  // The same of weights by node number, for placements that are not rings and
  // for lists of their nodes: node i of a Rendezvous has weights[i]. Also
  // kBadWeight above 1,000,000.
  CW_API static Result<BoundedLoad> Build(
      std::span<const Weight> weights, LoadTable& loads,
      const BoundedLoadOptions& options = {});

  // Places a request on the first node clockwise from `hash` that is not
  // excluded and has room. `ring` is the ring this was built from, or a copy of
  // it on another NUMA node. Another ring does no harm, but its nodes have the
  // weights that their slots had, and none if those had no node.
  //
  // One lookup and four atomic additions, with the release, where the owner has
  // room, which is inlined; otherwise as DistinctWalk, one turn at most. Never
  // allocates, waits or throws; another thread that stops midway stops no one.
  CW_INLINE Ticket Acquire(const RingView& ring, uint64_t hash,
                           const AcquireOptions& options = {}) const noexcept {
    const NodeIndex owner = ring.Owner(hash);
    const uint64_t in_flight = Arrive();
    if (!options.is_excluded) [[likely]] {
      const uint64_t load = Claim(owner, in_flight);
      if (load != 0) [[likely]] {
        return Ticket(lines_, owner, AcquireOutcome::kPlaced, 0, in_flight,
                      load);
      }
    }
    return Spill(ring, hash, in_flight, options);
  }

  // Places a request on the first node of a list, best first, that is not
  // excluded and has room: replicas of a key, whatever chose them. Numbers are
  // those of the ring or placement that this was built from; others are passed
  // over. Caps are shares of all nodes: the few in the list may all be full.
  CW_API Ticket Acquire(std::span<const NodeIndex> preferences,
                        const AcquireOptions& options = {}) const noexcept;
  // The same, and after the list goes on with the other nodes clockwise.
  CW_API Ticket Acquire(std::span<const NodeIndex> preferences,
                        const RingView& ring, uint64_t hash,
                        const AcquireOptions& options = {}) const noexcept;

  // Power of two choices: draws two of the replicas that are neither excluded
  // nor ejected, and places a request on the one with the lesser load by
  // weight, the request included; the earlier of equals. Is that one full, the
  // other, and then the rest of the list in order. `random` is 64 random bits,
  // fresh for each request: with the key's hash a key would always draw the
  // same two.
  CW_API Ticket AcquireOfTwo(std::span<const NodeIndex> replicas,
                             uint64_t random,
                             const AcquireOptions& options = {}) const noexcept;

  // Requests that a node may have while `in_flight` are, the one that arrives
  // included: ceil(factor * in_flight * weight / (100 * total weight)), at most
  // 2^64 - 1. 0 for a node without points, an ejected one, and kNoNode.
  [[nodiscard]] CW_API uint64_t Cap(NodeIndex node,
                                    uint64_t in_flight) const noexcept;

  [[nodiscard]] uint32_t factor() const noexcept { return factor_; }
  // Of the nodes that have a cap, in thousandths: at most 2^20 * 10^9.
  [[nodiscard]] uint64_t total_weight() const noexcept { return whole_ / 100; }

 private:
  friend class Acquisition;
  BoundedLoad(detail::LoadLine* lines, uint32_t factor, uint64_t whole,
              std::vector<uint64_t> shares) noexcept
      : lines_(lines),
        whole_(whole),
        shares_(std::move(shares)),
        factor_(factor) {}

  [[nodiscard]] CW_INLINE bool HasShare(NodeIndex node) const noexcept {
    return node < shares_.size() && shares_.data()[node] != 0;
  }
  // Counts one more, and returns the total with it.
  CW_INLINE uint64_t Arrive() const noexcept {
    return lines_[0].count.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  // Adds 1 to the load of the node if it stays within its cap, and returns it;
  // 0 if the node is full or has no share.
  CW_INLINE uint64_t Claim(NodeIndex node, uint64_t in_flight) const noexcept {
    if (node >= shares_.size()) [[unlikely]]
      return 0;
    std::atomic<uint64_t>& count = lines_[node + size_t{1}].count;
    const uint64_t share = shares_.data()[node];
    uint64_t load = count.load(std::memory_order_relaxed);
    while (detail::HasRoom(load, in_flight, share, whole_)) {
      if (count.compare_exchange_weak(load, load + 1,
                                      std::memory_order_relaxed)) {
        return load + 1;
      }
    }
    return 0;
  }
  // Goes on where the owner is full, excluded or nobody.
  CW_API Ticket Spill(const RingView& ring, uint64_t hash, uint64_t in_flight,
                      const AcquireOptions& options) const noexcept;

  detail::LoadLine* lines_;       // of the table: the total, then each slot
  uint64_t whole_;                // 100 * total weight: below 2^57
  std::vector<uint64_t> shares_;  // factor * weight by slot: below 2^46
  uint32_t factor_;
};

}  // namespace clockwise
