// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The rings of one router and their order: which serves, which are retired and
// not yet freed, which waits.
//
//   serving   readers get it
//   retired   readers may still hold it; the reclaimer has it
//   waiting   accepted, not shown: at max_live, until a retired one is freed
//
// Shared by the Router and its retired sets, so that those may outlive it.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "clockwise/router.h"
#include "route/domain_core.h"
#include "route/ring_set.h"

namespace clockwise {

class RouterCore : public std::enable_shared_from_this<RouterCore> {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  // Publishes to `current`, which belongs to the Router.
  RouterCore(std::atomic<const std::byte*>& current, DomainCore& domain,
             uint32_t max_live);
  ~RouterCore();
  // The Router is gone, and no thread asks it any more.
  void Close() noexcept;

  // Waits only if there is a deadline.
  Result<Publication> Publish(Ring&& ring, const PublishOptions& options,
                              Deadline deadline);
  RouterStats stats();

 private:
  using Lock = std::unique_lock<std::mutex>;

  // All that publishers and the reclaimer change. Made anew in a forked child,
  // where the old one may be locked by a thread that is not there.
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_publishing = false;  // one publisher at a time
    bool is_closed = false;
    std::unique_ptr<RingSet> waiting;
    RingSet* serving = nullptr;
    uint32_t shown = 0;  // serving and retired
    uint64_t freed = 0;  // number of the newest set that is freed
    RouterStats stats;
  };
  class Turn;

  // May throw std::bad_alloc.
  Result<Publication> TryPublish(Ring&& ring, const PublishOptions& options,
                                 Deadline deadline);
  void CountRefusal(Code code) noexcept;
  Status CheckCaller() const;
  void RenewAfterFork();
  [[nodiscard]] const RingSet* Newest(const State& state) const noexcept;
  [[nodiscard]] bool HasRoom(const State& state) const noexcept;
  // The rest holds the state's lock.
  Outcome Place(std::unique_ptr<RingSet> set) noexcept;
  void Serve(State& state, std::unique_ptr<RingSet> set) noexcept;
  Outcome AwaitSettled(Lock& lock, RingAge age, Deadline deadline);
  static void OnFree(RingSet* set) noexcept;
  void Freed(std::unique_ptr<RingSet> set) noexcept;

  std::atomic<const std::byte*>& current_;
  DomainCore& domain_;
  const uint32_t max_live_;
  // Shown at most; one place is kept for the ring that waits, if one can.
  const uint32_t max_shown_;
  pid_t pid_;
  // Publishes that were refused, by Code. Beside the lock, which in a forked
  // child may be nobody's; relaxed: each a count by itself.
  std::array<std::atomic<uint64_t>, kCodeCount> refused_{};
  std::unique_ptr<State> state_;
};

}  // namespace clockwise
