// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "control/watch_loop.h"

#include <algorithm>
#include <utility>

#include "clockwise/ring_file.h"
#include "platform/file_watch.h"

namespace clockwise {
namespace {

using Duration = WatchLoop::Duration;

constexpr Duration kFirstRetry = std::chrono::seconds(1);

Status CheckTime(const char* name, Duration time) {
  if (time >= std::chrono::milliseconds(10) && time <= std::chrono::hours(24)) {
    return {};
  }
  return {Code::kInvalidOptions, std::string("watcher: ") + name + " " +
                                     std::to_string(time.count()) +
                                     " ns; 10 ms to a day"};
}

}  // namespace

Result<std::unique_ptr<WatchLoop>> WatchLoop::Create(
    MembersSource& source, Membership::PublishRing publish,
    WatchOptions options) {
  for (const Status& status :
       {CheckTime("reread", options.reread),
        CheckTime("health_interval", options.health_interval)}) {
    if (!status.ok()) return status;
  }
  auto loop =
      std::unique_ptr<WatchLoop>(new WatchLoop(source, std::move(options)));
  loop->LoadState();
  MembershipOptions membership = loop->options_.membership;
  membership.record = [&loop = *loop](const Ring& ring) { loop.Save(ring); };
  if (loop->state_) {
    membership.last_epoch = loop->state_->epoch();
    membership.last_digest = loop->state_->digest();
  }
  Result<Membership> made =
      Membership::Create(membership, std::move(publish), loop->options_.health);
  if (!made.ok()) return made.status();
  loop->membership_.emplace(std::move(made).value());
  return loop;
}

// A state that is not there is one that was not written yet.
void WatchLoop::LoadState() {
  const std::string& path = options_.state_path;
  if (path.empty() || StateOf(path) == FileState{}) return;
  RingLoadOptions how;
  how.mode = LoadMode::kCopy;
  Result<Ring> ring = LoadRing(path, how);
  if (ring.ok()) {
    saved_epoch_ = ring.value().epoch();
    state_.emplace(std::move(ring).value());
  } else {
    state_fault_ = ring.status();
  }
}

void WatchLoop::Begin(Duration now) {
  next_read_ = now;
  if (!state_fault_.ok()) Tell(WatchEvent::Kind::kStateFailed, state_fault_);
  if (!state_) return;
  const Status status = membership_->Want(*state_, now, true);
  state_.reset();
  if (!status.ok()) return Refuse(status);
  // Nobody else has changed anything: there is no burst to wait for.
  Step(std::max(now, membership_->Due().value_or(now)));
}

void WatchLoop::Round(Duration now, bool must_read, bool is_confirmed) {
  if (must_read || now >= next_read_) Read(now, is_confirmed);
  Step(now);
  if (IsUnsaved() && now >= next_save_) Save(*membership_->ring());
}

void WatchLoop::Read(Duration now, bool is_confirmed) {
  {
    const std::lock_guard lock(mutex_);
    ++stats_.reads;
  }
  // Should it throw, there is a next time.
  retry_ = std::clamp(2 * retry_, kFirstRetry,
                      std::max(kFirstRetry, options_.reread));
  next_read_ = now + std::min(retry_, options_.reread);
  Result<MembersOrRing> content = source_.Read();
  if (!content.ok()) return Refuse(content.status());
  retry_ = Duration::zero();
  next_read_ = now + options_.reread;
  const Status status = Want(std::move(content).value(), now, is_confirmed);
  if (!status.ok()) return Refuse(status);
  if (membership_->Due()) return;  // it may be refused yet
  const std::lock_guard lock(mutex_);
  stats_.last_refusal.clear();
}

Status WatchLoop::Want(MembersOrRing content, Duration now, bool is_confirmed) {
  if (auto* members = std::get_if<Members>(&content)) {
    return membership_->Want(std::move(*members), now, is_confirmed);
  }
  return membership_->Want(std::get<Ring>(content), now, is_confirmed);
}

void WatchLoop::Step(Duration now) {
  now_ = now;
  MembershipReport report = membership_->Step(now);
  if (!report.status.ok()) Refuse(report.status);
  if (report.has_published) {
    {
      const std::lock_guard lock(mutex_);
      ++stats_.published;
      stats_.epoch = membership_->epoch();
      if (report.status.ok()) stats_.last_refusal.clear();
    }
    Tell(WatchEvent::Kind::kPublished);
  }
  if (!report.health.events.empty()) {
    Tell(WatchEvent::Kind::kHealth, {}, std::move(report.health));
  }
}

// Of the ring at full weights: health is told anew after a restart.
void WatchLoop::Save(const Ring& ring) {
  if (options_.state_path.empty() || ring.epoch() == saved_epoch_) return;
  const Status status = SaveRing(ring, options_.state_path);
  if (status.ok()) {
    saved_epoch_ = ring.epoch();
    return;
  }
  next_save_ = now_ + kFirstRetry;
  {
    const std::lock_guard lock(mutex_);
    ++stats_.state_failures;
  }
  Tell(WatchEvent::Kind::kStateFailed, status);
}

bool WatchLoop::IsUnsaved() const {
  const Ring* ring = membership_->ring();
  return !options_.state_path.empty() && ring != nullptr &&
         ring->epoch() != saved_epoch_;
}

Duration WatchLoop::Idle(Duration now) const {
  Duration until = next_read_;
  if (const auto due = membership_->Due()) until = std::min(until, *due);
  if (options_.health != nullptr) {
    until = std::min(until, now + options_.health_interval);
  }
  if (IsUnsaved()) until = std::min(until, next_save_);
  return std::max(until - now, Duration::zero());
}

void WatchLoop::Refuse(const Status& status) {
  {
    const std::lock_guard lock(mutex_);
    ++stats_.refused;
    if (stats_.last_refusal == status.message()) return;
    stats_.last_refusal = status.message();
  }
  Tell(WatchEvent::Kind::kRefused, status);
}

void WatchLoop::Tell(WatchEvent::Kind kind, const Status& status,
                     HealthReport health) {
  if (!options_.on_event) return;
  WatchEvent event;
  event.kind = kind;
  event.status = status;
  event.epoch = membership_->epoch();
  event.local = membership_->local();
  event.base_digest = membership_->base_digest();
  event.health = std::move(health);
  options_.on_event(event);
}

WatchStats WatchLoop::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

}  // namespace clockwise
