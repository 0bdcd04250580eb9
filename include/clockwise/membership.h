// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// From wanted nodes and their health to the ring that serves.
//
//   Membership membership =
//       Membership::Create({}, *router, &tracker).value();
//   membership.Want(LoadMembers(path).value(), now);
//   …                                       // once an interval, and when Due
//   const MembershipReport report = membership.Step(now);
//
// A membership is told which nodes there should be, as a whole or change by
// change, and publishes the ring of them: one for a burst of changes. Where its
// tracker says so, nodes get less than their weight (LevelOf), in a ring that
// is local to this host: of the same epoch and base digest. Whatever is refused
// or fails, the last good ring serves on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "clockwise/detail/api.h"
#include "clockwise/health.h"
#include "clockwise/members.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/router.h"
#include "clockwise/status.h"

namespace clockwise {

// What health does to a ring.
enum class HealthUse : uint8_t {
  // Nothing: whoever walks it passes over nodes that IsEjected, and half-drains
  // and returns have no effect. Of any scheme.
  kSkip = 0,
  // Weights follow LevelOf. Scheme clockwise-1 only: there, no key of others
  // moves.
  kReweight = 1,
};

struct MembershipOptions {
  using Duration = std::chrono::nanoseconds;

  // A burst of changes makes one ring: `quiet` after the latest change, but no
  // later than `max_delay` after the first. 0 to a year each.
  Duration quiet = std::chrono::milliseconds(50);
  Duration max_delay = std::chrono::seconds(1);

  // A change is suspicious if more than this percentage of the weight of the
  // nodes that serve would be gone with it. 0 to 100.
  uint32_t max_drop_percent = 50;
  // Whether the same nodes, wanted a second time, confirm themselves: for
  // sources that are read again and again.
  bool confirm_by_repeat = false;
  // Whether there may be no node of a weight above 0.
  bool allow_empty = false;

  HealthUse health_use = HealthUse::kReweight;

  // Called with the ring of all wanted nodes, once it is to be published and
  // before anybody sees it: to write down its epoch, so that none falls over a
  // restart (SaveRing). Throws nothing but std::bad_alloc.
  std::function<void(const Ring&)> record;

  // Of the ring that served before a restart (Membership::epoch, base_digest):
  // what is older is refused. 0: there was none.
  uint64_t last_epoch = 0;
  Hash128 last_digest = {};
};

struct MembershipReport {
  // Of building and publishing. If it is not ok the old ring serves on: a ring
  // that lacked memory or a thread is tried again, one that was refused is
  // forgotten with the changes that made it.
  Status status;
  bool has_published = false;
  HealthReport health;
};

struct MembershipStats {
  uint64_t changes = 0;    // that were accepted: calls that changed something
  uint64_t refusals = 0;   // of changes and of rings
  uint64_t failures = 0;   // rings that lacked something, and are tried again
  uint64_t published = 0;  // rings, local ones included
  uint64_t published_local = 0;
};

// One thread at a time. Times are of a monotonic clock, counted from whenever;
// if it steps back, as none should, waits begin anew.
class Membership {
 public:
  using Duration = MembershipOptions::Duration;
  // Publishes a ring, as Router::Publish does: for programs that publish
  // something with it, or to more than one router. The options accept a remap
  // if the change was confirmed. Throws nothing but std::bad_alloc.
  using PublishRing = std::function<Status(Ring&&, const PublishOptions&)>;

  // `health` may be null, and must outlive the membership, which alone calls
  // its Track and Evaluate. kInvalidOptions, naming the option and its limits;
  // kOutOfMemory.
  CW_API static Result<Membership> Create(const MembershipOptions& options,
                                          PublishRing publish,
                                          HealthTracker* health = nullptr);
  // The same, publishing to `router`, which must outlive it.
  CW_API static Result<Membership> Create(const MembershipOptions& options,
                                          Router& router,
                                          HealthTracker* health = nullptr);
  CW_API Membership(Membership&&) noexcept;
  CW_API Membership& operator=(Membership&&) noexcept;
  CW_API ~Membership();

  // Takes note of the nodes that there should be, and of the ring's options. An
  // epoch of 0 becomes the next one if something has changed; the same members
  // again change nothing. All refusals leave what was wanted before:
  // kStaleEpoch below the newest epoch, kEpochConflict for it with other
  // content; kSuspiciousChange as max_drop_percent says, unless
  // `is_confirmed`; kBadMembers if no node has a weight; kInvalidOptions for a
  // scheme that is not clockwise-1 where weights follow health. kOutOfMemory.
  // What only a ring can tell, such as kRemapRefused, Step reports.
  CW_API Status Want(Members members, Duration now, bool is_confirmed = false);

  // The same of a ring that is built already, such as one from a ring file: it
  // is published with the slots that it has. kInvalidOptions for one that is
  // local.
  CW_API Status Want(const Ring& ring, Duration now, bool is_confirmed = false);

  // Single changes of what is wanted, under the next epoch. Refused as Want
  // and as RingBuilder's, and before the first Want with kInvalidOptions.
  // O(nodes).
  CW_API Status Add(const Node& node, Duration now);
  CW_API Status Update(const Node& node, Duration now,
                       bool is_confirmed = false);
  CW_API Status Remove(std::string_view id, Duration now,
                       bool is_confirmed = false);

  // Builds and publishes what is due, and evaluates health. To be called once
  // an interval of the tracker, and when Due() has come; more calls do no harm.
  // May throw std::bad_alloc while health is evaluated, and then has published
  // nothing.
  CW_API MembershipReport Step(Duration now);
  // When the changes that wait are to become a ring; nothing if none waits.
  [[nodiscard]] CW_API std::optional<Duration> Due() const noexcept;

  // The ring of all wanted nodes at full weight, as published last; null before
  // the first. What serves stands in for it while some node is at less.
  [[nodiscard]] CW_API const Ring* ring() const noexcept;
  // Of that ring, or as the options say before it; to be kept for a restart.
  [[nodiscard]] CW_API uint64_t epoch() const noexcept;
  [[nodiscard]] CW_API Hash128 base_digest() const noexcept;
  // RingView::local of what serves.
  [[nodiscard]] CW_API uint64_t local() const noexcept;
  [[nodiscard]] CW_API MembershipStats stats() const noexcept;

 private:
  struct Core;
  explicit Membership(std::unique_ptr<Core> core) noexcept;

  std::unique_ptr<Core> core_;
};

}  // namespace clockwise
