// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Requests while data moves from one ring to another: who had a key, who is to
// have it, and whether it is there yet.
//
// What to do with a key, by the order of things and the state of its range:
//
//   order        | state    | read   | on a miss | write
//   -------------+----------+--------+-----------+--------------
//   either       | kSettled | after  |           | after
//   kBeforeJoin  | kPending | before |           | before, after
//   kBeforeJoin  | kCopied  | after  | before    | before, after
//   kAfterJoin   | kPending | after  | before    | after
//   kAfterJoin   | kCopied  | after  |           | after
//
// kBeforeJoin is for data that must not be lost: a range is copied first, then
// read from its new node; writes go to both until the end, so that one can turn
// back. The copy must not put an old value over what such a write has put: copy
// what is absent, or compare versions. kAfterJoin is for caches: the new ring
// serves at once, and what it misses is fetched from the old node and put. When
// all ranges are copied the ring after serves alone, and this is let go of.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "clockwise/detail/api.h"
#include "clockwise/plan.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

enum class JoinOrder : uint8_t { kBeforeJoin = 0, kAfterJoin = 1 };
enum class RangeState : uint8_t { kSettled = 0, kPending = 1, kCopied = 2 };

// A row of the table.
struct KeyAccess {
  bool reads_before;   // first; otherwise after
  bool reads_on_miss;  // the other of the two
  bool writes_both;    // otherwise after alone

  friend bool operator==(KeyAccess, KeyAccess) = default;
};
constexpr KeyAccess AccessOf(JoinOrder order, RangeState state) noexcept {
  if (state == RangeState::kSettled) return {false, false, false};
  const bool is_copied = state == RangeState::kCopied;
  if (order == JoinOrder::kBeforeJoin) return {!is_copied, is_copied, true};
  return {false, !is_copied, false};
}

// Where a hash was and is to be.
struct KeyTransition {
  NodeIndex before = kNoNode;  // its owner, a slot of the ring before
  NodeIndex after = kNoNode;   // a slot of the ring after
  uint32_t move = kNoMove;     // of the plan; kNoMove where it is settled
  // kSettled where the owner stays, where the new one held the hash as another
  // replica already, and where nobody had or nobody gets it.
  RangeState state = RangeState::kSettled;
};

// May be moved while one thread has it; a moved-from one may only be assigned
// to or destroyed.
//
//             | Of, state | MarkCopied | move, destroy
//   Of, state | yes       | yes        | no
//   MarkCopied| yes       | yes        | no
class Transition {
 public:
  // Nothing copied yet. `plan` is that of the rings, by their digests (else
  // kInvalidOptions), all of which must outlive this and stay where they are.
  // kOutOfMemory. O(moves): a bit each.
  CW_API static Result<Transition> Create(const Ring& before, const Ring& after,
                                          const MigrationPlan& plan);

  // Two lookups and a search of the moves. Never allocates, locks or fails. Who
  // is told kCopied sees all that the thread did that marked the move, before.
  [[nodiscard]] CW_API KeyTransition Of(uint64_t hash) const noexcept;

  // kSettled for a number that is no move's.
  [[nodiscard]] RangeState state(uint32_t move) const noexcept {
    if (move >= move_count_) return RangeState::kSettled;
    // Acquire pairs with the release in MarkCopied.
    const uint64_t word = copied_[move / 64].load(std::memory_order_acquire);
    return (word >> move % 64 & 1) != 0 ? RangeState::kCopied
                                        : RangeState::kPending;
  }

  // Marks a move as copied; again changes nothing. Returns false for a number
  // that is no move's. Wait-free where the CPU has an atomic or.
  CW_API bool MarkCopied(uint32_t move) noexcept;

  // How many are.
  [[nodiscard]] uint32_t copied_count() const noexcept {
    return copied_count_->load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_complete() const noexcept {
    return copied_count() == move_count_;
  }

 private:
  Transition(const Ring& before, const Ring& after, const MigrationPlan& plan);

  RingView before_, after_;
  const MigrationPlan* plan_;
  uint32_t move_count_;
  std::unique_ptr<std::atomic<uint64_t>[]> copied_;
  std::unique_ptr<std::atomic<uint32_t>> copied_count_;
};

}  // namespace clockwise
