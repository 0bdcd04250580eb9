// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Bounded loads by one thread: caps, order, and what becomes of a request where
// there is no room.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "bounded_load_maker.h"

namespace clockwise {
namespace {

using Outcome = AcquireOutcome;

static_assert(!std::is_copy_constructible_v<Ticket>);
static_assert(std::is_nothrow_move_constructible_v<Ticket>);
static_assert(std::is_nothrow_move_assignable_v<Ticket>);
static_assert(!std::is_copy_constructible_v<BoundedLoad>);

// Where requests for one hot key go, as letters, and what loads that makes.
struct Sequence {
  std::string nodes;
  std::vector<uint64_t> loads;
  bool operator==(const Sequence&) const = default;
};

void PrintTo(const Sequence& sequence, std::ostream* out) {
  *out << sequence.nodes << " " << testing::PrintToString(sequence.loads);
}

template <typename Place>
Sequence SequenceOf(uint32_t factor, size_t nodes, size_t requests,
                    Place place) {
  const Ring ring = Row(nodes);
  LoadTable loads = Built(LoadTable::Create(16));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = factor}));
  std::vector<Ticket> tickets;
  Sequence sequence;
  for (size_t i = 0; i < requests; ++i) {
    tickets.push_back(place(bounded, ring));
    sequence.nodes += static_cast<char>('A' + tickets.back().node());
  }
  for (size_t i = 0; i < nodes; ++i) {
    sequence.loads.push_back(loads.load(static_cast<NodeIndex>(i)));
  }
  return sequence;
}

Sequence OnRing(uint32_t factor, size_t nodes, size_t requests) {
  return SequenceOf(factor, nodes, requests,
                    [](const BoundedLoad& bounded, const Ring& ring) {
                      return bounded.Acquire(ring, 0);
                    });
}

TEST(BoundedLoadTest, CaseTwentyIsExact) {
  EXPECT_EQ(OnRing(125, 4, 10), (Sequence{"ABCABCABCA", {4, 3, 3, 0}}));
  EXPECT_EQ(OnRing(125, 4, 16), (Sequence{"ABCABCABCABCABCD", {5, 5, 5, 1}}));
  EXPECT_EQ(OnRing(125, 3, 12), (Sequence{"ABABABCABABC", {5, 5, 2}}));
  EXPECT_EQ(OnRing(150, 2, 5), (Sequence{"AAABA", {4, 1}}));
  EXPECT_EQ(OnRing(200, 3, 9), (Sequence{"AABAABAAB", {6, 3, 0}}));
  EXPECT_EQ(OnRing(100, 1, 1), (Sequence{"A", {1}}));
}

TEST(BoundedLoadTest, AListIsTriedInItsOrder) {
  const auto backwards = [](const BoundedLoad& bounded, const Ring&) {
    return bounded.Acquire(std::array<NodeIndex, 4>{3, 2, 1, 0});
  };
  EXPECT_EQ(SequenceOf(125, 4, 16, backwards),
            (Sequence{"DCBDCBDCBDCBDCBA", {1, 5, 5, 5}}));
}

TEST(BoundedLoadTest, AListGoesOnRoundTheRing) {
  const auto third = [](const BoundedLoad& bounded, const Ring& ring) {
    return bounded.Acquire(std::array<NodeIndex, 1>{2}, ring, 0);
  };
  EXPECT_EQ(SequenceOf(125, 4, 10, third),
            (Sequence{"CABCABCABC", {3, 3, 4, 0}}));
}

TEST(BoundedLoadTest, FivePartitionsOnTwoMembersArePlaced) {
  const Ring two = MakeRing(WithVnodes(20), NumberedNodes("m", 0, 2));
  LoadTable loads = Built(LoadTable::Create(8));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(two, loads, {.factor = 150}));
  std::vector<Ticket> tickets;
  for (const uint64_t hash : RandomHashes(20, 5)) {
    tickets.push_back(bounded.Acquire(two, hash));
    ASSERT_EQ(tickets.back().outcome(), Outcome::kPlaced);
  }
  EXPECT_LE(std::max(loads.load(0), loads.load(1)), 4u);
}

TEST(BoundedLoadTest, ThreeMembersBecomeSeven) {
  const Ring three = MakeRing(WithVnodes(20), NumberedNodes("m", 0, 3));
  LoadTable loads = Built(LoadTable::Create(8));
  std::vector<Ticket> tickets;
  const auto place = [&](const Ring& ring) {
    const BoundedLoad bounded = Built(BoundedLoad::Build(ring, loads));
    for (const uint64_t hash : RandomHashes(ring.node_count(), 70)) {
      tickets.push_back(bounded.Acquire(ring, hash));
      ASSERT_TRUE(tickets.back());
      ASSERT_LE(tickets.back().load(),
                bounded.Cap(tickets.back().node(), tickets.back().in_flight()));
    }
  };
  place(three);
  RingBuilder change = RingBuilder::From(three);
  for (const Node& node : NumberedNodes("m", 3, 4)) {
    ASSERT_TRUE(change.Add(node).ok());
  }
  place(MakeRing(change));
  EXPECT_EQ(loads.total(), 140u);
  EXPECT_EQ(SumOf(loads), 140u);
  EXPECT_GT(loads.load(6), 0u);
}

// 1.1 is no double: 1.1 * 50 / 5 rounds up to 12, and so on.
TEST(BoundedLoadTest, CapsAreNotFloats) {
  for (const uint64_t scale : {1u, 2u, 4u}) {
    const size_t nodes = 5 * scale;
    const Ring ring =
        MakeRing(WithVnodes(1), NumberedNodes("n", 0, static_cast<int>(nodes)));
    LoadTable loads = Built(LoadTable::Create(20));
    const BoundedLoad bounded =
        Built(BoundedLoad::Build(ring, loads, {.factor = 110}));
    EXPECT_EQ(bounded.Cap(0, 50 * scale), 11u);
    EXPECT_EQ(bounded.Cap(0, 50 * scale + 1), 12u);
  }
}

// 50 requests of which the hot key's owner may have 11, placed one by one.
TEST(BoundedLoadTest, PlacementsAreNotByFloats) {
  const Sequence placed = OnRing(110, 5, 50);
  EXPECT_EQ(*std::max_element(placed.loads.begin(), placed.loads.end()), 11u);
}

TEST(BoundedLoadTest, CapsAreSharesByWeight) {
  const Ring ring =
      MakeRing(WithVnodes(10), {MakeNode("a", Weight::Thousandths(1)),
                                MakeNode("b", Weight::Thousandths(999)),
                                MakeNode("c", Weight::Whole(2)),
                                MakeNode("drained", Weight::Whole(0))});
  LoadTable loads = Built(LoadTable::Create(4));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 150}));
  EXPECT_EQ(bounded.total_weight(), 3000u);
  EXPECT_EQ(bounded.Cap(0, 2000), 1u);  // 1.5 * 2000 / 3000, exactly
  EXPECT_EQ(bounded.Cap(0, 2001), 2u);
  EXPECT_EQ(bounded.Cap(1, 2000), 999u);
  EXPECT_EQ(bounded.Cap(2, 2000), 2000u);
  EXPECT_EQ(bounded.Cap(3, 2000), 0u);
  EXPECT_EQ(bounded.Cap(4, 2000), 0u);
  EXPECT_EQ(bounded.Cap(kNoNode, 2000), 0u);
  EXPECT_EQ(bounded.Cap(0, 0), 0u);
}

TEST(BoundedLoadTest, CapsSumToAllRequestsOrMore) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    std::vector<Node> nodes = NumberedNodes("n", 0, 1 + i % 9);
    for (Node& node : nodes) {
      node.weight = Weight::Thousandths(1 + random() % 5000);
    }
    const Ring ring = MakeRing(WithVnodes(2), nodes);
    LoadTable loads = Built(LoadTable::Create(9));
    const BoundedLoad bounded =
        Built(BoundedLoad::Build(ring, loads, {.factor = 100}));
    const uint64_t m = random() % 1000;
    uint64_t sum = 0;
    for (NodeIndex node = 0; node < 9; ++node) sum += bounded.Cap(node, m);
    ASSERT_GE(sum, m);
    ASSERT_LE(sum, m + nodes.size());
  }
}

TEST(BoundedLoadTest, HugeWeightsDoNotOverflow) {
  const Weight most = Weight::Thousandths(Weight::kMaxThousandths);
  RingOptions options;
  options.scheme = "points";  // of clockwise-1 a million each
  RingBuilder builder = MakeBuilder(options);
  const uint64_t at[] = {1, 2, 3};
  ASSERT_TRUE(builder.Add(MakeNode("a", most), std::span(at, 1)).ok());
  ASSERT_TRUE(builder.Add(MakeNode("b", most), std::span(at + 1, 1)).ok());
  ASSERT_TRUE(
      builder.Add(MakeNode("c", Weight::Thousandths(1)), std::span(at + 2, 1))
          .ok());
  const Ring ring = MakeRing(builder);
  LoadTable loads = Built(LoadTable::Create(3));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = kMaxBalanceFactor}));
  __extension__ using Uint128 = unsigned __int128;
  for (const uint64_t m : {uint64_t{1}, uint64_t{1} << 40, uint64_t{1} << 50}) {
    for (const NodeIndex node : {0u, 1u, 2u}) {
      const uint64_t w = ring.node(node).weight.thousandths();
      const Uint128 whole = Uint128{100} * 2'000'000'001u;
      const Uint128 cap = (Uint128{65536} * m * w + whole - 1) / whole;
      ASSERT_EQ(bounded.Cap(node, m), static_cast<uint64_t>(cap));
    }
  }
  EXPECT_EQ(bounded.Cap(0, ~uint64_t{0}), ~uint64_t{0});
  // From 281,475 in flight on the product of one side is above 2^64.
  std::vector<Ticket> tickets(300'000);
  for (Ticket& ticket : tickets) {
    ticket = bounded.Acquire(ring, 0);
    ASSERT_EQ(ticket.spills(), 0u);
  }
}

// What a placement tests is the cap, though it divides nothing.
TEST(BoundedLoadTest, RoomEndsAtTheCap) {
  std::mt19937_64 random(7);
  __extension__ using Uint128 = unsigned __int128;
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t m = 1 + (random() >> (24 + random() % 40));  // to 2^40
    const uint64_t w = 1 + random() % Weight::kMaxThousandths;
    const uint64_t total = w + random() % (Weight::kMaxThousandths << 20);
    const uint64_t share = w * (100 + random() % (kMaxBalanceFactor - 99));
    const Uint128 whole = Uint128{100} * total;
    const auto cap =
        static_cast<uint64_t>((Uint128{m} * share + whole - 1) / whole);
    const auto has_room = [&](uint64_t load) {
      return detail::HasRoom(load, m, share, static_cast<uint64_t>(whole));
    };
    ASSERT_TRUE(has_room(cap - 1));
    ASSERT_FALSE(has_room(cap));
    ASSERT_FALSE(has_room(cap + m));
  }
}

TEST(BoundedLoadTest, RefusesWhatIsOutOfRange) {
  const Ring ring = Row(4);
  LoadTable loads = Built(LoadTable::Create(4));
  for (const uint32_t factor : {0u, 99u, 65537u, ~0u}) {
    const Status status =
        BoundedLoad::Build(ring, loads, {.factor = factor}).status();
    EXPECT_EQ(status.code(), Code::kInvalidOptions);
    EXPECT_EQ(status.message(),
              "balance factor " + std::to_string(factor) + " %; 100 to 65536");
  }
  LoadTable small = Built(LoadTable::Create(3));
  const Status status = BoundedLoad::Build(ring, small).status();
  EXPECT_EQ(status.code(), Code::kTooManyNodes);
  EXPECT_EQ(status.message(), "4 slots; the load table has 3");
  EXPECT_EQ(LoadTable::Create(0).status().code(), Code::kInvalidOptions);
  EXPECT_EQ(LoadTable::Create(kMaxNodes + 1).status().code(),
            Code::kTooManyNodes);
  FailingSource nothing(0);
  EXPECT_EQ(LoadTable::Create(4, &nothing).status().code(), Code::kOutOfMemory);
}

TEST(BoundedLoadTest, TicketsReleaseOnce) {
  const Ring ring = Row(2);
  LoadTable loads = Built(LoadTable::Create(2));
  const BoundedLoad bounded = Built(BoundedLoad::Build(ring, loads));
  {
    Ticket ticket = bounded.Acquire(ring, 0);
    EXPECT_EQ(ticket.node(), 0u);
    EXPECT_EQ(ticket.in_flight(), 1u);
    EXPECT_EQ(ticket.load(), 1u);
    EXPECT_EQ(ticket.spills(), 0u);
    Ticket moved = std::move(ticket);
    EXPECT_FALSE(ticket);  // NOLINT: a moved-from ticket has no node
    EXPECT_EQ(ticket.node(), kNoNode);
    EXPECT_EQ(loads.total(), 1u);
    Ticket other = bounded.Acquire(ring, 0);
    EXPECT_EQ(other.node(), 0u);
    EXPECT_EQ(loads.load(0), 2u);
    other = std::move(moved);  // releases what it had
    EXPECT_EQ(loads.total(), 1u);
    other.Release();
    other.Release();
    EXPECT_EQ(other.node(), kNoNode);
    EXPECT_EQ(other.outcome(), Outcome::kPlaced);
    EXPECT_EQ(loads.total(), 0u);
    const Ticket last = bounded.Acquire(ring, 0);
    EXPECT_EQ(loads.load(0), 1u);
  }
  EXPECT_EQ(loads.total(), 0u);
  EXPECT_EQ(SumOf(loads), 0u);
}

TEST(BoundedLoadTest, ATicketOutlivesAMoveOfTheTable) {
  const Ring ring = Row(2);
  LoadTable first = Built(LoadTable::Create(2));
  Ticket ticket = Built(BoundedLoad::Build(ring, first)).Acquire(ring, 0);
  const LoadTable second = std::move(first);
  EXPECT_EQ(second.total(), 1u);
  ticket.Release();
  EXPECT_EQ(second.total(), 0u);
}

TEST(BoundedLoadTest, SpillsAreCounted) {
  const Ring ring = Row(4);
  LoadTable loads = Built(LoadTable::Create(4));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 100}));
  std::vector<Ticket> tickets;
  for (uint32_t i = 0; i < 4; ++i) {
    tickets.push_back(bounded.Acquire(ring, 0));
    EXPECT_EQ(tickets.back().spills(), i);
  }
}

TEST(BoundedLoadTest, LoadsMayExceedACapThatFell) {
  const Ring ring = Row(2);
  LoadTable loads = Built(LoadTable::Create(2));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 100}));
  std::vector<Ticket> tickets;
  for (int i = 0; i < 8; ++i) tickets.push_back(bounded.Acquire(ring, 0));
  std::erase_if(tickets, [](const Ticket& t) { return t.node() == 1; });
  EXPECT_EQ(loads.load(0), 4u);  // of 4, where 2 are its share
  EXPECT_EQ(bounded.Acquire(ring, 0).node(), 1u);
}

TEST(BoundedLoadTest, EjectedNodesGiveTheirShareAway) {
  const Ring ring = Row(4);
  LoadTable loads = Built(LoadTable::Create(4));
  const auto is_ejected = [](NodeIndex node) { return node % 2 == 0; };
  const BoundedLoad bounded = Built(BoundedLoad::Build(
      ring, loads, {.factor = 100, .is_ejected = is_ejected}));
  std::vector<Ticket> tickets;
  for (int i = 0; i < 8; ++i) tickets.push_back(bounded.Acquire(ring, 0));
  EXPECT_EQ(loads.load(1), 4u);
  EXPECT_EQ(loads.load(3), 4u);
  EXPECT_EQ(loads.total(), 8u);
}

TEST(BoundedLoadTest, ExcludedNodesKeepTheirShare) {
  const Ring ring = Row(4);
  LoadTable loads = Built(LoadTable::Create(4));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 100}));
  const auto all_but_second = [](NodeIndex node) { return node != 1; };
  const Ticket first =
      bounded.Acquire(ring, 0, {.is_excluded = all_but_second});
  EXPECT_EQ(first.node(), 1u);
  EXPECT_EQ(first.spills(), 0u);
  Ticket next = bounded.Acquire(ring, 0, {.is_excluded = all_but_second});
  EXPECT_EQ(next.outcome(), Outcome::kAllFull);
  EXPECT_EQ(next.node(), kNoNode);
  EXPECT_EQ(next.in_flight(), 2u);
  EXPECT_EQ(next.load(), 0u);
  EXPECT_EQ(loads.total(), 1u);
  next = bounded.Acquire(
      ring, 0,
      {.is_excluded = all_but_second, .when_full = WhenFull::kLeastLoaded});
  EXPECT_EQ(next.outcome(), Outcome::kOverCap);
  EXPECT_EQ(next.node(), 1u);
  EXPECT_EQ(next.load(), 2u);
  EXPECT_EQ(loads.total(), 2u);
}

TEST(BoundedLoadTest, TheLeastLoadedIsByWeight) {
  const Ring ring =
      MakeRing(WithVnodes(4), {MakeNode("a"), MakeNode("b", Weight::Whole(10)),
                               MakeNode("c", Weight::Whole(1000))});
  LoadTable loads = Built(LoadTable::Create(3));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(ring, loads, {.factor = 100}));
  const auto is_heavy = [](NodeIndex node) { return node == 2; };
  const AcquireOptions options = {.is_excluded = is_heavy,
                                  .when_full = WhenFull::kLeastLoaded};
  std::vector<Ticket> tickets;
  for (int i = 0; i < 12; ++i) {
    tickets.push_back(bounded.Acquire(ring, 0, options));
    ASSERT_TRUE(tickets.back());
  }
  EXPECT_EQ(loads.load(0), 1u);
  EXPECT_EQ(loads.load(1), 11u);
}

TEST(BoundedLoadTest, NamesOfOutcomes) {
  EXPECT_EQ(AcquireOutcomeName(Outcome::kPlaced), "placed");
  EXPECT_EQ(AcquireOutcomeName(Outcome::kOverCap), "over_cap");
  EXPECT_EQ(AcquireOutcomeName(Outcome::kNoNodes), "no_nodes");
  EXPECT_EQ(AcquireOutcomeName(Outcome::kAllExcluded), "all_excluded");
  EXPECT_EQ(AcquireOutcomeName(Outcome::kAllFull), "all_full");
}

// Rendezvous hashing has no ring, but an order of nodes for each key.
TEST(BoundedLoadTest, BoundsPlacementsThatAreNoRings) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 6);
  nodes[2].weight = Weight::Whole(2);
  const Rendezvous rendezvous = Built(Rendezvous::Build(nodes));
  std::vector<Weight> weights;
  for (NodeIndex node = 0; node < 6; ++node) {
    weights.push_back(rendezvous.node(node).weight);
  }
  LoadTable loads = Built(LoadTable::Create(6));
  const BoundedLoad bounded =
      Built(BoundedLoad::Build(weights, loads, {.factor = 100}));
  EXPECT_EQ(bounded.total_weight(), 7000u);
  std::array<NodeIndex, 6> order{};
  ASSERT_EQ(rendezvous.Replicas(rendezvous.HashOf("hot"), 6, order.data()), 6u);
  std::vector<Ticket> tickets;
  for (int i = 0; i < 70; ++i) tickets.push_back(bounded.Acquire(order));
  EXPECT_EQ(loads.load(order[0]), bounded.Cap(order[0], 70));
  EXPECT_EQ(loads.load(2), 20u);

  weights[0] = Weight::Thousandths(Weight::kMaxThousandths + 1);
  EXPECT_EQ(BoundedLoad::Build(weights, loads).status().message(),
            "weight 1000000.001; at most 1000000");
}

// A bug of others: a walk that looks for room never ends where there is none.
TEST(BoundedLoadTest, WalksEndWhereAllAreFullDownOrGone) {
  const Ring ring = MakeRing(WithVnodes(50), NumberedNodes("n", 0, 40));
  const Ring empty = MakeRing(WithVnodes(50), {});
  LoadTable loads = Built(LoadTable::Create(40));
  int asked = 0;
  const auto count = [&](bool answer) {
    return [&asked, answer](NodeIndex) { return ++asked, answer; };
  };
  const auto all = count(true);
  const BoundedLoad bounded = Built(BoundedLoad::Build(ring, loads));
  EXPECT_EQ(bounded.Acquire(ring, 9, {.is_excluded = all}).outcome(),
            Outcome::kAllExcluded);
  EXPECT_EQ(asked, 40);

  // Full to the caps of 3 requests, by a factor that lets them.
  const BoundedLoad loose =
      Built(BoundedLoad::Build(ring, loads, {.factor = kMaxBalanceFactor}));
  std::vector<Ticket> tickets;
  for (NodeIndex node = 0; node < 40; ++node) {
    for (int i = 0; i < 3; ++i) {
      tickets.push_back(loose.Acquire(std::array{node}));
    }
  }
  const BoundedLoad tight =
      Built(BoundedLoad::Build(ring, loads, {.factor = 100}));
  const auto is_first = [&](NodeIndex node) { return ++asked, node == 0; };
  tickets.erase(tickets.begin());  // node 0 alone has room
  asked = 0;
  const Ticket refused = tight.Acquire(ring, 9, {.is_excluded = is_first});
  EXPECT_EQ(refused.outcome(), Outcome::kAllFull);
  EXPECT_EQ(refused.spills(), 39u);
  EXPECT_EQ(asked, 40);
  EXPECT_EQ(tight.Acquire(ring, 9).node(), 0u);

  const BoundedLoad nobody =
      Built(BoundedLoad::Build(ring, loads, {.is_ejected = all}));
  EXPECT_EQ(nobody.total_weight(), 0u);
  EXPECT_EQ(nobody.Acquire(ring, 9).outcome(), Outcome::kAllExcluded);
  const BoundedLoad none = Built(BoundedLoad::Build(empty, loads));
  EXPECT_EQ(none.Acquire(empty, 9).outcome(), Outcome::kNoNodes);
  EXPECT_EQ(bounded.Acquire(empty, 9).outcome(), Outcome::kNoNodes);
  EXPECT_EQ(loads.total(), tickets.size());
}

TEST(BoundedLoadTest, EachNodeIsAskedOnceInRingOrder) {
  const Ring ring = MakeRing(WithVnodes(9), NumberedNodes("n", 0, 60));
  LoadTable loads = Built(LoadTable::Create(60));
  const BoundedLoad bounded = Built(BoundedLoad::Build(ring, loads));
  for (const uint64_t hash : RandomHashes(4, 50)) {
    std::vector<NodeIndex> asked, walked;
    const auto note = [&](NodeIndex node) {
      return asked.push_back(node), true;
    };
    EXPECT_FALSE(bounded.Acquire(ring, hash, {.is_excluded = note}));
    for (const NodeIndex node : ring.Clockwise(hash)) walked.push_back(node);
    ASSERT_EQ(asked, walked);
    // The list's nodes are not asked again.
    asked.clear();
    EXPECT_FALSE(bounded.Acquire(std::span(walked).first(3), ring, hash,
                                 {.is_excluded = note}));
    ASSERT_EQ(asked, walked);
  }
}

TEST(BoundedLoadTest, WorkOfANodeThatLeftCountsUntilItIsReleased) {
  const Ring ring = Row(3);
  LoadTable loads = Built(LoadTable::Create(3));
  std::vector<Ticket> old;
  const BoundedLoad before = Built(BoundedLoad::Build(ring, loads));
  for (int i = 0; i < 6; ++i) {
    old.push_back(before.Acquire(std::array<NodeIndex, 1>{1}));
  }
  std::erase_if(old, [](const Ticket& ticket) { return !ticket; });
  const uint64_t held = loads.load(1);
  ASSERT_GT(held, 0u);

  RingBuilder leave = RingBuilder::From(ring);
  ASSERT_TRUE(leave.Remove("n101").ok());
  const Ring without = MakeRing(leave);
  const BoundedLoad between = Built(BoundedLoad::Build(without, loads));
  EXPECT_EQ(loads.total(), held);
  EXPECT_EQ(between.Cap(1, 100), 0u);
  // It counts, so caps are shares of all that are in flight.
  EXPECT_EQ(between.Acquire(without, 0).in_flight(), held + 1);

  // A node that takes the slot inherits the count, and so stays in its cap.
  RingBuilder enter = RingBuilder::From(without);
  const uint64_t first_position[] = {uint64_t{2} << 56};
  ASSERT_TRUE(enter.Add(MakeNode("new"), first_position).ok());
  const Ring with = MakeRing(enter);
  ASSERT_EQ(with.Find("new"), 1u);
  const BoundedLoad after = Built(BoundedLoad::Build(with, loads));
  std::vector<Ticket> tickets;
  for (int i = 0; i < 50; ++i) {
    tickets.push_back(after.Acquire(with, uint64_t{3} << 55));
    ASSERT_TRUE(tickets.back());
    ASSERT_LE(loads.load(1), after.Cap(1, loads.total()));
  }
  EXPECT_EQ(SumOf(loads), loads.total());
  old.clear();
  EXPECT_EQ(SumOf(loads), 50u);
  tickets.clear();
  EXPECT_EQ(SumOf(loads), 0u);
  EXPECT_EQ(loads.total(), 0u);
}

// A bug of others: after a burst of changes the caps are those of a ring before
// the last.
TEST(BoundedLoadTest, AfterABurstOfChangesTheCapsAreTheLastRings) {
  Ring ring = MakeRing(WithVnodes(8), NumberedNodes("n", 0, 4));
  LoadTable loads = Built(LoadTable::Create(64));
  BoundedLoad bounded = Built(BoundedLoad::Build(ring, loads));
  std::vector<Ticket> tickets;
  for (int i = 4; i < 60; ++i) {
    RingBuilder change = RingBuilder::From(ring);
    ASSERT_TRUE(change.Add(MakeNode("n" + std::to_string(i))).ok());
    ASSERT_TRUE(change.Remove("n" + std::to_string(i - 4)).ok());
    ASSERT_TRUE(change
                    .SetWeight("n" + std::to_string(i - 1),
                               Weight::Thousandths(i % 3 == 0 ? 500 : 1500))
                    .ok());
    ring = MakeRing(change);
    bounded = Built(BoundedLoad::Build(ring, loads));
    tickets.push_back(bounded.Acquire(ring, static_cast<uint64_t>(i) << 58));
  }
  uint64_t total = 0;
  for (const NodeIndex slot : ring.slots_by_id()) {
    total += ring.node(slot).weight.thousandths();
  }
  EXPECT_EQ(bounded.total_weight(), total);
  for (NodeIndex slot = 0; slot < ring.slot_count(); ++slot) {
    const uint64_t w =
        ring.node(slot).id.empty() ? 0 : ring.node(slot).weight.thousandths();
    EXPECT_EQ(bounded.Cap(slot, 1000),
              (125 * 1000 * w + 100 * total - 1) / (100 * total));
  }
  EXPECT_EQ(SumOf(loads), tickets.size());
}

// One that a table of rings before never heard of has no cap.
TEST(BoundedLoadTest, AnotherRingDoesNoHarm) {
  const Ring small = Row(2);
  const Ring large = Row(9);
  LoadTable loads = Built(LoadTable::Create(2));
  const BoundedLoad bounded = Built(BoundedLoad::Build(small, loads));
  for (const uint64_t hash : RandomHashes(8, 200)) {
    const Ticket ticket = bounded.Acquire(large, hash);
    ASSERT_TRUE(ticket);
    ASSERT_LT(ticket.node(), 2u);
  }
  EXPECT_FALSE(bounded.Acquire(std::array<NodeIndex, 2>{8, kNoNode}));
  EXPECT_EQ(loads.total(), 0u);
}

}  // namespace
}  // namespace clockwise
