// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/health.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <new>
#include <optional>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/hash.h"
#include "control/health_window.h"

namespace clockwise {
namespace {

using Duration = HealthOptions::Duration;

// From this many intervals on, the time since the last evaluation is not
// believed.
constexpr int kMissedIntervals = 10;
constexpr HealthLevel kHalfLevel = 500;

constexpr std::string_view kStateNames[] = {"healthy", "half-drained",
                                            "ejected", "returning", "joining"};
constexpr std::string_view kReasonNames[] = {
    "consecutive failures", "failure rate", "slow", "still slow",
    "time served",          "recovered",    "added"};

Status Refuse(const std::string& name, int64_t value,
              const std::string& limits) {
  return {Code::kInvalidOptions,
          "health: " + name + " " + std::to_string(value) + "; " + limits};
}

Status CheckRange(const std::string& name, uint64_t value, uint64_t least,
                  uint64_t most) {
  if (value >= least && value <= most) return {};
  return Refuse(name, static_cast<int64_t>(value),
                std::to_string(least) + " to " + std::to_string(most));
}

Status CheckTime(const std::string& name, Duration time, Duration least) {
  // A year: sums of times must not overflow.
  constexpr Duration kMost = std::chrono::hours(24 * 366);
  if (time >= least && time <= kMost) return {};
  return Refuse(name, time.count(),
                "ns: " + std::to_string(least.count()) + " to a year");
}

Status Check(const HealthOptions& o) {
  constexpr Duration kNone = Duration::zero();
  constexpr uint64_t kMost = UINT32_MAX;
  for (const Status& status :
       {CheckTime("interval", o.interval, std::chrono::milliseconds(1)),
        CheckRange("window_intervals", o.window_intervals, 1,
                   kMaxWindowIntervals),
        CheckRange("failure_percent", o.failure_percent, 0, 100),
        CheckRange("min_requests", o.min_requests, 1, kMost),
        CheckRange("slow_percent", o.slow_percent == 0 ? 101 : o.slow_percent,
                   101, 1'000'000),
        CheckRange("max_ejected_percent", o.max_ejected_percent, 0, 100),
        CheckTime("cool_down", o.cool_down, kNone),
        CheckRange("panic_percent", o.panic_percent, 1, 100),
        CheckTime("ejection_time", o.ejection_time, kNone),
        CheckTime("max_ejection_time", o.max_ejection_time, o.ejection_time),
        CheckRange("jitter_percent", o.jitter_percent, 0, 100),
        CheckTime("slow_start", o.slow_start, kNone),
        CheckRange("first_level", o.first_level, 1, kFullLevel),
        CheckRange("max_slots", o.max_slots, 1, kMaxNodes)}) {
    if (!status.ok()) return status;
  }
  return {};
}

// A node as evaluations see it. Times are of the tracker's own clock.
struct Tracked {
  std::string id;  // empty: the slot is not tracked
  uint64_t weight = 0;
  HealthState state = HealthState::kHealthy;
  Duration since{};         // when the state began
  Duration until{};         // of an ejection
  Duration last_ejected{};  // or when a power was taken back
  uint32_t powers = 0;      // of the next ejection's time
  OutcomeWindow window;

  [[nodiscard]] bool is_there() const { return !id.empty(); }
};

// What a window says of a node.
struct Finding {
  std::optional<HealthReason> dead;
  bool is_slow = false;
};

// All nodes together. `taken` is in thousandths of thousandths.
struct Weighed {
  size_t nodes = 0;
  uint64_t all = 0;
  uint64_t taken = 0;
};

// What an evaluation works with; made before it begins, so that it cannot fail
// half way.
struct Scratch {
  explicit Scratch(size_t nodes) : findings(nodes), sums(nodes) {
    means.reserve(nodes);
  }
  std::vector<Finding> findings;
  std::vector<Outcomes> sums;
  std::vector<uint64_t> means;
};

}  // namespace

struct HealthTracker::Core {
  explicit Core(const HealthOptions& of)
      : options(of), counters(of.max_slots) {}

  [[nodiscard]] std::vector<Tracked> NodesOf(const Ring& ring) const;
  [[nodiscard]] HealthLevel LevelIn(const Tracked& node) const;
  [[nodiscard]] uint64_t TakenOf(const Tracked& node) const;
  [[nodiscard]] Weighed Weigh() const;
  [[nodiscard]] bool MayTake(const Tracked& node, HealthLevel level,
                             const Weighed& weighed) const;
  [[nodiscard]] Duration EjectionTime(const Tracked& node) const;
  bool AdvanceClock(Duration now);
  void Look(Scratch& scratch);
  [[nodiscard]] uint64_t SlowLimit(Scratch& scratch) const;
  [[nodiscard]] bool IsPanic(const std::vector<Finding>& findings) const;
  void Change(NodeIndex i, HealthState to, HealthReason reason,
              HealthReport& report);
  void Eject(NodeIndex i, HealthReason reason, HealthReport& report);
  void Return(NodeIndex i, Finding& finding, HealthReport& report);
  void Take(const std::vector<Finding>& findings, HealthReport& report);
  void Exchange(std::vector<Tracked>& others) noexcept;
  bool ShowLevels() noexcept;

  HealthOptions options;
  std::vector<OutcomeCounters> counters;
  std::vector<Tracked> nodes;
  bool is_first = true;  // nothing was tracked yet
  // What the latest Track took the place of; nothing if it was taken back.
  std::optional<std::vector<Tracked>> before;
  bool was_first = true;
  std::optional<Duration> last;  // the caller's clock, at the last evaluation
  Duration clock{};              // its own: time that it believes in
  std::optional<Duration> taken_at;  // when a node was last taken
};

HealthLevel HealthTracker::Core::LevelIn(const Tracked& node) const {
  switch (node.state) {
    case HealthState::kHealthy:
      return kFullLevel;
    case HealthState::kHalfDrained:
      return kHalfLevel;
    case HealthState::kEjected:
      return 0;
    case HealthState::kReturning:
    case HealthState::kJoining:
      break;
  }
  const Duration whole = options.slow_start;
  const Duration passed = clock - node.since;
  if (passed >= whole) return kFullLevel;
  const uint64_t rise = kFullLevel - options.first_level;
  // Milliseconds, so that the product stays far within 64 bits.
  const auto part =
      static_cast<uint64_t>(passed / std::chrono::milliseconds(1));
  const auto all = static_cast<uint64_t>(whole / std::chrono::milliseconds(1));
  return options.first_level +
         static_cast<HealthLevel>(all == 0 ? 0 : rise * part / all);
}

// What returns counts as what it still lacks; what joins was never there.
uint64_t HealthTracker::Core::TakenOf(const Tracked& node) const {
  if (node.state == HealthState::kJoining) return 0;
  return node.weight * (kFullLevel - LevelIn(node));
}

Weighed HealthTracker::Core::Weigh() const {
  Weighed weighed;
  for (const Tracked& node : nodes) {
    if (!node.is_there()) continue;
    ++weighed.nodes;
    weighed.all += node.weight;
    weighed.taken += TakenOf(node);
  }
  return weighed;
}

// Whether all that is taken is within the share with the node at `level`.
bool HealthTracker::Core::MayTake(const Tracked& node, HealthLevel level,
                                  const Weighed& weighed) const {
  if (weighed.nodes < 2 || options.max_ejected_percent == 0) return false;
  const uint64_t others = weighed.taken - TakenOf(node);
  if (others == 0) return true;
  // Weights are at most 10^9, nodes 2^20: 60 bits with a level, so the
  // percentages take more than 64.
  __extension__ using Wide = unsigned __int128;
  const Wide after = Wide{others} + node.weight * (kFullLevel - level);
  return after * 100 <=
         Wide{weighed.all} * kFullLevel * options.max_ejected_percent;
}

Duration HealthTracker::Core::EjectionTime(const Tracked& node) const {
  Duration time = options.ejection_time;
  for (uint32_t i = 0; i < node.powers && time < options.max_ejection_time;
       ++i) {
    time *= 2;
  }
  time = std::min(time, options.max_ejection_time);
  const uint64_t drawn =
      Fmix64(options.seed ^ Xxh3_64(node.id, node.powers)) % 1024;
  const auto most = time / 100 * options.jitter_percent;
  return time + most / 1024 * static_cast<int64_t>(drawn);
}

// Returns whether an interval has passed.
bool HealthTracker::Core::AdvanceClock(Duration now) {
  if (!last) {
    last = now;
    return false;
  }
  // Differences of two clock readings may overflow where steps are absurd.
  if (now <= *last) {
    last = now;
    return false;
  }
  const auto passed =
      static_cast<uint64_t>(now.count()) - static_cast<uint64_t>(last->count());
  const auto interval = static_cast<uint64_t>(options.interval.count());
  if (passed < interval) return false;
  last = now;
  clock += passed >= kMissedIntervals * interval
               ? options.interval
               : Duration(static_cast<int64_t>(passed));
  return true;
}

// The mean latency from which a node is slow; none: UINT64_MAX.
uint64_t HealthTracker::Core::SlowLimit(Scratch& scratch) const {
  constexpr size_t kLeast = 3;
  std::vector<uint64_t>& means = scratch.means;
  for (const Outcomes& sum : scratch.sums) {
    if (sum.successes < options.min_requests) continue;
    means.push_back(sum.latency / sum.successes);
  }
  if (options.slow_percent == 0 || means.size() < kLeast) return UINT64_MAX;
  const auto middle =
      means.begin() + static_cast<ptrdiff_t>((means.size() - 1) / 2);
  std::nth_element(means.begin(), middle, means.end());
  // At most an hour times a million per cent: 2^62.
  return std::max<uint64_t>(*middle * options.slow_percent / 100, 1);
}

// Moves what was told into the windows, and says what they show.
void HealthTracker::Core::Look(Scratch& scratch) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_there()) continue;
    nodes[i].window.Add(counters[i].Take());
    const Outcomes& sum = scratch.sums[i] = nodes[i].window.Sum();
    const uint64_t requests = sum.successes + sum.failures;
    std::optional<HealthReason>& dead = scratch.findings[i].dead;
    if (counters[i].TakeTripped(options.consecutive_failures)) {
      dead = HealthReason::kConsecutiveFailures;
    } else if (options.failure_percent != 0 &&
               requests >= options.min_requests &&
               sum.failures * 100 >= requests * options.failure_percent) {
      dead = HealthReason::kFailureRate;
    }
  }
  const uint64_t limit = SlowLimit(scratch);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Outcomes& sum = scratch.sums[i];
    scratch.findings[i].is_slow = sum.successes >= options.min_requests &&
                                  sum.latency / sum.successes >= limit;
  }
}

// Nodes that are dead now, and those that are ejected already.
bool HealthTracker::Core::IsPanic(const std::vector<Finding>& findings) const {
  uint64_t dead = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const bool is_dead =
        findings[i].dead || nodes[i].state == HealthState::kEjected;
    if (nodes[i].is_there() && is_dead) dead += nodes[i].weight;
  }
  return dead * 100 > Weigh().all * options.panic_percent;
}

void HealthTracker::Core::Change(NodeIndex i, HealthState to,
                                 HealthReason reason, HealthReport& report) {
  Tracked& node = nodes[i];
  const HealthState from = std::exchange(node.state, to);
  node.since = clock;
  report.events.push_back({i, node.id, from, to, reason, LevelIn(node)});
}

void HealthTracker::Core::Eject(NodeIndex i, HealthReason reason,
                                HealthReport& report) {
  Tracked& node = nodes[i];
  node.until = clock + EjectionTime(node);
  node.last_ejected = clock;
  if (node.powers < 32) ++node.powers;
  Change(i, HealthState::kEjected, reason, report);
  // What it did before must not eject it again when it is back.
  node.window.Forget();
  taken_at = clock;
}

// What time and good conduct bring back.
void HealthTracker::Core::Return(NodeIndex i, Finding& finding,
                                 HealthReport& report) {
  Tracked& node = nodes[i];
  const bool has_served = clock >= node.until;
  if (node.state == HealthState::kEjected && has_served) {
    // It is judged by what it does from now on.
    counters[i].Forget();
    node.window.Forget();
    finding = {};
    Change(i, HealthState::kReturning, HealthReason::kTimeServed, report);
  } else if (node.state == HealthState::kHalfDrained && !finding.is_slow) {
    Change(i, HealthState::kReturning, HealthReason::kRecovered, report);
    // It had half already.
    const uint32_t rise = kFullLevel - options.first_level;
    const uint32_t done =
        kHalfLevel > options.first_level ? kHalfLevel - options.first_level : 0;
    if (rise != 0) node.since -= options.slow_start / rise * done;
  }
  const bool is_rising = node.state == HealthState::kReturning ||
                         node.state == HealthState::kJoining;
  if (is_rising && LevelIn(node) == kFullLevel) {
    Change(i, HealthState::kHealthy, HealthReason::kRecovered, report);
  }
  if (node.powers != 0 && node.state != HealthState::kEjected &&
      clock - node.last_ejected >= options.max_ejection_time) {
    --node.powers;
    node.last_ejected = clock;
  }
}

// Takes one node at most: the dead before the slow, by slot.
void HealthTracker::Core::Take(const std::vector<Finding>& findings,
                               HealthReport& report) {
  if (taken_at && clock - *taken_at < options.cool_down) return;
  const Weighed weighed = Weigh();
  const auto for_each = [&](auto f) {
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
      if (nodes[i].is_there() && nodes[i].state != HealthState::kEjected &&
          f(i)) {
        return true;
      }
    }
    return false;
  };
  if (for_each([&](NodeIndex i) {
        if (!findings[i].dead || !MayTake(nodes[i], 0, weighed)) return false;
        Eject(i, *findings[i].dead, report);
        return true;
      })) {
    return;
  }
  for_each([&](NodeIndex i) {
    if (!findings[i].is_slow) return false;
    if (nodes[i].state == HealthState::kHalfDrained) {
      const Duration window = options.interval * options.window_intervals;
      if (clock - nodes[i].since < window || !MayTake(nodes[i], 0, weighed)) {
        return false;
      }
      Eject(i, HealthReason::kStillSlow, report);
      return true;
    }
    const bool has_more = LevelIn(nodes[i]) > kHalfLevel;
    if (!has_more || !MayTake(nodes[i], kHalfLevel, weighed)) return false;
    Change(i, HealthState::kHalfDrained, HealthReason::kSlow, report);
    taken_at = clock;
    return true;
  });
}

// Shows levels to the threads that ask for them.
bool HealthTracker::Core::ShowLevels() noexcept {
  bool has_changed = false;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_there()) continue;
    const HealthLevel level = LevelIn(nodes[i]);
    if (counters[i].level() == level) continue;
    counters[i].set_level(level);
    has_changed = true;
  }
  return has_changed;
}

// The nodes of a ring, by slot; those that there were as they were.
std::vector<Tracked> HealthTracker::Core::NodesOf(const Ring& ring) const {
  std::map<std::string_view, const Tracked*> known;
  for (const Tracked& node : nodes) {
    if (node.is_there()) known.emplace(node.id, &node);
  }
  std::vector<Tracked> after(ring.slot_count());
  for (NodeIndex slot = 0; slot < ring.slot_count(); ++slot) {
    const NodeView view = ring.node(slot);
    if (view.id.empty() || view.points == 0) continue;
    Tracked& node = after[slot];
    if (const auto was = known.find(view.id); was != known.end()) {
      node = *was->second;
    } else {
      node.id = view.id;
      node.since = clock;
      node.window = OutcomeWindow(options.window_intervals);
      if (!is_first) node.state = HealthState::kJoining;
    }
    node.weight = view.weight.thousandths();
  }
  return after;
}

// Outcomes of a slot are its node's: where another is in it now, those told so
// far are nobody's.
void HealthTracker::Core::Exchange(std::vector<Tracked>& others) noexcept {
  nodes.swap(others);
  for (size_t i = 0; i < counters.size(); ++i) {
    const auto id_in = [i](const std::vector<Tracked>& of) {
      return i < of.size() ? std::string_view(of[i].id) : std::string_view();
    };
    if (id_in(others) == id_in(nodes)) continue;
    counters[i].Forget();
    if (id_in(nodes).empty()) counters[i].set_level(kFullLevel);
  }
  ShowLevels();
}

std::string_view HealthStateName(HealthState state) noexcept {
  const auto i = static_cast<size_t>(state);
  return i < std::size(kStateNames) ? kStateNames[i] : "unknown";
}

std::string_view HealthReasonName(HealthReason reason) noexcept {
  const auto i = static_cast<size_t>(reason);
  return i < std::size(kReasonNames) ? kReasonNames[i] : "unknown";
}

HealthTracker::HealthTracker(std::unique_ptr<Core> core) noexcept
    : core_(std::move(core)) {}
HealthTracker::HealthTracker(HealthTracker&&) noexcept = default;
HealthTracker& HealthTracker::operator=(HealthTracker&&) noexcept = default;
HealthTracker::~HealthTracker() = default;

Result<HealthTracker> HealthTracker::Create(const HealthOptions& options) try {
  if (Status refused = Check(options); !refused.ok()) return refused;
  return HealthTracker(std::make_unique<Core>(options));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status HealthTracker::Track(const Ring& ring) try {
  if (ring.slot_count() > core_->options.max_slots) {
    return {Code::kTooManyNodes,
            "health: a ring of " + std::to_string(ring.slot_count()) +
                " slots; at most " + std::to_string(core_->options.max_slots) +
                " (max_slots)"};
  }
  std::vector<Tracked> nodes = core_->NodesOf(ring);
  // Nothing throws from here on.
  core_->Exchange(nodes);
  core_->before = std::move(nodes);
  core_->was_first = std::exchange(core_->is_first, false);
  return {};
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void HealthTracker::Untrack() noexcept {
  if (!core_->before) return;
  core_->Exchange(*core_->before);
  core_->before.reset();
  core_->is_first = core_->was_first;
}

void HealthTracker::Succeeded(NodeIndex node,
                              std::chrono::nanoseconds latency) noexcept {
  if (node >= core_->counters.size()) return;
  core_->counters[node].Succeed(latency.count());
}

void HealthTracker::Failed(NodeIndex node) noexcept {
  if (node >= core_->counters.size()) return;
  core_->counters[node].Fail(core_->options.consecutive_failures);
}

HealthReport HealthTracker::Evaluate(std::chrono::nanoseconds now) {
  Core& core = *core_;
  HealthReport report;
  // A node returns and is whole again, and one is taken.
  report.events.reserve(2 * core.nodes.size() + 1);
  Scratch scratch(core.nodes.size());
  if (!core.AdvanceClock(now)) return report;
  core.Look(scratch);
  report.is_panic = core.IsPanic(scratch.findings);
  for (NodeIndex i = 0; i < core.nodes.size(); ++i) {
    if (!core.nodes[i].is_there()) continue;
    core.Return(i, scratch.findings[i], report);
  }
  if (!report.is_panic) core.Take(scratch.findings, report);
  report.has_changed = core.ShowLevels();
  return report;
}

HealthLevel HealthTracker::LevelOf(NodeIndex node) const noexcept {
  return node < core_->counters.size() ? core_->counters[node].level()
                                       : kFullLevel;
}

bool HealthTracker::IsEjected(NodeIndex node) const noexcept {
  return LevelOf(node) == 0;
}

HealthState HealthTracker::StateOf(NodeIndex node) const noexcept {
  return node < core_->nodes.size() ? core_->nodes[node].state
                                    : HealthState::kHealthy;
}

}  // namespace clockwise
