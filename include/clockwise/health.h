// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Which nodes should get less, or nothing, for now. A tracker is told the
// outcomes of requests by the threads that make them, and decides once an
// interval: it ejects a node that fails, takes half of what a slow one has, and
// lets both come back step by step. It sends nothing itself and owns no thread
// and no clock.
//
// The rules are those of outlier detection in proxies (Envoy's: consecutive
// failures, failure rate, ejection time that grows, a largest share), made
// exact: shares are of weight, in integers, and counted after the ejection.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// What a node gets of its weight, in thousandths: 1000 is all, 0 nothing.
using HealthLevel = uint32_t;
inline constexpr HealthLevel kFullLevel = 1000;

enum class HealthState : uint8_t {
  kHealthy = 0,      // level 1000
  kHalfDrained = 1,  // 500: it answers, but slowly
  kEjected = 2,      // 0
  kReturning = 3,    // rises to 1000 after an ejection or a half-drain
  kJoining = 4,      // the same of a node that is new
};
// "healthy", "half-drained" …
CW_API std::string_view HealthStateName(HealthState state) noexcept;

// Why a node's state changed.
enum class HealthReason : uint8_t {
  kConsecutiveFailures = 0,
  kFailureRate = 1,
  kSlow = 2,
  kStillSlow = 3,  // half-drained for a window, and no better
  kTimeServed = 4,
  kRecovered = 5,  // no longer slow, or at full level again
  kAdded = 6,
};
CW_API std::string_view HealthReasonName(HealthReason reason) noexcept;

struct HealthOptions {
  using Duration = std::chrono::nanoseconds;

  // How often Evaluate is to be called, and what it looks back on: whole
  // intervals, 1 to 64.
  Duration interval = std::chrono::seconds(1);
  uint32_t window_intervals = 10;

  // Dead: this many failures in a row, with no success in between; or this
  // percentage of failures, of at least `min_requests` in the window. 0: off.
  uint32_t consecutive_failures = 5;
  uint32_t failure_percent = 50;
  uint32_t min_requests = 20;
  // Slow: a mean latency in the window of this percentage of the median node's
  // mean, or more; of nodes with `min_requests` successes, if there are three
  // of them at least. Above 100; 0: off.
  uint32_t slow_percent = 300;

  // Weight that ejections and half-drains may take together, of all, counted
  // after each; the first node may be taken whatever it weighs, unless it is
  // the only one. 0 to 100.
  uint32_t max_ejected_percent = 10;
  // From one node that is taken to the next.
  Duration cool_down = std::chrono::seconds(1);
  // Panic: where nodes that are dead, and those that are ejected, have more of
  // all weight than this, the fault is elsewhere: none is taken until they have
  // no more. 1 to 100.
  uint32_t panic_percent = 50;

  // An ejection lasts `ejection_time` times two to the power of how often the
  // node was ejected before, up to `max_ejection_time`, and up to
  // `jitter_percent` more, drawn from `seed`. Each `max_ejection_time` without
  // one takes a power back.
  Duration ejection_time = std::chrono::seconds(30);
  Duration max_ejection_time = std::chrono::minutes(5);
  uint32_t jitter_percent = 10;  // 0 to 100
  uint64_t seed = 0;

  // Time from the first level to the full one, 0: at once; and that first
  // level, 1 to 1000. For nodes that return and for nodes that join.
  Duration slow_start = std::chrono::seconds(30);
  HealthLevel first_level = 100;

  // The most slots of a ring that can be tracked: 64 bytes each, at once.
  uint32_t max_slots = 1024;
};

struct HealthEvent {
  NodeIndex node;
  std::string_view id;  // valid until the next Track but one
  HealthState from;
  HealthState to;
  HealthReason reason;
  HealthLevel level;  // from now on
};

struct HealthReport {
  std::vector<HealthEvent> events;  // in the order in which they came about
  bool is_panic = false;
  // Whether levels have changed, of returning nodes too.
  bool has_changed = false;
};

// Threads: any may call Succeeded, Failed, LevelOf and IsEjected, at once with
// all else; these are wait-free, allocate nothing, and touch one cache line,
// the node's own. Track, Untrack and Evaluate are for one thread at a time.
// Slots of max_slots and above are passed over: they are at full level.
class HealthTracker {
 public:
  // kInvalidOptions, naming the option and its limits; kOutOfMemory.
  CW_API static Result<HealthTracker> Create(const HealthOptions& options = {});
  CW_API HealthTracker(HealthTracker&&) noexcept;
  CW_API HealthTracker& operator=(HealthTracker&&) noexcept;
  CW_API ~HealthTracker();

  // Takes over the nodes of a ring: those that it had before, by id, keep their
  // state; others begin, joining unless this is the first call; what is gone is
  // forgotten. Nodes without points are not tracked. kTooManyNodes
  // above max_slots, and then nothing has changed. To be called before the ring
  // is published.
  CW_API Status Track(const Ring& ring);
  // Takes the latest Track back, for a ring that was refused after all: nodes
  // and their states are as they were before it. Does nothing the second time.
  CW_API void Untrack() noexcept;

  // Tells that a request to the node succeeded, and how long it took (below 0
  // counts as 0, above an hour as an hour); or that it failed: an error of the
  // node, a time-out, no connection; not what its client did wrong.
  CW_API void Succeeded(NodeIndex node,
                        std::chrono::nanoseconds latency) noexcept;
  CW_API void Failed(NodeIndex node) noexcept;

  // Decides on what it was told since the last call, once an interval. `now` is
  // of a monotonic clock, counted from whenever. A call after less than an
  // interval changes nothing. One with a time before the last one's, which no
  // such clock gives, does neither, but later ones count from there. However
  // long the last call is ago, from ten intervals on it counts as one interval:
  // a machine that slept has not served anybody's time. May throw
  // std::bad_alloc, and then has decided nothing. O(nodes).
  CW_API HealthReport Evaluate(std::chrono::nanoseconds now);

  // What the node gets of its weight: for rings whose weights follow health.
  [[nodiscard]] CW_API HealthLevel LevelOf(NodeIndex node) const noexcept;
  // Whether that is nothing: for walks that pass over nodes of a ring that
  // stays as it is, so that no key of others moves.
  [[nodiscard]] CW_API bool IsEjected(NodeIndex node) const noexcept;
  // kHealthy of slots that are not tracked. For the thread of Evaluate.
  [[nodiscard]] CW_API HealthState StateOf(NodeIndex node) const noexcept;

 private:
  struct Core;
  explicit HealthTracker(std::unique_ptr<Core> core) noexcept;

  std::unique_ptr<Core> core_;
};

}  // namespace clockwise
