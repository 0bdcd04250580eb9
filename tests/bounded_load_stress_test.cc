// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Bounded loads by several threads at once, and under skewed keys. Run with
// ThreadSanitizer as well.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "bench/skew.h"
#include "bench/zipf.h"
#include "bounded_load_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

const int kRequests = IsSanitized() ? 100'000 : 400'000;
constexpr size_t kKeys = 10'000;

// What a thread of the stress has seen.
struct Seen {
  int placed = 0, broken = 0, spilled = 0, refused = 0;
};

void Note(const Ticket& ticket, const BoundedLoad& bounded, Seen& seen) {
  if (!ticket) {
    ++seen.refused;
    return;
  }
  ++seen.placed;
  if (ticket.spills() != 0) ++seen.spilled;
  const uint64_t cap = bounded.Cap(ticket.node(), ticket.in_flight());
  if (ticket.outcome() != AcquireOutcome::kPlaced || ticket.load() == 0 ||
      ticket.load() > cap) {
    ++seen.broken;
  }
}

// Acquires for Zipf(1.1) keys and releases at random, with up to 64 in flight.
// `bounded()` gives the caps to use, `acquire(bounded, hash, random)` a ticket.
template <typename Bounded, typename Acquire>
Seen Work(uint64_t seed, const Ring& ring, Bounded bounded, Acquire acquire) {
  static const bench::Zipf zipf(kKeys, 1.1);
  std::mt19937_64 random(seed);
  std::array<Ticket, 64> tickets;
  Seen seen;
  for (int i = 0; i < kRequests; ++i) {
    Ticket& ticket = tickets[random() % tickets.size()];
    if (random() % 4 == 0) ticket.Release();
    const uint64_t hash = ring.HashOf("key-" + std::to_string(zipf(random())));
    const BoundedLoad& caps = bounded();
    ticket = acquire(caps, hash, random());
    Note(ticket, caps, seen);
  }
  return seen;
}

template <typename Bounded, typename Acquire>
void ExpectNeverBroken(const Ring& ring, LoadTable& loads, Bounded bounded,
                       Acquire acquire, int least_refused_in) {
  Seen seen[2];
  std::thread other([&] { seen[1] = Work(11, ring, bounded, acquire); });
  seen[0] = Work(12, ring, bounded, acquire);
  other.join();
  testing::Test::RecordProperty("refused", seen[0].refused + seen[1].refused);
  for (const Seen& one : seen) {
    EXPECT_EQ(one.broken, 0);
    EXPECT_GT(one.spilled, 0);
    EXPECT_EQ(one.placed + one.refused, kRequests);
    EXPECT_LE(one.refused, kRequests / least_refused_in);
  }
  EXPECT_EQ(loads.total(), 0u);
  EXPECT_EQ(SumOf(loads), 0u);
}

TEST(BoundedLoadStressTest, CapsHoldWithTwoThreads) {
  const Ring ring = MakeRing(WithVnodes(100), NumberedNodes("n", 0, 10));
  LoadTable loads = Built(LoadTable::Create(10));
  const BoundedLoad bounded = Built(BoundedLoad::Build(ring, loads));
  ExpectNeverBroken(
      ring, loads, [&]() -> const BoundedLoad& { return bounded; },
      [&](const BoundedLoad& caps, uint64_t hash, uint64_t) {
        return caps.Acquire(ring, hash);
      },
      50);
}

// Two counters that all threads fight for.
TEST(BoundedLoadStressTest, CapsHoldOnTwoNodesOfUnlikeWeight) {
  const Ring ring = MakeRing(WithVnodes(20),
                             {MakeNode("a"), MakeNode("b", Weight::Whole(2))});
  LoadTable loads = Built(LoadTable::Create(2));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 100}));
  ExpectNeverBroken(
      ring, loads, [&]() -> const BoundedLoad& { return bounded; },
      [&](const BoundedLoad& caps, uint64_t hash, uint64_t) {
        return caps.Acquire(ring, hash);
      },
      3);
}

TEST(BoundedLoadStressTest, CapsHoldAmongReplicasWhileNodesAreEjected) {
  const Ring ring = MakeRing(WithVnodes(100), NumberedNodes("n", 0, 12));
  LoadTable loads = Built(LoadTable::Create(12));
  std::vector<BoundedLoad> states;  // each with another node down
  for (NodeIndex down = 0; down < 12; ++down) {
    const auto is_down = [=](NodeIndex node) { return node == down; };
    states.push_back(Built(BoundedLoad::Build(
        ring, loads, {.factor = 150, .is_ejected = is_down})));
  }
  std::atomic<size_t> state{0};
  std::atomic<bool> is_over{false};
  std::thread changer([&] {
    while (!is_over) {
      state = (state + 1) % states.size();
      std::this_thread::yield();
    }
  });
  ExpectNeverBroken(
      ring, loads, [&]() -> const BoundedLoad& { return states[state]; },
      [&](const BoundedLoad& caps, uint64_t hash, uint64_t random) {
        std::array<NodeIndex, 3> replicas{};
        ring.Replicas(hash, 3, replicas.data());
        if (random % 2 == 0) return caps.Acquire(replicas, ring, hash);
        return caps.AcquireOfTwo(replicas, random);
      },
      1);
  is_over = true;
  changer.join();
}

// A ticket may end on another thread than the one that acquired it.
TEST(BoundedLoadStressTest, TicketsAreReleasedByOtherThreads) {
  const Ring ring = MakeRing(WithVnodes(20), NumberedNodes("n", 0, 3));
  LoadTable loads = Built(LoadTable::Create(3));
  const BoundedLoad bounded = Built(BoundedLoad::Build(ring, loads));
  for (uint64_t round = 0; round < 20; ++round) {
    std::vector<Ticket> tickets;
    for (const uint64_t hash : RandomHashes(round, 500)) {
      tickets.push_back(bounded.Acquire(ring, hash));
    }
    std::thread other([&] { tickets.clear(); });
    for (const uint64_t hash : RandomHashes(round + 100, 500)) {
      EXPECT_NE(bounded.Acquire(ring, hash).outcome(),
                AcquireOutcome::kNoNodes);
    }
    other.join();
  }
  EXPECT_EQ(loads.total(), 0u);
  EXPECT_EQ(SumOf(loads), 0u);
}

TEST(BoundedLoadStressTest, ZipfKeysLoadNoNodeAboveTheFactor) {
  constexpr size_t kNodes = 50, kInFlight = 2000;
  const Ring ring = MakeRing(WithVnodes(160), NumberedNodes("n", 0, kNodes));
  const bench::Zipf zipf(kKeys, 1.1);
  std::mt19937_64 random(5);
  std::vector<uint64_t> hashes(static_cast<size_t>(kRequests / 4));
  for (uint64_t& hash : hashes) {
    hash = ring.HashOf("key-" + std::to_string(zipf(random())));
  }
  LoadTable loads = Built(LoadTable::Create(kNodes));
  const BoundedLoad bounded = Built(BoundedLoad::Build(ring, loads));
  const auto plain = bench::PlainSkew(ring, hashes, kInFlight, kNodes);
  const auto bound =
      bench::BoundedSkew(ring, bounded, hashes, kInFlight, kNodes);
  RecordProperty("plain_mean_peak", std::to_string(plain.mean_peak));
  RecordProperty("bounded_mean_peak", std::to_string(bound.mean_peak));
  EXPECT_GT(plain.mean_peak, 3);
  EXPECT_EQ(plain.spilled, 0);
  // 50 of a mean of 40, exactly: what is in flight does not fall.
  EXPECT_LE(bound.worst_peak, 1.25);
  EXPECT_GT(bound.spilled, 0);
  EXPECT_LT(bound.spilled, 0.5);
}

}  // namespace
}  // namespace clockwise
