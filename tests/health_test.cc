// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Health in virtual time: what is decided, when, and what never may be.
#include "clockwise/health.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "ring_maker.h"

namespace clockwise {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

Ring RingOf(int nodes, std::vector<uint32_t> weights = {}) {
  std::vector<Node> all;
  for (int i = 0; i < nodes; ++i) {
    all.push_back(MakeNode("node-" + std::to_string(100 + i)));
    if (!weights.empty()) {
      all.back().weight = Weight::Whole(weights[static_cast<size_t>(i)]);
    }
  }
  RingOptions options;
  options.vnodes = 4;
  return MakeRing(options, all);
}

// A tracker with a clock, which moves as the test says.
class Clinic {
 public:
  explicit Clinic(const HealthOptions& options, int nodes = 10)
      : options_(options),
        tracker_(std::move(HealthTracker::Create(options)).value()) {
    EXPECT_TRUE(tracker_.Track(RingOf(nodes)).ok());
    tracker_.Evaluate(now_);
  }

  HealthTracker& tracker() { return tracker_; }
  HealthReport Next(nanoseconds step = seconds(1)) {
    now_ += step;
    return tracker_.Evaluate(now_);
  }
  // Runs until the node is in the state, at most `most` intervals.
  int IntervalsUntil(NodeIndex node, HealthState state, int most = 10'000) {
    for (int i = 0; i <= most; ++i) {
      if (tracker_.StateOf(node) == state) return i;
      Next();
    }
    return -1;
  }
  void Fail(NodeIndex node, int times) {
    for (int i = 0; i < times; ++i) tracker_.Failed(node);
  }
  void Succeed(NodeIndex node, int times, nanoseconds latency) {
    for (int i = 0; i < times; ++i) tracker_.Succeeded(node, latency);
  }

 private:
  HealthOptions options_;
  HealthTracker tracker_;
  nanoseconds now_ = hours(24 * 365 * 3);
};

TEST(HealthTest, ARunOfFailuresEjects) {
  Clinic clinic({});
  clinic.Fail(3, 4);
  clinic.tracker().Succeeded(3, milliseconds(1));
  clinic.Fail(3, 4);
  EXPECT_TRUE(clinic.Next().events.empty());
  clinic.tracker().Failed(3);
  const HealthReport report = clinic.Next();
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].node, 3u);
  EXPECT_EQ(report.events[0].id, "node-103");
  EXPECT_EQ(report.events[0].to, HealthState::kEjected);
  EXPECT_EQ(report.events[0].reason, HealthReason::kConsecutiveFailures);
  EXPECT_TRUE(report.has_changed);
  EXPECT_TRUE(clinic.tracker().IsEjected(3));
  EXPECT_EQ(clinic.tracker().LevelOf(3), 0u);
  EXPECT_FALSE(clinic.tracker().IsEjected(4));
}

// A run that ended before anybody looked was one all the same.
TEST(HealthTest, ARunCountsThoughASuccessFollows) {
  Clinic clinic({});
  clinic.Fail(3, 5);
  clinic.tracker().Succeeded(3, milliseconds(1));
  EXPECT_EQ(clinic.Next().events.size(), 1u);
}

TEST(HealthTest, AFailureRateEjects) {
  HealthOptions options;
  options.consecutive_failures = 0;
  Clinic clinic(options);
  for (int i = 0; i < 19; ++i) {
    i % 2 == 0 ? clinic.Fail(3, 1) : clinic.Succeed(3, 1, milliseconds(1));
  }
  EXPECT_TRUE(clinic.Next().events.empty());  // too few
  clinic.Fail(3, 1);
  const HealthReport report = clinic.Next();
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].reason, HealthReason::kFailureRate);
}

TEST(HealthTest, OldFailuresAreForgotten) {
  HealthOptions options;
  options.consecutive_failures = 0;
  options.window_intervals = 3;
  Clinic clinic(options);
  clinic.Fail(3, 19);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(clinic.Next().events.empty());
  clinic.Fail(3, 1);
  clinic.Succeed(3, 19, milliseconds(1));
  EXPECT_TRUE(clinic.Next().events.empty());
}

TEST(HealthTest, ASlowNodeKeepsHalfAndADeadOneNothing) {
  Clinic clinic({});
  for (NodeIndex node = 0; node < 10; ++node) {
    clinic.Succeed(node, 20, milliseconds(node == 4 ? 31 : 10));
  }
  const HealthReport report = clinic.Next();
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].node, 4u);
  EXPECT_EQ(report.events[0].reason, HealthReason::kSlow);
  EXPECT_EQ(clinic.tracker().LevelOf(4), 500u);
  // Its window ends, and it comes back from there.
  const int intervals = clinic.IntervalsUntil(4, HealthState::kReturning);
  EXPECT_EQ(intervals, 10);
  EXPECT_GE(clinic.tracker().LevelOf(4), 490u);
  EXPECT_GE(clinic.IntervalsUntil(4, HealthState::kHealthy), 1);
  EXPECT_EQ(clinic.tracker().LevelOf(4), 1000u);
}

TEST(HealthTest, ANodeThatStaysSlowIsEjected) {
  Clinic clinic({});
  HealthReport report;
  for (int i = 0; i < 30 && !clinic.tracker().IsEjected(4); ++i) {
    for (NodeIndex node = 0; node < 10; ++node) {
      clinic.Succeed(node, 20, milliseconds(node == 4 ? 100 : 10));
    }
    report = clinic.Next();
  }
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].from, HealthState::kHalfDrained);
  EXPECT_EQ(report.events[0].reason, HealthReason::kStillSlow);
}

TEST(HealthTest, AllSlowTogetherAreNotSlow) {
  Clinic clinic({});
  for (NodeIndex node = 0; node < 10; ++node) {
    clinic.Succeed(node, 20, seconds(2));
  }
  EXPECT_TRUE(clinic.Next().events.empty());
}

// The share is counted after the ejection, in weight, and whole.
TEST(HealthTest, EjectionsStayWithinTheirShare) {
  HealthOptions options;
  options.max_ejected_percent = 20;
  options.cool_down = nanoseconds(0);
  options.panic_percent = 100;
  Clinic clinic(options);
  for (int i = 0; i < 20; ++i) {
    for (NodeIndex node = 0; node < 4; ++node) clinic.Fail(node, 5);
    clinic.Next();
  }
  int ejected = 0;
  for (NodeIndex node = 0; node < 10; ++node) {
    ejected += clinic.tracker().IsEjected(node) ? 1 : 0;
  }
  EXPECT_EQ(ejected, 2);  // 20 % of ten, not a third node
}

TEST(HealthTest, TheFirstMayBeTakenWhateverItWeighsButNotTheOnlyOne) {
  HealthTracker tracker =
      std::move(HealthTracker::Create({.panic_percent = 100})).value();
  ASSERT_TRUE(tracker.Track(RingOf(2, {9, 1})).ok());
  tracker.Evaluate(seconds(1));
  for (int i = 0; i < 5; ++i) tracker.Failed(0);
  EXPECT_EQ(tracker.Evaluate(seconds(2)).events.size(), 1u);
  for (int i = 0; i < 5; ++i) tracker.Failed(1);
  EXPECT_TRUE(tracker.Evaluate(seconds(4)).events.empty());

  HealthTracker alone = std::move(HealthTracker::Create({})).value();
  ASSERT_TRUE(alone.Track(RingOf(1)).ok());
  alone.Evaluate(seconds(1));
  for (int i = 0; i < 5; ++i) alone.Failed(0);
  EXPECT_TRUE(alone.Evaluate(seconds(2)).events.empty());
}

TEST(HealthTest, OneNodeACoolDown) {
  HealthOptions options;
  options.max_ejected_percent = 100;
  options.panic_percent = 100;
  options.cool_down = seconds(5);
  Clinic clinic(options);
  for (NodeIndex node = 0; node < 3; ++node) clinic.Fail(node, 5);
  std::vector<int> at;
  for (int i = 0; i < 20; ++i) {
    for (const HealthEvent& event : clinic.Next().events) {
      if (event.to == HealthState::kEjected) at.push_back(i);
    }
  }
  EXPECT_EQ(at, (std::vector<int>{0, 5, 10}));
}

TEST(HealthTest, PanicTakesNobody) {
  HealthOptions options;
  options.max_ejected_percent = 100;
  Clinic clinic(options);
  for (NodeIndex node = 0; node < 6; ++node) clinic.Fail(node, 5);
  HealthReport report = clinic.Next();
  EXPECT_TRUE(report.is_panic);
  EXPECT_TRUE(report.events.empty());
  // The others recover, and the one that does not is taken then.
  for (NodeIndex node = 1; node < 6; ++node) {
    clinic.Succeed(node, 100, milliseconds(1));
  }
  report = clinic.Next();
  EXPECT_FALSE(report.is_panic);
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].node, 0u);
}

TEST(HealthTest, EjectionsGrowWithJitterAndAreForgivenInTime) {
  HealthOptions options;
  options.slow_start = nanoseconds(0);
  options.first_level = 1000;
  Clinic clinic(options);
  std::vector<int> times;
  for (int i = 0; i < 6; ++i) {
    clinic.Fail(3, 5);
    ASSERT_GE(clinic.IntervalsUntil(3, HealthState::kEjected, 3), 0);
    times.push_back(clinic.IntervalsUntil(3, HealthState::kHealthy));
  }
  int least = 30;
  for (int time : times) {
    EXPECT_GE(time, least);
    EXPECT_LE(time, least * 11 / 10 + 1);
    least = std::min(2 * least, 300);
  }
  for (int i = 0; i < 6 * 301; ++i) clinic.Next();
  clinic.Fail(3, 5);
  ASSERT_GE(clinic.IntervalsUntil(3, HealthState::kEjected, 3), 0);
  EXPECT_LE(clinic.IntervalsUntil(3, HealthState::kHealthy), 34);
}

TEST(HealthTest, NodesReturnAndJoinStepByStep) {
  Clinic clinic({});
  clinic.Fail(3, 5);
  clinic.Next();
  clinic.IntervalsUntil(3, HealthState::kReturning);
  HealthLevel last = clinic.tracker().LevelOf(3);
  EXPECT_EQ(last, 100u);
  int steps = 0;
  while (clinic.tracker().StateOf(3) == HealthState::kReturning) {
    const HealthReport report = clinic.Next();
    EXPECT_TRUE(report.has_changed);
    EXPECT_GT(clinic.tracker().LevelOf(3), last);
    last = clinic.tracker().LevelOf(3);
    ++steps;
  }
  EXPECT_EQ(steps, 30);
  EXPECT_EQ(last, 1000u);

  ASSERT_TRUE(clinic.tracker().Track(RingOf(11)).ok());
  EXPECT_EQ(clinic.tracker().StateOf(10), HealthState::kJoining);
  EXPECT_EQ(clinic.tracker().LevelOf(10), 100u);
  EXPECT_EQ(clinic.IntervalsUntil(10, HealthState::kHealthy), 30);
}

// A bug of others: state by place in the list, so that a node that came to the
// place of an ejected one was ejected too.
TEST(HealthTest, StateFollowsTheIdNotTheSlot) {
  Clinic clinic({});
  clinic.Fail(3, 5);
  clinic.Next();
  ASSERT_TRUE(clinic.tracker().IsEjected(3));
  // Without node-100 all others move down a slot in a ring built afresh.
  std::vector<Node> nodes;
  for (int i = 1; i < 10; ++i) {
    nodes.push_back(MakeNode("node-" + std::to_string(100 + i)));
  }
  ASSERT_TRUE(clinic.tracker().Track(MakeRing(RingOptions(), nodes)).ok());
  EXPECT_FALSE(clinic.tracker().IsEjected(3));
  EXPECT_TRUE(clinic.tracker().IsEjected(2));
  EXPECT_EQ(clinic.tracker().StateOf(2), HealthState::kEjected);
  EXPECT_EQ(clinic.tracker().LevelOf(9), 1000u);  // gone
}

// HAProxy 09bf11624, 9c21ff020: a wall clock in health. Here a machine that
// slept, and clocks that step, end no ejection and stop nothing.
TEST(HealthTest, ClockJumpsAndSuspends) {
  Clinic clinic({});
  clinic.Fail(3, 5);
  clinic.Next();
  ASSERT_TRUE(clinic.tracker().IsEjected(3));
  for (const nanoseconds jump :
       {nanoseconds(hours(24 * 3652)), nanoseconds(-hours(24 * 3652)),
        nanoseconds(hours(24 * 3652)), nanoseconds(seconds(11))}) {
    clinic.Next(jump);
    EXPECT_TRUE(clinic.tracker().IsEjected(3));
  }
  const int left = clinic.IntervalsUntil(3, HealthState::kReturning);
  EXPECT_GE(left, 30 - 4);
  EXPECT_LE(left, 34);
  // Steps within reason count as they are.
  clinic.IntervalsUntil(3, HealthState::kHealthy);
  clinic.Fail(3, 5);
  clinic.Next();
  for (int i = 0; i < 14; ++i) clinic.Next(seconds(5));
  EXPECT_FALSE(clinic.tracker().IsEjected(3));
}

TEST(HealthTest, CallsWithinAnIntervalChangeNothing) {
  Clinic clinic({});
  clinic.Fail(3, 5);
  for (int i = 0; i < 9; ++i) {
    EXPECT_TRUE(clinic.Next(milliseconds(100)).events.empty());
  }
  EXPECT_EQ(clinic.Next(milliseconds(100)).events.size(), 1u);
}

TEST(HealthTest, OptionsAreHeldToTheirLimits) {
  const auto refusal = [](auto change) {
    HealthOptions options;
    change(options);
    return std::string(HealthTracker::Create(options).status().message());
  };
  EXPECT_EQ(refusal([](auto& o) { o.window_intervals = 65; }),
            "health: window_intervals 65; 1 to 64");
  EXPECT_EQ(refusal([](auto& o) { o.slow_percent = 100; }),
            "health: slow_percent 100; 101 to 1000000");
  EXPECT_EQ(refusal([](auto& o) { o.interval = nanoseconds(5); }),
            "health: interval 5; ns: 1000000 to a year");
  EXPECT_EQ(refusal([](auto& o) { o.max_ejection_time = seconds(1); }),
            "health: max_ejection_time 1000000000; ns: 30000000000 to a year");
  EXPECT_EQ(refusal([](auto& o) { o.first_level = 0; }),
            "health: first_level 0; 1 to 1000");
  EXPECT_EQ(refusal([](auto& o) { o.max_slots = 0; }),
            "health: max_slots 0; 1 to 1048576");
  HealthTracker small =
      std::move(HealthTracker::Create({.max_slots = 2})).value();
  EXPECT_EQ(small.Track(RingOf(3)).message(),
            "health: a ring of 3 slots; at most 2 (max_slots)");
  small.Failed(2);
  small.Succeeded(kNoNode, seconds(1));
  EXPECT_EQ(small.LevelOf(2), 1000u);
  EXPECT_EQ(HealthStateName(HealthState::kHalfDrained), "half-drained");
  EXPECT_EQ(HealthReasonName(HealthReason::kTimeServed), "time served");
}

TEST(HealthTest, LatenciesBeyondReasonAreCut) {
  Clinic clinic({});
  for (NodeIndex node = 0; node < 10; ++node) {
    clinic.Succeed(node, 20, node == 1 ? nanoseconds::max() : milliseconds(1));
    if (node != 1) clinic.Succeed(node, 1, nanoseconds::min());
  }
  const HealthReport report = clinic.Next();
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].node, 1u);
}

// Nodes that flap, die and slow down together, with clocks that step: in all of
// it the rules hold, and the same seed gives the same history.
struct History {
  uint64_t digest = 0;
  int ejections = 0;
  int panics = 0;
};

History Live(uint64_t seed, int intervals) {
  HealthOptions options;
  options.max_ejected_percent = 25;
  options.cool_down = seconds(3);
  options.seed = seed;
  HealthTracker tracker = std::move(HealthTracker::Create(options)).value();
  std::mt19937_64 random(seed);
  const int nodes = 3 + static_cast<int>(random() % 10);
  std::vector<uint32_t> weights;
  uint64_t all = 0;
  for (int i = 0; i < nodes; ++i) {
    weights.push_back(1 + static_cast<uint32_t>(random() % 4));
    all += weights.back() * 1000;
  }
  EXPECT_TRUE(tracker.Track(RingOf(nodes, weights)).ok());
  std::vector<int> illness(static_cast<size_t>(nodes));
  nanoseconds now{};
  History history;
  int since_taken = 1000;
  for (int t = 0; t < intervals; ++t) {
    for (NodeIndex node = 0; node < illness.size(); ++node) {
      if (random() % 50 == 0) illness[node] = static_cast<int>(random() % 3);
      if (random() % 200 == 0) {  // a rack loses its power
        std::fill(illness.begin(), illness.end(), 1);
      }
      if (random() % 100 == 0) illness[node] = 0;
      for (int i = 0; i < 4; ++i) {
        if (illness[node] == 1 && random() % 4 != 0) {
          tracker.Failed(node);
        } else {
          tracker.Succeeded(node, milliseconds(illness[node] == 2 ? 90 : 10));
        }
      }
    }
    const uint64_t kind = random() % 400;
    now += kind == 0   ? nanoseconds(hours(24 * 3652))
           : kind == 1 ? -nanoseconds(hours(24 * 3652))
                       : nanoseconds(seconds(1));
    const HealthReport report = tracker.Evaluate(now);
    history.panics += report.is_panic ? 1 : 0;
    ++since_taken;
    for (const HealthEvent& event : report.events) {
      history.digest = Fmix64(history.digest ^ (uint64_t{event.node} << 32) ^
                              (static_cast<uint64_t>(event.to) << 8) ^
                              static_cast<uint64_t>(event.reason));
      const bool is_taken = event.to == HealthState::kEjected ||
                            event.to == HealthState::kHalfDrained;
      if (!is_taken) continue;
      history.ejections += event.to == HealthState::kEjected ? 1 : 0;
      EXPECT_FALSE(report.is_panic);
      EXPECT_GE(since_taken, 3) << "cool-down";
      since_taken = 0;
      uint64_t taken = 0;
      int count = 0;
      for (NodeIndex node = 0; node < illness.size(); ++node) {
        taken += weights[node] * (1000 - tracker.LevelOf(node));
        count += tracker.LevelOf(node) != 1000 ? 1 : 0;
      }
      if (count > 1) {
        EXPECT_LE(taken * 100, all * 25) << "share";
      }
    }
  }
  return history;
}

TEST(HealthTest, ManyLivesKeepTheRulesAndRepeat) {
  int ejections = 0;
  int panics = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const History history = Live(seed, 2000);
    EXPECT_EQ(history.digest, Live(seed, 2000).digest);
    ejections += history.ejections;
    panics += history.panics;
  }
  EXPECT_GT(ejections, 100);
  EXPECT_GT(panics, 100);
}

// For ThreadSanitizer above all.
TEST(HealthTest, ThreadsReportWhileOneDecides) {
  HealthTracker tracker = std::move(HealthTracker::Create({})).value();
  ASSERT_TRUE(tracker.Track(RingOf(10)).ok());
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      for (uint64_t n = 0; !is_over.load(); ++n) {
        const auto node =
            static_cast<NodeIndex>((n + static_cast<uint64_t>(i)) % 10);
        if (tracker.IsEjected(node)) continue;
        if (node == 3) {
          tracker.Failed(node);
        } else {
          tracker.Succeeded(node, milliseconds(node));
        }
      }
    });
  }
  bool was_ejected = false;
  for (int t = 0; t < 200; ++t) {
    tracker.Evaluate(seconds(t));
    if (t % 50 == 49) {
      EXPECT_TRUE(tracker.Track(RingOf(t % 100 < 50 ? 9 : 10)).ok());
    }
    was_ejected |= tracker.IsEjected(3);
    std::this_thread::yield();
  }
  is_over.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(was_ejected);
}

}  // namespace
}  // namespace clockwise
