// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <atomic>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/out_of_memory.h"
#include "control/watch_loop.h"

namespace clockwise {
namespace {

std::chrono::nanoseconds Now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

}  // namespace

struct Watcher::Core {
  // What a thread asks for; several at once.
  enum Wish : unsigned { kReread = 1, kConfirm = 2, kStop = 4 };

  void Ask(unsigned wish) noexcept {
    wishes.fetch_or(wish);
    source->Wake();
  }
  void Run();

  std::unique_ptr<MembersSource> source;
  std::unique_ptr<WatchLoop> loop;
  std::atomic<unsigned> wishes{0};
  std::thread thread;
};

void Watcher::Core::Run() {
  bool has_changed = true;
  while (true) {
    const unsigned wish = wishes.exchange(0);
    if ((wish & kStop) != 0) return;
    try {
      loop->Round(Now(), has_changed || (wish & (kReread | kConfirm)) != 0,
                  (wish & kConfirm) != 0);
      has_changed = source->Await(loop->Idle(Now()));
    } catch (const std::bad_alloc&) {
      loop->CountRefusal(OutOfMemory());
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

Watcher::Watcher(std::unique_ptr<Core> core) noexcept
    : core_(std::move(core)) {}

Watcher::~Watcher() {
  if (!core_->thread.joinable()) return;
  core_->Ask(Core::kStop);
  core_->thread.join();
}

Result<std::unique_ptr<Watcher>> Watcher::Start(
    std::unique_ptr<MembersSource> source, Router& router,
    WatchOptions options) try {
  if (source == nullptr) {
    return Status(Code::kInvalidOptions, "watcher: no source to follow");
  }
  const auto publish = [&router](Ring&& ring, const PublishOptions& how) {
    return router.Publish(std::move(ring), how).status();
  };
  auto core = std::make_unique<Core>();
  core->source = std::move(source);
  auto loop = WatchLoop::Create(*core->source, publish, std::move(options));
  if (!loop.ok()) return loop.status();
  core->loop = std::move(loop).value();
  core->loop->Begin(Now());
  auto watcher = std::unique_ptr<Watcher>(new Watcher(std::move(core)));
  Core& running = *watcher->core_;
  running.thread = std::thread([&running] { running.Run(); });
  return watcher;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
} catch (const std::system_error&) {
  return Status(Code::kNoThread, "watcher: the system has no further thread");
}

void Watcher::Confirm() noexcept { core_->Ask(Core::kConfirm); }

void Watcher::Reread() noexcept { core_->Ask(Core::kReread); }

WatchStats Watcher::stats() const { return core_->loop->stats(); }

}  // namespace clockwise
