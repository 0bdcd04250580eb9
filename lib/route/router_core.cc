// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "route/router_core.h"

#include <unistd.h>

#include <new>
#include <string>
#include <utility>

#include "base/out_of_memory.h"
#include "route/fault.h"
#include "route/publish_rules.h"
#include "route/rcu.h"

namespace clockwise {

// A publisher's turn: none until it has got one.
class RouterCore::Turn {
 public:
  // Waits for those before, until the deadline if there is one.
  Turn(State& state, Lock& lock, Deadline deadline)
      : state_(state), lock_(lock) {
    const auto is_free = [&] { return !state.is_publishing; };
    if (!deadline) {
      state.changed.wait(lock, is_free);
    } else if (!state.changed.wait_until(lock, *deadline, is_free)) {
      return;
    }
    state.is_publishing = has_turn_ = true;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (!has_turn_) return;
    if (!lock_.owns_lock()) lock_.lock();
    state_.is_publishing = false;
    state_.changed.notify_all();
  }
  explicit operator bool() const noexcept { return has_turn_; }

 private:
  State& state_;
  Lock& lock_;
  bool has_turn_ = false;
};

RouterCore::RouterCore(std::atomic<const std::byte*>& current,
                       DomainCore& domain, uint32_t max_live)
    : current_(current),
      domain_(domain),
      max_live_(max_live),
      max_shown_(max_live == 2 ? 2 : max_live - 1),
      pid_(domain.pid()),
      state_(std::make_unique<State>()) {
  current.store(domain.empty_set().copies(), std::memory_order_release);
}

RouterCore::~RouterCore() = default;

void RouterCore::Close() noexcept {
  if (domain_.IsForked() || pid_ != domain_.pid()) {
    state_.release();  // may be locked for ever, and what it holds half written
    return;
  }
  State& state = *state_;
  Lock lock(state.mutex);
  state.is_closed = true;
  state.waiting.reset();
  if (state.serving != nullptr) {
    domain_.reclaimer().Retire(std::exchange(state.serving, nullptr));
  }
}

Status RouterCore::CheckCaller() const {
  if (Status forked = domain_.RefuseIfForked("publishing"); !forked.ok()) {
    return forked;
  }
  if (rcu::IsReading(domain_.options().flavour)) {
    return Status(Code::kWouldDeadlock,
                  "publishing on a thread that holds a pin");
  }
  return Status();
}

// Of what the parent had, the ring that serves is whole.
void RouterCore::RenewAfterFork() {
  if (pid_ == domain_.pid()) return;
  auto fresh = std::make_unique<State>();
  const std::byte* copies = current_.load(std::memory_order_acquire);
  if (copies != domain_.empty_set().copies()) {
    fresh->serving = RingSet::Of(copies);
    fresh->shown = 1;
    fresh->freed = fresh->serving->number - 1;
    fresh->stats.published = fresh->serving->number;
  }
  state_.release();
  state_ = std::move(fresh);
  for (auto& count : refused_) count.store(0, std::memory_order_relaxed);
  pid_ = domain_.pid();
}

const RingSet* RouterCore::Newest(const State& state) const noexcept {
  return state.waiting != nullptr ? state.waiting.get() : state.serving;
}

bool RouterCore::HasRoom(const State& state) const noexcept {
  return state.shown < max_shown_;
}

Result<Publication> RouterCore::Publish(Ring&& ring,
                                        const PublishOptions& options,
                                        Deadline deadline) try {
  auto result = TryPublish(std::move(ring), options, deadline);
  if (!result.ok()) CountRefusal(result.status().code());
  return result;
} catch (const std::bad_alloc&) {
  CountRefusal(Code::kOutOfMemory);
  return OutOfMemory();
}

void RouterCore::CountRefusal(Code code) noexcept {
  refused_[static_cast<size_t>(code)].fetch_add(1, std::memory_order_relaxed);
}

Result<Publication> RouterCore::TryPublish(Ring&& ring,
                                           const PublishOptions& options,
                                           Deadline deadline) {
  if (Status refused = CheckCaller(); !refused.ok()) return refused;
  if (max_live_ == 2 && !deadline) {
    return Status(Code::kInvalidOptions,
                  "Publish with max_live 2; it takes 3, or PublishAndWait");
  }
  RenewAfterFork();
  const auto too_late = [&] {
    return Status(Code::kGraceTimeout,
                  "ring '" + std::string(ring.name()) +
                      "': readers of an older ring did not let go in time");
  };
  std::optional<rcu::OfflineScope> offline;
  if (deadline) offline.emplace(domain_.options().flavour);
  Lock lock(state_->mutex);
  uint64_t epoch = 0;
  RingAge age;
  {
    // Only with max_live 2 does a publisher keep its turn while it waits.
    const Turn turn(*state_, lock, max_live_ == 2 ? deadline : std::nullopt);
    if (!turn) return too_late();
    if (max_live_ == 2 && !state_->changed.wait_until(lock, *deadline, [&] {
          return HasRoom(*state_);
        })) {
      return too_late();
    }
    // The newest stays: only publishers put another in its place.
    const RingSet* newest = Newest(*state_);
    lock.unlock();
    const Result<uint64_t> next =
        NextEpoch(newest != nullptr ? &newest->ring() : nullptr, ring, options);
    if (!next.ok()) return next.status();
    if (next.value() == 0) {
      const Publication unchanged{newest->epoch(), Outcome::kUnchanged};
      lock.lock();
      ++state_->stats.unchanged;
      return unchanged;
    }
    epoch = next.value();
    age = {epoch, ring.local()};
    auto set = std::make_unique<RingSet>(domain_.places());
    set->on_free = &OnFree;
    set->router = shared_from_this();
    set->Fill(std::move(ring), epoch, options.companion);
    domain_.ReportMisplaced(*set);
    lock.lock();
    const Outcome outcome = Place(std::move(set));
    if (!deadline) return Publication{epoch, outcome};
  }
  return Publication{epoch, AwaitSettled(lock, age, deadline)};
}

Outcome RouterCore::Place(std::unique_ptr<RingSet> set) noexcept {
  State& state = *state_;
  if (state.waiting == nullptr && HasRoom(state)) {
    Serve(state, std::move(set));
    return Outcome::kServing;
  }
  ++state.stats.held_back;
  if (state.waiting != nullptr) ++state.stats.replaced;
  state.waiting = std::move(set);
  return Outcome::kHeldBack;
}

void RouterCore::Serve(State& state, std::unique_ptr<RingSet> set) noexcept {
  RingSet* const old = state.serving;
  set->number = ++state.stats.published;
  ++state.shown;
  state.serving = set.release();
  PlantBefore(current_, old, *state.serving);
  // Release: the set is written before its address; pairs with the load in
  // Router::Current. Readers may still hold the old one: retired, not freed.
  current_.store(state.serving->copies(), std::memory_order_release);
  if (old != nullptr) domain_.reclaimer().Retire(old);
  state.changed.notify_all();
}

Outcome RouterCore::AwaitSettled(Lock& lock, RingAge age, Deadline deadline) {
  State& state = *state_;
  const auto is_serving = [&] {
    return state.serving != nullptr && state.serving->age() >= age;
  };
  if (!state.changed.wait_until(lock, *deadline, is_serving)) {
    return Outcome::kHeldBack;
  }
  const uint64_t older = state.serving->number - 1;
  return state.changed.wait_until(lock, *deadline,
                                  [&] { return state.freed >= older; })
             ? Outcome::kSettled
             : Outcome::kServing;
}

void RouterCore::OnFree(RingSet* set) noexcept {
  const auto core = std::static_pointer_cast<RouterCore>(set->router);
  core->Freed(std::unique_ptr<RingSet>(set));
}

void RouterCore::Freed(std::unique_ptr<RingSet> set) noexcept {
  const uint64_t number = set->number;
  set.reset();  // before a place is taken for it, so that max_live holds
  State& state = *state_;
  const Lock lock(state.mutex);
  --state.shown;
  state.freed = number;
  if (!state.is_closed && state.waiting != nullptr && HasRoom(state)) {
    Serve(state, std::move(state.waiting));
  }
  state.changed.notify_all();
}

RouterStats RouterCore::stats() {
  if (domain_.IsForked()) return {};  // the lock may be nobody's
  RenewAfterFork();
  const Lock lock(state_->mutex);
  RouterStats stats = state_->stats;
  stats.serving_epoch =
      state_->serving != nullptr ? state_->serving->epoch() : 0;
  stats.serving_local =
      state_->serving != nullptr ? state_->serving->ring().local() : 0;
  const RingSet* newest = Newest(*state_);
  stats.newest_epoch = newest != nullptr ? newest->epoch() : 0;
  stats.live = state_->shown + (state_->waiting != nullptr ? 1 : 0);
  for (size_t code = 0; code < kCodeCount; ++code) {
    stats.refused[code] = refused_[code].load(std::memory_order_relaxed);
  }
  return stats;
}

}  // namespace clockwise
