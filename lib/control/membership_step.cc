// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// From what is wanted to what serves.
#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "base/out_of_memory.h"
#include "control/membership_core.h"
#include "control/wanted_members.h"
#include "control/wanted_ring.h"
#include "route/publish_rules.h"

namespace clockwise {
namespace {

// Whether the same ring may be taken another time.
bool IsPassing(Code code) {
  return code == Code::kOutOfMemory || code == Code::kNoThread ||
         code == Code::kGraceTimeout || code == Code::kWouldDeadlock ||
         code == Code::kForked;
}

}  // namespace

std::optional<Membership::Duration> Membership::Core::Due() const {
  if (!pending) return std::nullopt;
  return std::min(pending->latest + options.quiet,
                  pending->first + options.max_delay);
}

// A clock that stepped back must not let changes wait for as long.
void Membership::Core::FollowClock(Duration now) {
  if (!pending) return;
  pending->first = std::min(pending->first, now);
  pending->latest = std::min(pending->latest, now);
}

Result<uint64_t> Membership::Core::NextEpoch() const {
  if (pending->members.epoch != 0) return pending->members.epoch;
  const uint64_t newest = NewestEpoch();
  if (newest != std::numeric_limits<uint64_t>::max()) return newest + 1;
  return Status(Code::kEpochExhausted, TitleOf(pending->members) +
                                           ": no epoch is above " +
                                           std::to_string(newest));
}

Result<Ring> Membership::Core::Build() {
  if (!ring && options.last_epoch != 0) return BuildAfterRestart();
  const Result<uint64_t> epoch = NextEpoch();
  if (!epoch.ok()) return epoch.status();
  return BuildUnder(epoch.value());
}

Result<Ring> Membership::Core::BuildUnder(uint64_t epoch) {
  if (pending->ring) return pending->ring->Copy(epoch);
  return BuildWanted(pending->members, epoch, ring ? &*ring : nullptr);
}

// Only the digest is left of what served. Members without an epoch have the
// last one if they are what served, and the next one otherwise.
Result<Ring> Membership::Core::BuildAfterRestart() {
  const uint64_t last = options.last_epoch;
  Result<Ring> built = BuildUnder(last);
  if (!built.ok()) return built;
  const bool is_what_served = built.value().digest() == options.last_digest;
  if (pending->members.epoch == last && !is_what_served) {
    return Status(Code::kEpochConflict,
                  TitleOf(pending->members) + ": epoch " +
                      std::to_string(last) + " has digest " +
                      ToHex(built.value().digest()) + ", but served with " +
                      ToHex(options.last_digest));
  }
  if (pending->members.epoch == 0 && is_what_served) return built;
  const Result<uint64_t> epoch = NextEpoch();
  if (!epoch.ok()) return epoch.status();
  return built.value().Copy(epoch.value());
}

Result<Ring> Membership::Core::BuildTracked() {
  Result<Ring> next = Build();
  if (!next.ok() || health == nullptr) return next;
  if (Status status = health->Track(next.value()); !status.ok()) return status;
  return next;
}

// Publishes `wanted`; or, with a count, what health lets serve in its place.
Status Membership::Core::PublishInPlaceOf(const Ring& wanted,
                                          uint64_t next_local,
                                          bool accepts_remap) try {
  Result<Ring> serves = next_local != 0
                            ? BuildReduced(wanted, health, next_local)
                            : wanted.Copy(wanted.epoch());
  if (!serves.ok()) return serves.status();
  PublishOptions how;
  how.accept_remap = accepts_remap;
  return publish(std::move(serves).value(), how);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

// What a router will refuse is not recorded.
Status Membership::Core::RecordAndPublish(const Ring& wanted,
                                          uint64_t next_local) try {
  PublishOptions how;
  how.accept_remap = pending->is_confirmed;
  const auto epoch = clockwise::NextEpoch(ring ? &*ring : nullptr, wanted, how);
  if (!epoch.ok()) return epoch.status();
  if (options.record) options.record(wanted);
  return PublishInPlaceOf(wanted, next_local, how.accept_remap);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void Membership::Core::Commit(Ring&& next, uint64_t next_local) {
  ring = std::move(next);
  serving = std::move(pending->members);
  serving.epoch = ring->epoch();
  pending.reset();
  local = next_local;
  has_new_levels = false;
  ++stats.published;
  if (next_local != 0) ++stats.published_local;
}

void Membership::Core::Fail(const Status& status, Duration now,
                            MembershipReport& report) {
  report.status = status;
  if (IsPassing(status.code())) {
    ++stats.failures;
    // After another quiet time.
    pending->first = pending->latest = now;
  } else {
    ++stats.refusals;
    pending.reset();
  }
}

void Membership::Core::StepWanted(Duration now, MembershipReport& report) {
  if (ring && pending->members.epoch == 0 &&
      AreSame(pending->members, pending->ring, serving, &*ring)) {
    pending.reset();  // changed, and changed back
    return;
  }
  Result<Ring> next = BuildTracked();
  if (!next.ok()) return Fail(next.status(), now, report);
  const bool is_local = options.health_use == HealthUse::kReweight &&
                        IsReduced(next.value(), health);
  const uint64_t next_local = is_local ? 1 : 0;
  const Status status = RecordAndPublish(next.value(), next_local);
  if (!status.ok()) {
    if (health != nullptr) health->Untrack();
    return Fail(status, now, report);
  }
  Commit(std::move(next).value(), next_local);
  report.has_published = true;
}

void Membership::Core::StepHealth(MembershipReport& report) {
  if (!ring || !has_new_levels) return;
  if (local == 0 && !IsReduced(*ring, health)) {
    has_new_levels = false;  // all was given back before it was taken
    return;
  }
  const Status status = PublishInPlaceOf(*ring, local + 1, false);
  if (!status.ok()) {
    ++(IsPassing(status.code()) ? stats.failures : stats.refusals);
    if (report.status.ok()) report.status = status;
    return;
  }
  ++local;
  has_new_levels = false;
  ++stats.published;
  ++stats.published_local;
  report.has_published = true;
}

// Health is evaluated first, so that one ring does for it and for what is
// wanted.
MembershipReport Membership::Core::Step(Duration now) {
  MembershipReport report;
  FollowClock(now);
  if (health != nullptr) report.health = health->Evaluate(now);
  if (report.health.has_changed && options.health_use == HealthUse::kReweight) {
    has_new_levels = true;
  }
  const std::optional<Duration> due = Due();
  if (due && now >= *due) StepWanted(now, report);
  StepHealth(report);
  return report;
}

}  // namespace clockwise
