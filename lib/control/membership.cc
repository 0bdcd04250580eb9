// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/membership.h"

#include <new>
#include <string>
#include <utility>

#include "base/out_of_memory.h"
#include "control/membership_core.h"
#include "control/wanted_members.h"

namespace clockwise {
namespace {

using Duration = MembershipOptions::Duration;

Status CheckTime(const char* name, Duration time) {
  constexpr Duration kMost = std::chrono::hours(24 * 366);
  if (time >= Duration::zero() && time <= kMost) return {};
  return {Code::kInvalidOptions, std::string("membership: ") + name + " " +
                                     std::to_string(time.count()) +
                                     " ns; 0 to a year"};
}

Status Check(const MembershipOptions& options,
             const Membership::PublishRing& publish) {
  for (const Status& status : {CheckTime("quiet", options.quiet),
                               CheckTime("max_delay", options.max_delay)}) {
    if (!status.ok()) return status;
  }
  if (options.max_drop_percent > 100) {
    return {Code::kInvalidOptions,
            "membership: max_drop_percent " +
                std::to_string(options.max_drop_percent) + "; 0 to 100"};
  }
  if (publish == nullptr) {
    return {Code::kInvalidOptions, "membership: nothing to publish with"};
  }
  return {};
}

Status Counted(Status status, MembershipStats& stats) {
  if (!status.ok()) ++stats.refusals;
  return status;
}

}  // namespace

Membership::Membership(std::unique_ptr<Core> core) noexcept
    : core_(std::move(core)) {}
Membership::Membership(Membership&&) noexcept = default;
Membership& Membership::operator=(Membership&&) noexcept = default;
Membership::~Membership() = default;

Result<Membership> Membership::Create(const MembershipOptions& options,
                                      PublishRing publish,
                                      HealthTracker* health) try {
  if (Status refused = Check(options, publish); !refused.ok()) return refused;
  auto core = std::make_unique<Core>();
  core->options = options;
  core->publish = std::move(publish);
  core->health = health;
  if (health == nullptr) core->options.health_use = HealthUse::kSkip;
  return Membership(std::move(core));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<Membership> Membership::Create(const MembershipOptions& options,
                                      Router& router, HealthTracker* health) {
  return Create(
      options,
      [&router](Ring&& ring, const PublishOptions& how) {
        return router.Publish(std::move(ring), how).status();
      },
      health);
}

Status Membership::Want(Members members, Duration now, bool is_confirmed) try {
  return Counted(core_->Consider(std::move(members), now, is_confirmed),
                 core_->stats);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status Membership::Want(const Ring& ring, Duration now, bool is_confirmed) try {
  if (ring.local() != 0) {
    return Counted({Code::kInvalidOptions,
                    "membership: a ring that is local to a host stands for "
                    "another"},
                   core_->stats);
  }
  Result<Ring> copy = ring.Copy(ring.epoch());
  if (!copy.ok()) return Counted(copy.status(), core_->stats);
  Result<Members> members = MembersOf(ring);
  if (!members.ok()) return Counted(members.status(), core_->stats);
  return Counted(core_->Consider(std::move(members).value(), now, is_confirmed,
                                 std::move(copy).value()),
                 core_->stats);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status Membership::Add(const Node& node, Duration now) try {
  const auto add = [&](Members& members) { return AddTo(members, node); };
  return Counted(core_->Change(add, now, false), core_->stats);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status Membership::Update(const Node& node, Duration now,
                          bool is_confirmed) try {
  const auto update = [&](Members& members) { return UpdateIn(members, node); };
  return Counted(core_->Change(update, now, is_confirmed), core_->stats);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status Membership::Remove(std::string_view id, Duration now,
                          bool is_confirmed) try {
  const auto remove = [&](Members& members) { return RemoveFrom(members, id); };
  return Counted(core_->Change(remove, now, is_confirmed), core_->stats);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

MembershipReport Membership::Step(Duration now) { return core_->Step(now); }

std::optional<Duration> Membership::Due() const noexcept {
  return core_->Due();
}

const Ring* Membership::ring() const noexcept {
  return core_->ring ? &*core_->ring : nullptr;
}

uint64_t Membership::epoch() const noexcept { return core_->ServingEpoch(); }

Hash128 Membership::base_digest() const noexcept {
  return core_->ring ? core_->ring->digest() : core_->options.last_digest;
}

uint64_t Membership::local() const noexcept { return core_->local; }

MembershipStats Membership::stats() const noexcept { return core_->stats; }

}  // namespace clockwise
