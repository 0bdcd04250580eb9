// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Sketches go around: a thread fills one, hands it over, and takes up the empty
// one that the collector gave back.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/hot_keys.h"

namespace clockwise {

struct HotKeyCollector::Thread::Core {
  Core(HotKeySketch first, HotKeySketch second)
      : sketches{std::move(first), std::move(second)} {}

  HotKeySketch sketches[2];
  HotKeySketch* filling = &sketches[0];  // the thread's own
  // One of them is null at any time. The thread stores to `full` and takes from
  // `empty`, the collector the other way round; each store is a release, each
  // load an acquire, and so what is in a sketch goes with it.
  std::atomic<HotKeySketch*> full{nullptr};
  std::atomic<HotKeySketch*> empty{&sketches[1]};
  std::atomic<bool> has_left{false};
};

struct HotKeyCollector::Core {
  explicit Core(const HotKeyOptions& of) : options(of) {}
  HotKeyOptions options;
  std::mutex joining;
  std::vector<std::shared_ptr<Thread::Core>> threads;
};

HotKeyCollector::Thread::Thread(std::shared_ptr<Core> core,
                                uint32_t period) noexcept
    : core_(std::move(core)), period_(period) {}
HotKeyCollector::Thread::Thread(Thread&&) noexcept = default;
HotKeyCollector::Thread& HotKeyCollector::Thread::operator=(
    Thread&& other) noexcept {
  Thread moved(std::move(other));
  std::swap(core_, moved.core_);
  std::swap(period_, moved.period_);
  std::swap(added_, moved.added_);
  return *this;
}
HotKeyCollector::Thread::~Thread() {
  // The collector's copy keeps what was handed over.
  if (core_) core_->has_left.store(true, std::memory_order_release);
}

void HotKeyCollector::Thread::Add(std::string_view key) noexcept {
  Core& core = *core_;
  core.filling->Add(key);
  if (++added_ < period_) return;
  // Where the collector is late the sketch just counts on.
  HotKeySketch* empty = core.empty.load(std::memory_order_acquire);
  if (empty == nullptr) return;
  core.empty.store(nullptr, std::memory_order_relaxed);
  core.full.store(core.filling, std::memory_order_release);
  core.filling = empty;
  added_ = 0;
}

HotKeyCollector::HotKeyCollector(std::unique_ptr<Core> core) noexcept
    : core_(std::move(core)) {}
HotKeyCollector::HotKeyCollector(HotKeyCollector&&) noexcept = default;
HotKeyCollector& HotKeyCollector::operator=(HotKeyCollector&&) noexcept =
    default;
HotKeyCollector::~HotKeyCollector() = default;

Result<HotKeyCollector> HotKeyCollector::Create(
    const HotKeyOptions& options) try {
  const auto valid = HotKeySketch::Create(options);
  if (!valid.ok()) return valid.status();
  return HotKeyCollector(std::make_unique<Core>(options));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<HotKeyCollector::Thread> HotKeyCollector::Join(uint32_t period) try {
  if (period == 0) {
    return Status(Code::kInvalidOptions, "hot keys: period 0; 1 or more");
  }
  auto first = HotKeySketch::Create(core_->options);
  auto second = HotKeySketch::Create(core_->options);
  if (!first.ok()) return first.status();
  if (!second.ok()) return second.status();
  auto thread = std::make_shared<Thread::Core>(std::move(first).value(),
                                               std::move(second).value());
  const std::lock_guard lock(core_->joining);
  core_->threads.push_back(thread);
  return Thread(std::move(thread), period);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status HotKeyCollector::Collect(HotKeySketch& all) {
  const std::lock_guard lock(core_->joining);
  Status result;
  for (const auto& thread : core_->threads) {
    HotKeySketch* full = thread->full.load(std::memory_order_acquire);
    if (full == nullptr) continue;
    if (Status merged = all.Merge(*full); !merged.ok()) {
      result = merged;  // it stays, for the next time
      continue;
    }
    full->Clear();
    thread->full.store(nullptr, std::memory_order_relaxed);
    thread->empty.store(full, std::memory_order_release);
  }
  std::erase_if(core_->threads, [](const auto& thread) {
    return thread->has_left.load(std::memory_order_acquire) &&
           thread->full.load(std::memory_order_acquire) == nullptr;
  });
  return result;
}

}  // namespace clockwise
