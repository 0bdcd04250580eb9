// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "route/reclaimer.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "route/fault.h"
#include "route/rcu.h"

namespace clockwise {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

milliseconds MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

}  // namespace

// First in, first out.
class Reclaimer::Queue {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  void Push(Retired* retired) noexcept {
    retired->next_ = nullptr;
    *end_ = retired;
    end_ = &retired->next_;
  }
  // Empties the queue.
  [[nodiscard]] Retired* Take() noexcept {
    end_ = &first_;
    return std::exchange(first_, nullptr);
  }
  static void FreeAll(Retired* first) noexcept {
    while (first != nullptr) {
      Retired* next = first->next_;
      first->Free();
      first = next;
    }
  }

 private:
  Retired* first_ = nullptr;
  Retired** end_ = &first_;
};

struct Reclaimer::State {
  explicit State(const DomainOptions& options)
      : flavour(options.flavour),
        stall_after(options.stall_after),
        tick(std::clamp(options.stall_after / 4, milliseconds(5),
                        milliseconds(250))),
        on_stall(options.on_stall) {}

  void Reclaim();
  void Watch();
  void RunGracePeriod();
  void Report(Clock::time_point began, uint64_t number);
  [[nodiscard]] std::vector<Stall> FindStalls() const;

  const Flavour flavour;
  const milliseconds stall_after;
  const milliseconds tick;  // between looks of the watch
  const std::function<void(const Stall&)> on_stall;

  std::mutex mutex;  // of what follows
  std::condition_variable retired;
  std::condition_variable watched;
  Queue queue;
  bool is_stopping = false;
  bool is_grace_period = false;
  bool is_watch_asleep = false;
  Clock::time_point grace_began;
  std::atomic<uint64_t> grace_periods{0};

  std::thread reclaiming;
  std::thread watching;
};

void Reclaimer::State::RunGracePeriod() {
  {
    const std::lock_guard lock(mutex);
    is_grace_period = true;
    grace_began = Clock::now();
    if (is_watch_asleep) watched.notify_one();
  }
  if (!Seeded(Fault::kNoGracePeriod)) rcu::Synchronize(flavour);
  grace_periods.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard lock(mutex);
  is_grace_period = false;
}

void Reclaimer::State::Reclaim() {
  std::unique_lock lock(mutex);
  for (;;) {
    retired.wait(lock, [&] { return is_stopping || !queue.empty(); });
    Retired* batch = queue.Take();
    if (batch == nullptr) return;
    const bool no_readers = is_stopping;
    lock.unlock();
    if (!no_readers) RunGracePeriod();
    if (Seeded(Fault::kEarlyFree)) {
      Queue::FreeAll(batch);
      const std::lock_guard early(mutex);
      batch = queue.Take();
    }
    Queue::FreeAll(batch);
    lock.lock();
  }
}

// Sleeps while there is no grace period, and looks once a tick while there are.
void Reclaimer::State::Watch() {
  std::unique_lock lock(mutex);
  while (!is_stopping) {
    if (!is_grace_period) {
      is_watch_asleep = true;
      watched.wait(lock, [&] { return is_stopping || is_grace_period; });
      is_watch_asleep = false;
    }
    watched.wait_for(lock, tick, [&] { return is_stopping; });
    if (is_stopping || !is_grace_period) continue;
    if (MillisecondsSince(grace_began) < stall_after) continue;
    const auto began = grace_began;
    const uint64_t number = grace_periods.load(std::memory_order_relaxed);
    lock.unlock();
    Report(began, number);
    lock.lock();
  }
}

// Those that hold up the grace period.
std::vector<Stall> Reclaimer::State::FindStalls() const {
  std::vector<Stall> stalls;
  rcu::ForEachHolder(flavour, [&](const std::string& name, pid_t tid) {
    stalls.push_back({name, tid, {}, false});
  });
  if (stalls.empty()) stalls.emplace_back();  // a thread that is not ours
  return stalls;
}

// Tells of the stall that grace period `number` is in, and of its end.
void Reclaimer::State::Report(Clock::time_point began, uint64_t number) {
  std::vector<Stall> stalls;
  try {
    stalls = FindStalls();
  } catch (const std::bad_alloc&) {
    return;  // the next tick comes here again
  }
  const auto is_over = [&] {
    return grace_periods.load(std::memory_order_relaxed) != number;
  };
  if (is_over()) return;
  const auto tell = [&](bool has_ended) {
    for (Stall& stall : stalls) {
      stall.age = MillisecondsSince(began);
      stall.has_ended = has_ended;
      if (on_stall) on_stall(stall);
    }
  };
  tell(false);
  {
    std::unique_lock lock(mutex);
    while (!is_stopping && !is_over()) watched.wait_for(lock, tick);
  }
  tell(true);
}

Reclaimer::Reclaimer(std::shared_ptr<State> state) noexcept
    : state_(std::move(state)) {}

Result<std::unique_ptr<Reclaimer>> Reclaimer::Start(
    const DomainOptions& options) {
  auto state = std::make_shared<State>(options);
  // Its end stops what has begun.
  std::unique_ptr<Reclaimer> reclaimer(new Reclaimer(state));
  try {
    state->reclaiming = std::thread([state] { state->Reclaim(); });
    state->watching = std::thread([state] { state->Watch(); });
  } catch (const std::system_error& error) {
    return Status(Code::kNoThread,
                  std::string("no thread to free rings on: ") + error.what());
  }
  return reclaimer;
}

Reclaimer::~Reclaimer() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_stopping = true;
    state_->retired.notify_all();
    state_->watched.notify_all();
  }
  const bool would_deadlock = rcu::IsReading(state_->flavour);
  const rcu::OfflineScope offline(state_->flavour);
  for (std::thread* thread : {&state_->reclaiming, &state_->watching}) {
    if (!thread->joinable()) continue;
    would_deadlock ? thread->detach() : thread->join();
  }
}

void Reclaimer::Retire(Retired* retired) noexcept {
  const std::lock_guard lock(state_->mutex);
  state_->queue.Push(retired);
  state_->retired.notify_one();
}

uint64_t Reclaimer::grace_periods() const noexcept {
  return state_->grace_periods.load(std::memory_order_relaxed);
}

}  // namespace clockwise
