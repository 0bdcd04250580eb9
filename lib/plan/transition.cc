// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/transition.h"

#include <new>

#include "base/out_of_memory.h"

namespace clockwise {

Transition::Transition(const Ring& before, const Ring& after,
                       const MigrationPlan& plan)
    : before_(before),
      after_(after),
      plan_(&plan),
      move_count_(static_cast<uint32_t>(plan.moves().size())),
      copied_(std::make_unique<std::atomic<uint64_t>[]>(
          (size_t{move_count_} + 63) / 64)),
      copied_count_(std::make_unique<std::atomic<uint32_t>>(0)) {}

Result<Transition> Transition::Create(const Ring& before, const Ring& after,
                                      const MigrationPlan& plan) try {
  if (plan.before_digest() != before.digest() ||
      plan.after_digest() != after.digest()) {
    return Status(Code::kInvalidOptions, "the plan is that of other rings");
  }
  return Transition(before, after, plan);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

KeyTransition Transition::Of(uint64_t hash) const noexcept {
  KeyTransition found;
  found.before = before_.Owner(hash);
  found.after = after_.Owner(hash);
  if (found.before == kNoNode) return found;
  found.move = plan_->MoveOf(hash);
  if (found.move != kNoMove) found.state = state(found.move);
  return found;
}

bool Transition::MarkCopied(uint32_t move) noexcept {
  if (move >= move_count_) return false;
  const uint64_t bit = uint64_t{1} << move % 64;
  // Release publishes the copy; pairs with the acquire in state().
  const uint64_t old =
      copied_[move / 64].fetch_or(bit, std::memory_order_release);
  if ((old & bit) == 0) {
    copied_count_->fetch_add(1, std::memory_order_relaxed);
  }
  return true;
}

}  // namespace clockwise
