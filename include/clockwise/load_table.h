// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Requests in flight, by node: what bounded loads count with (bounded_load.h).
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/node.h"
#include "clockwise/status.h"

namespace clockwise {

namespace detail {

// A counter that shares its cache line with no other.
struct alignas(64) LoadLine {
  std::atomic<uint64_t> count{0};
};
static_assert(sizeof(LoadLine) == 64);

}  // namespace detail

// Counters by slot, and their total. Belongs to no ring: since a change keeps
// the slots of survivors (RingBuilder::From), one table serves every ring of
// a series, and requests of older rings go on counting.
//
// A node that leaves with requests in flight: its tickets still release what
// they hold, and the total counts them until then. A node that takes the slot
// meanwhile inherits the count: its own load is at most what its counter says,
// so no cap is broken, and it gets its full share once the last old request has
// ended. A ring that is built anew numbers its nodes anew; give it a table of
// its own.
//
// Any number of threads may read and count at once. It must outlive every
// BoundedLoad and Ticket made with it; it may be moved meanwhile, by one thread
// when no other uses it.
class LoadTable {
 public:
  // Returns a table for rings of up to `slots` slots, which does not grow:
  // counters that others are counting in cannot move. Take the most nodes that
  // there may ever be; a slot costs 64 bytes. kInvalidOptions for 0,
  // kTooManyNodes above 2^20, kOutOfMemory if `source` (DefaultBlockSource() if
  // null) has none.
  CW_API static Result<LoadTable> Create(uint32_t slots,
                                         BlockSource* source = nullptr);

  LoadTable(LoadTable&& other) noexcept = default;
  LoadTable& operator=(LoadTable&& other) noexcept = default;
  CW_API ~LoadTable();

  [[nodiscard]] uint32_t slot_count() const noexcept { return slots_; }
  // Requests in flight, those that are being placed or released included. While
  // no thread is at either, the sum of all loads.
  [[nodiscard]] uint64_t total() const noexcept { return CountOf(0); }
  // Requests that the node of this slot has in flight; 0 for slot_count() and
  // above, kNoNode included.
  [[nodiscard]] uint64_t load(NodeIndex slot) const noexcept {
    return slot < slots_ ? CountOf(slot + size_t{1}) : 0;
  }
  [[nodiscard]] size_t bytes() const noexcept { return block_.bytes(); }

 private:
  friend class BoundedLoad;
  LoadTable(Block block, uint32_t slots) noexcept
      : block_(std::move(block)), slots_(slots) {}

  [[nodiscard]] detail::LoadLine* lines() const noexcept {
    return static_cast<detail::LoadLine*>(block_.data());
  }
  // Relaxed: a count by itself; nothing is read because of it.
  [[nodiscard]] uint64_t CountOf(size_t line) const noexcept {
    return lines()[line].count.load(std::memory_order_relaxed);
  }

  Block block_;  // the total, then a line for each slot
  uint32_t slots_;
};

// What became of a request. Values are stable: they may be logged.
enum class AcquireOutcome : uint8_t {
  kPlaced = 0,       // on a node, within its cap
  kOverCap = 1,      // on the least loaded node, as WhenFull::kLeastLoaded says
  kNoNodes = 2,      // no nodes: the ring has no points, the list is empty
  kAllExcluded = 3,  // every node met is excluded, ejected or drained
  kAllFull = 4,      // every other node met is at its cap
};

// Returns a lower-case name of the outcome, such as "all_full".
CW_API std::string_view AcquireOutcomeName(AcquireOutcome outcome) noexcept;

// A request in flight on a node, counted from its placement to its release: at
// its end, or earlier by Release(). Without a node, it says why.
//
// Moved, never copied; a moved-from ticket has no node. It belongs to one
// thread at a time, any thread may release it, and its table must outlive it.
// Nothing here allocates, locks or throws.
class [[nodiscard]] Ticket {
 public:
  // No node, and nothing counted.
  CW_INLINE Ticket() noexcept = default;
  CW_INLINE Ticket(Ticket&& other) noexcept { Take(other); }
  // Releases what it held before.
  CW_INLINE Ticket& operator=(Ticket&& other) noexcept {
    if (this != &other) {
      Release();
      Take(other);
    }
    return *this;
  }
  CW_INLINE ~Ticket() { Release(); }

  // Whether it has a node.
  [[nodiscard]] CW_INLINE explicit operator bool() const noexcept {
    return lines_ != nullptr;
  }
  // The node; kNoNode if there is none, and after Release().
  [[nodiscard]] CW_INLINE NodeIndex node() const noexcept { return node_; }
  // Stays what it was after Release().
  [[nodiscard]] CW_INLINE AcquireOutcome outcome() const noexcept {
    return outcome_;
  }
  // Nodes that were asked before and were full: 0 unless the request spilled.
  [[nodiscard]] CW_INLINE uint32_t spills() const noexcept { return spills_; }
  // Requests in flight when this one arrived, with it: the m of its caps.
  [[nodiscard]] CW_INLINE uint64_t in_flight() const noexcept {
    return in_flight_;
  }
  // Requests that the node had when this one was placed, with it; 0 without a
  // node. At most BoundedLoad::Cap(node(), in_flight()) where kPlaced.
  [[nodiscard]] CW_INLINE uint64_t load() const noexcept { return load_; }

  // The request has ended: the node's load and the total fall by 1. Once; later
  // calls, and those on a ticket without a node, do nothing.
  CW_INLINE void Release() noexcept {
    if (lines_ == nullptr) return;
    // The total last: at no time is it below the sum of the loads. Relaxed, as
    // bounded_load.h says.
    SubtractOne(lines_[node_ + size_t{1}]);
    SubtractOne(lines_[0]);
    lines_ = nullptr;
    node_ = kNoNode;
  }

 private:
  friend class BoundedLoad;
  friend class Acquisition;
  CW_INLINE Ticket(detail::LoadLine* lines, NodeIndex node,
                   AcquireOutcome outcome, uint32_t spills, uint64_t in_flight,
                   uint64_t load) noexcept
      : lines_(lines),
        in_flight_(in_flight),
        load_(load),
        node_(node),
        spills_(spills),
        outcome_(outcome) {}

  CW_INLINE static void SubtractOne(detail::LoadLine& line) noexcept {
    [[maybe_unused]] const uint64_t before =
        line.count.fetch_sub(1, std::memory_order_relaxed);
    assert(before != 0);
  }
  CW_INLINE void Take(Ticket& other) noexcept {
    lines_ = std::exchange(other.lines_, nullptr);
    in_flight_ = other.in_flight_;
    load_ = other.load_;
    node_ = std::exchange(other.node_, kNoNode);
    spills_ = other.spills_;
    outcome_ = other.outcome_;
  }

  detail::LoadLine* lines_ = nullptr;  // of its table; null without a node
  uint64_t in_flight_ = 0;
  uint64_t load_ = 0;
  NodeIndex node_ = kNoNode;
  uint32_t spills_ = 0;
  AcquireOutcome outcome_ = AcquireOutcome::kNoNodes;
};

}  // namespace clockwise
