// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How many requests each node got, counted by the threads that route without a
// write that another thread waits for, and read by any thread at any time.
//
//   CountCollector counts = CountCollector::Create(1024).value();
//   counts.Track(ring);                        // before each publish
//   auto counter = counts.Join().value();      // each thread's
//   counter.Count(router->Current(pin).Owner(key));
//   for (const NodeCount& node : counts.Read().nodes) …     // any thread
//
// Each thread has counters of its own, on cache lines of its own: to count is
// to load, add and store, with no locked instruction. Counters are of slots,
// which survivors of a change keep; Track says whose each slot is.
//
// What becomes of answers that readers still give from the ring before, once
// Track was told the next one:
//
// - Of nodes that both rings have in the same slot: they count for the node, as
//   all others do. No count is lost or doubled.
// - Of a node that left, its slot a hole: they count as departed.
// - Of a node that left, its slot given to a new one by the same change, or by
//   one that was tracked while readers held a ring of before: they count for
//   the new node. It is one request an answer, for as long as readers hold the
//   old ring. Who minds publishes the removal, waits until it is settled
//   (Router::PublishAndWait), and then publishes what is added.
// - Of a ring that was built anew rather than from the one before, which
//   numbers nodes anew: they count for whoever has the slot now.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/epoch.h"
#include "clockwise/hash.h"
#include "clockwise/load_table.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

inline constexpr size_t kOutcomeCount = 5;  // of AcquireOutcome

namespace detail {

// a + b, at most 2^64 - 1.
CW_INLINE constexpr uint64_t AddSaturating(uint64_t a, uint64_t b) noexcept {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

// The words of a thread: tallies, padding, then kNoNode, each slot, and the
// slots beyond. Written by their thread alone, read by collectors: relaxed,
// counts by themselves.
using CountWord = std::atomic<uint64_t>;
enum Tally : size_t {
  kSpilledTally = 0,
  kSpillsTally = 1,
  kDriftTallies = 2,
  kOutcomeTallies = kDriftTallies + kDriftCount,
  kTallyCount = kOutcomeTallies + kOutcomeCount,
};
inline constexpr size_t kNodeWordsAt = 16;  // nodes begin on a cache line
static_assert(kTallyCount <= kNodeWordsAt);

}  // namespace detail

// Requests of one node.
struct NodeCount {
  std::string id;
  uint64_t count = 0;   // since the node came, over changes
  uint64_t recent = 0;  // of these, since the last Track that changed anything
};

// What all threads have counted, those that have ended included. All counts
// rise only, and stay at 2^64 - 1 once they are there.
struct Counts {
  std::vector<NodeCount> nodes;  // of the ring tracked last, by ascending id
  Hash128 digest;                // of that ring
  uint64_t unowned = 0;          // kNoNode: keys without an owner
  // Of nodes that have left, and of slots that no node had. One that returns
  // begins at 0 again.
  uint64_t departed = 0;
  uint64_t untracked = 0;  // slots of max_slots and above
  // Bounded loads: requests that some full node had turned away, and how many
  // nodes did; requests by AcquireOutcome.
  uint64_t spilled = 0;
  uint64_t spills = 0;
  std::array<uint64_t, kOutcomeCount> outcomes{};
  std::array<uint64_t, kDriftCount> drifts{};  // stamps of peers, by Drift
};

// Threads: any may call Join, Track and Read, at once with all else; they take
// a lock that no thread which counts ever takes. May be moved by one thread
// when no other uses it.
class CountCollector {
 public:
  // A collector for rings of up to `max_slots` slots: 8 bytes each for every
  // thread. kInvalidOptions for 0 and above 2^20; kOutOfMemory.
  CW_API static Result<CountCollector> Create(uint32_t max_slots = 1024);
  CW_API CountCollector(CountCollector&&) noexcept;
  CW_API CountCollector& operator=(CountCollector&&) noexcept;
  // Threads of it may go on counting, for nobody.
  CW_API ~CountCollector();

  // The counting end of one thread, and of one at a time. All but its end is
  // wait-free and allocates nothing; a moved-from one may only be assigned to
  // or destroyed.
  class Thread {
   public:
    CW_API Thread(Thread&& other) noexcept;
    CW_API Thread& operator=(Thread&& other) noexcept;
    // What it counted is kept. Takes the collector's lock.
    CW_API ~Thread();

    // Counts a request that went to `node`, any number, kNoNode included.
    CW_INLINE void Count(NodeIndex node) noexcept { Add(nodes_[At(node)], 1); }
    // The same of so many requests.
    CW_INLINE void CountTimes(NodeIndex node, uint64_t times) noexcept {
      Add(nodes_[At(node)], times);
    }
    // Counts a batch, as RingView::Owners answers it: one each. Four at a time,
    // so that equal neighbours do not wait for one another.
    CW_INLINE void Count(const NodeIndex* nodes, size_t count) noexcept {
      size_t i = 0;
      for (; count - i >= 4; i += 4) CountFour(nodes + i);
      for (; i < count; ++i) Count(nodes[i]);
    }
    // Counts what BoundedLoad answered: the node (kNoNode if there is none or
    // it is released), the outcome, and what the request spilled over.
    CW_INLINE void Count(const Ticket& ticket) noexcept {
      Count(ticket.node());
      Add(Of(detail::kOutcomeTallies +
             std::min(static_cast<size_t>(ticket.outcome()),
                      kOutcomeCount - 1)),
          1);
      if (ticket.spills() == 0) [[likely]]
        return;
      Add(Of(detail::kSpilledTally), 1);
      Add(Of(detail::kSpillsTally), ticket.spills());
    }
    // Counts the stamp of a peer, classified (epoch.h).
    CW_INLINE void Count(Drift drift) noexcept {
      Add(Of(detail::kDriftTallies +
             std::min(static_cast<size_t>(drift), kDriftCount - 1)),
          1);
    }

   private:
    friend class CountCollector;
    struct Joined;
    Thread(std::unique_ptr<Joined> joined, detail::CountWord* words,
           uint32_t slots) noexcept;

    CW_INLINE static void Add(detail::CountWord& word,
                              uint64_t times) noexcept {
      word.store(
          detail::AddSaturating(word.load(std::memory_order_relaxed), times),
          std::memory_order_relaxed);
    }
    // kNoNode is 0, slot s is s + 1, and what is beyond comes after the last.
    [[nodiscard]] CW_INLINE size_t At(NodeIndex node) const noexcept {
      const uint32_t at = node + 1u;
      return at <= beyond_ ? at : beyond_;
    }
    [[nodiscard]] CW_INLINE detail::CountWord& Of(size_t tally) const noexcept {
      return *(nodes_ - detail::kNodeWordsAt + tally);
    }
    CW_INLINE void CountFour(const NodeIndex* nodes) noexcept {
      const size_t a = At(nodes[0]), b = At(nodes[1]), c = At(nodes[2]),
                   d = At(nodes[3]);
      // All are loaded before any is stored, and each adds the equal ones
      // before it: the last stored of these is right, and none falls.
      const auto with = [this](size_t at, uint64_t times) noexcept {
        return detail::AddSaturating(nodes_[at].load(std::memory_order_relaxed),
                                     times);
      };
      const uint64_t to_a = with(a, 1);
      const uint64_t to_b = with(b, 1 + uint64_t{b == a});
      const uint64_t to_c = with(c, 1 + uint64_t{c == a} + uint64_t{c == b});
      const uint64_t to_d =
          with(d, 1 + uint64_t{d == a} + uint64_t{d == b} + uint64_t{d == c});
      nodes_[a].store(to_a, std::memory_order_relaxed);
      nodes_[b].store(to_b, std::memory_order_relaxed);
      nodes_[c].store(to_c, std::memory_order_relaxed);
      nodes_[d].store(to_d, std::memory_order_relaxed);
    }

    detail::CountWord* nodes_;
    uint32_t beyond_;  // slots + 1
    std::unique_ptr<Joined> joined_;
  };
  // Joins a thread. kOutOfMemory.
  CW_API Result<Thread> Join();

  // Says whose the slots are from now on: nodes that were there before, by id,
  // keep their counts, in whichever slot; others begin at 0. To be called
  // before the ring is published. The ring that was tracked last, again,
  // changes nothing. kTooManyNodes above max_slots and kOutOfMemory, and then
  // nothing has changed. O(max_slots * threads).
  CW_API Status Track(const Ring& ring);

  // Returns what was counted until now; what is counted meanwhile may be in it
  // or not, each counter by itself. Allocates; may throw std::bad_alloc.
  // O(max_slots * threads).
  [[nodiscard]] CW_API Counts Read() const;

 private:
  struct Core;
  explicit CountCollector(std::shared_ptr<Core> core) noexcept;

  std::shared_ptr<Core> core_;
};

}  // namespace clockwise
