// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// From wanted nodes and health to rings: what is published, when, and what is
// refused.
#include "clockwise/membership.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "router_maker.h"

namespace clockwise {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

Members MembersOf(std::vector<Node> nodes, uint64_t epoch = 0) {
  Members members;
  members.options = WithVnodes(16);
  members.epoch = epoch;
  members.nodes = std::move(nodes);
  return members;
}

Members Numbered(int count, uint64_t epoch = 0) {
  return MembersOf(NumberedNodes("n", 0, count), epoch);
}

// A membership whose rings are kept, or refused, as the test says.
class Office {
 public:
  explicit Office(const MembershipOptions& options = {},
                  HealthTracker* health = nullptr)
      : membership(Membership::Create(
                       options,
                       [this](Ring&& ring, const PublishOptions& how) {
                         return Take(std::move(ring), how);
                       },
                       health)
                       .value()) {}

  Status Want(Members members, bool is_confirmed = false) {
    return membership.Want(std::move(members), now, is_confirmed);
  }
  // Wants them, and lets the burst end.
  MembershipReport Serve(Members members, bool is_confirmed = false) {
    const Status status = Want(std::move(members), is_confirmed);
    EXPECT_TRUE(status.ok()) << status.message();
    return After(seconds(1));
  }
  MembershipReport After(nanoseconds time) {
    now += time;
    return membership.Step(now);
  }
  const Ring& last() const { return published.back(); }

  nanoseconds now = hours(1);
  std::vector<Ring> published;
  bool accepted_remap = false;
  Status refusal;  // of what is published next
  Membership membership;

 private:
  Status Take(Ring&& ring, const PublishOptions& how) {
    accepted_remap = how.accept_remap;
    if (refusal.ok()) published.push_back(std::move(ring));
    return refusal;
  }
};

TEST(MembershipTest, ABurstIsOneRing) {
  Office office;
  EXPECT_EQ(office.membership.Due(), std::nullopt);
  ASSERT_TRUE(office.Want(Numbered(3)).ok());
  const nanoseconds began = office.now;
  for (int i = 3; i < 8; ++i) {
    EXPECT_FALSE(office.After(milliseconds(40)).has_published);
    const Node node = MakeNode("n" + std::to_string(i));
    ASSERT_TRUE(office.membership.Add(node, office.now).ok());
  }
  EXPECT_EQ(*office.membership.Due(), began + milliseconds(250));
  EXPECT_FALSE(office.After(milliseconds(49)).has_published);
  EXPECT_TRUE(office.After(milliseconds(1)).has_published);
  ASSERT_EQ(office.published.size(), 1u);
  EXPECT_EQ(office.last().node_count(), 8u);
  EXPECT_EQ(office.last().epoch(), 1u);
  EXPECT_EQ(office.membership.Due(), std::nullopt);
  EXPECT_EQ(office.membership.stats().changes, 6u);
  EXPECT_EQ(office.membership.stats().published, 1u);
}

// A change every moment must not keep all of them from being served.
TEST(MembershipTest, AStormDoesNotHoldChangesBackForEver) {
  Office office;
  ASSERT_TRUE(office.Want(Numbered(3)).ok());
  for (int i = 0; i < 99; ++i) {
    EXPECT_FALSE(office.After(milliseconds(10)).has_published) << i;
    Node node = MakeNode("n0");
    node.address = std::to_string(i);
    ASSERT_TRUE(office.membership.Update(node, office.now).ok());
  }
  EXPECT_TRUE(office.After(milliseconds(10)).has_published);
  EXPECT_EQ(office.last().node(office.last().Find("n0")).address, "98");
}

TEST(MembershipTest, TheSameAgainChangesNothing) {
  Office office;
  office.Serve(Numbered(4, 7));
  std::vector<Node> nodes = NumberedNodes("n", 0, 4);
  std::swap(nodes[0], nodes[3]);
  EXPECT_TRUE(office.Want(Numbered(4, 7)).ok());
  EXPECT_TRUE(office.Want(Numbered(4)).ok());
  EXPECT_TRUE(office.Want(MembersOf(nodes)).ok());
  EXPECT_TRUE(office.membership.Add(MakeNode("n2"), office.now).ok());
  EXPECT_EQ(office.membership.Due(), std::nullopt);
  EXPECT_EQ(office.membership.stats().changes, 1u);
}

TEST(MembershipTest, ChangedAndChangedBackIsNoRing) {
  Office office;
  office.Serve(Numbered(4));
  ASSERT_TRUE(office.membership.Remove("n1", office.now).ok());
  ASSERT_TRUE(office.membership.Add(MakeNode("n1"), office.now).ok());
  EXPECT_FALSE(office.After(seconds(1)).has_published);
  EXPECT_EQ(office.membership.epoch(), 1u);
  // And so where its owner says the old one again.
  ASSERT_TRUE(office.membership.Remove("n1", office.now).ok());
  ASSERT_TRUE(office.Want(Numbered(4, 1)).ok());
  EXPECT_EQ(office.membership.Due(), std::nullopt);
}

TEST(MembershipTest, EpochsRise) {
  Office office;
  office.Serve(Numbered(4, 7));
  EXPECT_EQ(office.last().epoch(), 7u);
  office.Serve(Numbered(5));
  EXPECT_EQ(office.last().epoch(), 8u);
  office.Serve(Numbered(5, 20));  // the same nodes under a later one
  EXPECT_EQ(office.last().epoch(), 20u);
  EXPECT_EQ(office.Want(Numbered(6, 19)).code(), Code::kStaleEpoch);
  const Status conflict = office.Want(Numbered(6, 20));
  EXPECT_EQ(conflict.code(), Code::kEpochConflict);
  EXPECT_EQ(conflict.message(),
            "members: epoch 20 was wanted with another content; a change, of "
            "an address as well, takes a new epoch");
  // What waits counts as well.
  ASSERT_TRUE(office.Want(Numbered(6, 30)).ok());
  EXPECT_EQ(office.Want(Numbered(7, 29)).code(), Code::kStaleEpoch);
  EXPECT_EQ(office.Want(Numbered(7, 30)).code(), Code::kEpochConflict);
  ASSERT_TRUE(office.membership.Add(MakeNode("n6"), office.now).ok());
  EXPECT_TRUE(office.After(seconds(1)).has_published);
  EXPECT_EQ(office.last().epoch(), 31u) << "epoch 30 was of other nodes";
  EXPECT_EQ(office.membership.stats().refusals, 4u);
}

TEST(MembershipTest, AnotherAddressUnderOneEpochIsRefusedNotIgnored) {
  Office office;
  office.Serve(Numbered(4, 7));
  Members moved = Numbered(4, 7);
  moved.nodes[1].address = "10.0.0.9:1";
  EXPECT_EQ(office.Want(moved).code(), Code::kEpochConflict);
  moved.epoch = 8;
  office.Serve(moved);
  EXPECT_EQ(office.last().digest(), office.published[0].digest());
  EXPECT_NE(office.last().records_digest(),
            office.published[0].records_digest());
}

TEST(MembershipTest, NoEpochIsAboveTheLast) {
  Office office;
  office.Serve(Numbered(4, std::numeric_limits<uint64_t>::max()));
  const MembershipReport report = office.Serve(Numbered(5));
  EXPECT_EQ(report.status.code(), Code::kEpochExhausted);
  EXPECT_FALSE(report.has_published);
}

TEST(MembershipTest, ALossOfMuchWeightIsSuspicious) {
  Office office;
  office.Serve(Numbered(4));
  EXPECT_TRUE(office.membership.Remove("n0", office.now).ok());
  EXPECT_TRUE(office.membership.Remove("n1", office.now).ok());
  const Status refused = office.membership.Remove("n2", office.now);
  EXPECT_EQ(refused.code(), Code::kSuspiciousChange);
  EXPECT_EQ(refused.message(),
            "members: 3 of the weight of 4 that serves would be gone; at most "
            "50 % in one step, unless it is confirmed");
  office.After(seconds(1));
  EXPECT_EQ(office.last().node_count(), 2u) << "what was not refused stands";
  // A new node does not make up for one that is gone.
  EXPECT_EQ(office.Want(MembersOf(NumberedNodes("m", 0, 9))).code(),
            Code::kSuspiciousChange);
  Node light = MakeNode("n2", Weight::Thousandths(1));
  Node other = MakeNode("n3", Weight::Thousandths(998));
  EXPECT_EQ(office.Want(MembersOf({light, other})).code(),
            Code::kSuspiciousChange);
  EXPECT_TRUE(office.Want(MembersOf({light, other}), true).ok());
  // What was confirmed stays so, and allows no more than that.
  EXPECT_TRUE(office.membership.Add(MakeNode("n4"), office.now).ok());
  EXPECT_EQ(office.Want(MembersOf({light})).code(), Code::kSuspiciousChange);
  office.After(seconds(1));
  EXPECT_EQ(office.last().node_count(), 3u);
}

// More than half by a thousandth is more than half.
TEST(MembershipTest, HalfIsNotMoreThanHalf) {
  const Node light = MakeNode("a", Weight::Thousandths(2000));
  for (const uint64_t weight : {uint64_t{2000}, uint64_t{2001}}) {
    Office office;
    const Node heavy = MakeNode("b", Weight::Thousandths(weight));
    office.Serve(MembersOf({light, heavy}));
    EXPECT_EQ(office.membership.Remove("b", office.now).ok(), weight == 2000);
  }
}

TEST(MembershipTest, ASecondReadingConfirmsIfItMay) {
  Office strict;
  strict.Serve(Numbered(4));
  EXPECT_FALSE(strict.Want(Numbered(1)).ok());
  EXPECT_FALSE(strict.Want(Numbered(1)).ok());
  MembershipOptions options;
  options.confirm_by_repeat = true;
  Office office(options);
  office.Serve(Numbered(4));
  EXPECT_FALSE(office.Want(Numbered(1)).ok());
  EXPECT_FALSE(office.Want(MembersOf(NumberedNodes("m", 0, 1))).ok());
  EXPECT_TRUE(office.Want(MembersOf(NumberedNodes("m", 0, 1))).ok());
}

TEST(MembershipTest, EmptyIsRefusedUnlessAllowed) {
  Office office;
  EXPECT_EQ(office.Want(Numbered(0)).code(), Code::kBadMembers);
  std::vector<Node> drained = {MakeNode("n0", Weight::Whole(0))};
  EXPECT_EQ(office.Want(MembersOf(drained)).code(), Code::kBadMembers);
  office.Serve(Numbered(1));
  EXPECT_EQ(office.membership.Remove("n0", office.now, true).code(),
            Code::kBadMembers);
  MembershipOptions options;
  options.allow_empty = true;
  Office lax(options);
  lax.Serve(Numbered(0));
  EXPECT_EQ(lax.last().Owner("key"), kNoNode);
}

TEST(MembershipTest, SingleChangesAreCheckedAndNeedABeginning) {
  Office office;
  EXPECT_EQ(office.membership.Add(MakeNode("n"), office.now).code(),
            Code::kInvalidOptions);
  office.Serve(Numbered(2));
  EXPECT_EQ(office.membership.Add(MakeNode(""), office.now).code(),
            Code::kBadNodeId);
  EXPECT_EQ(office.membership.Add(MakeNode("n0", Weight::Whole(2)), office.now)
                .code(),
            Code::kDuplicateNode);
  EXPECT_EQ(office.membership.Update(MakeNode("n9"), office.now).code(),
            Code::kUnknownNode);
  EXPECT_EQ(office.membership.Remove("n9", office.now).code(),
            Code::kUnknownNode);
  EXPECT_EQ(office.membership.Due(), std::nullopt);
}

TEST(MembershipTest, SurvivorsKeepTheirSlots) {
  Office office;
  office.Serve(Numbered(6));
  ASSERT_TRUE(office.membership.Remove("n2", office.now).ok());
  office.After(seconds(1));
  ASSERT_TRUE(office.membership.Add(MakeNode("a"), office.now).ok());
  office.After(seconds(1));
  for (const char* id : {"n0", "n1", "n3", "n4", "n5"}) {
    EXPECT_EQ(office.last().Find(id), office.published[0].Find(id));
  }
  EXPECT_EQ(office.last().Find("a"), office.published[0].Find("n2"));
}

TEST(MembershipTest, WhatCannotBePublishedNowIsTriedAgain) {
  Office office;
  office.Serve(Numbered(3));
  office.refusal = Status(Code::kOutOfMemory, "out of memory");
  EXPECT_EQ(office.Serve(Numbered(4)).status.code(), Code::kOutOfMemory);
  EXPECT_EQ(office.membership.ring()->node_count(), 3u);
  EXPECT_FALSE(office.After(milliseconds(49)).has_published);
  office.refusal = Status();
  EXPECT_TRUE(office.After(milliseconds(1)).has_published);
  EXPECT_EQ(office.last().node_count(), 4u);
  EXPECT_EQ(office.last().epoch(), 2u);
  EXPECT_EQ(office.membership.stats().failures, 1u);
}

TEST(MembershipTest, WhatIsRefusedIsForgotten) {
  Office office;
  office.Serve(Numbered(3));
  office.refusal = Status(Code::kRemapRefused, "no");
  EXPECT_EQ(office.Serve(Numbered(4)).status.code(), Code::kRemapRefused);
  EXPECT_EQ(office.membership.Due(), std::nullopt);
  EXPECT_EQ(office.membership.ring()->node_count(), 3u);
  office.refusal = Status();
  EXPECT_FALSE(office.After(hours(1)).has_published);
  office.Serve(Numbered(5));
  EXPECT_EQ(office.last().epoch(), 2u);
}

TEST(MembershipTest, ConfirmedIsAcceptedByTheRouterToo) {
  const Domain domain = MakeDomain(Flavour::kMemb);
  const auto router = MakeRouter(domain);
  Membership membership = Membership::Create({}, *router).value();
  ASSERT_TRUE(membership.Want(Numbered(3), seconds(0)).ok());
  EXPECT_TRUE(membership.Step(seconds(1)).has_published);
  Members other = Numbered(3);
  other.options.vnodes = 17;
  ASSERT_TRUE(membership.Want(other, seconds(1)).ok());
  EXPECT_EQ(membership.Step(seconds(2)).status.code(), Code::kRemapRefused);
  EXPECT_EQ(router->stats().serving_epoch, 1u);
  ASSERT_TRUE(membership.Want(other, seconds(2), true).ok());
  EXPECT_TRUE(membership.Step(seconds(3)).status.ok());
  EXPECT_EQ(router->stats().serving_epoch, 2u);
}

TEST(MembershipTest, ARestartKnowsTheLastEpoch) {
  MembershipOptions options;
  options.last_epoch = 7;
  options.last_digest =
      MakeRing(WithVnodes(16), NumberedNodes("n", 0, 4)).digest();
  EXPECT_EQ(Office(options).Want(Numbered(4, 6)).code(), Code::kStaleEpoch);
  const auto epoch_of = [&](Members members) {
    Office office(options);
    EXPECT_EQ(office.membership.epoch(), 7u);
    EXPECT_EQ(office.membership.base_digest(), options.last_digest);
    office.Serve(std::move(members));
    return office.last().epoch();
  };
  EXPECT_EQ(epoch_of(Numbered(4, 7)), 7u);
  EXPECT_EQ(epoch_of(Numbered(4)), 7u);
  EXPECT_EQ(epoch_of(Numbered(5)), 8u);
  EXPECT_EQ(epoch_of(Numbered(5, 9)), 9u);
  EXPECT_EQ(epoch_of(Numbered(4, 9)), 9u);
  Office office(options);
  const MembershipReport report = office.Serve(Numbered(5, 7));
  EXPECT_EQ(report.status.code(), Code::kEpochConflict);
  EXPECT_TRUE(office.published.empty());
}

TEST(MembershipTest, ARingMayBeWantedAsItIs) {
  Office office;
  const Ring ring =
      MakePointRing(64, std::nullopt, {{1, "a"}, {uint64_t{1} << 40, "b"}})
          .Copy(7)
          .value();
  ASSERT_TRUE(office.membership.Want(ring, office.now).ok());
  EXPECT_TRUE(office.After(seconds(1)).has_published);
  EXPECT_EQ(office.last().digest(), ring.digest());
  EXPECT_EQ(office.last().epoch(), 7u);
  EXPECT_TRUE(office.membership.Want(ring, office.now).ok());
  EXPECT_EQ(office.membership.Due(), std::nullopt) << "known";
  const Ring next =
      MakePointRing(64, std::nullopt, {{1, "a"}, {2, "b"}, {3, "c"}});
  EXPECT_EQ(office.membership.Want(next.Copy(6).value(), office.now).code(),
            Code::kStaleEpoch);
  ASSERT_TRUE(office.membership.Want(next, office.now).ok());
  office.After(seconds(1));
  EXPECT_EQ(office.last().digest(), next.digest());
  EXPECT_EQ(office.last().epoch(), 8u);
  // The same nodes at other points are another ring.
  const Ring moved =
      MakePointRing(64, std::nullopt, {{1, "a"}, {2, "b"}, {4, "c"}});
  ASSERT_TRUE(office.membership.Want(moved, office.now).ok());
  EXPECT_TRUE(office.After(seconds(1)).has_published);
  EXPECT_EQ(office.last().digest(), moved.digest());
  EXPECT_EQ(office.membership.Want(next.Copy(9).value(), office.now).code(),
            Code::kEpochConflict);
  const Ring base =
      MakeRing(WithVnodes(16), NumberedNodes("n", 0, 4)).Copy(9).value();
  const Ring local = RingBuilder::From(base).BuildLocal(base, 1).value();
  EXPECT_EQ(office.membership.Want(local, office.now).code(),
            Code::kInvalidOptions);
}

// A clock that jumps: no change waits for what it jumped, none is lost.
TEST(MembershipTest, ClockJumps) {
  constexpr nanoseconds kYears = hours(24 * 3650);
  Office office;
  office.now = kYears + hours(1);
  ASSERT_TRUE(office.Want(Numbered(3)).ok());
  EXPECT_FALSE(office.After(-kYears).has_published);
  EXPECT_TRUE(office.After(milliseconds(50)).has_published);
  ASSERT_TRUE(office.Want(Numbered(4)).ok());
  EXPECT_TRUE(office.After(kYears).has_published);
  // Nor does a storm hold it back for that long.
  ASSERT_TRUE(office.Want(Numbered(5)).ok());
  office.After(-kYears);
  bool has_published = false;
  for (int i = 0; i < 101; ++i) {
    Node node = MakeNode("n0");
    node.address = std::to_string(i);
    ASSERT_TRUE(office.membership.Update(node, office.now).ok());
    has_published |= office.After(milliseconds(10)).has_published;
  }
  EXPECT_TRUE(has_published);
}

TEST(MembershipTest, RecordsWhatItPublishesAndNothingElse) {
  std::vector<uint64_t> recorded;
  MembershipOptions options;
  Office* at = nullptr;
  options.record = [&](const Ring& ring) {
    EXPECT_EQ(at->published.size(), recorded.size()) << "nobody has seen it";
    recorded.push_back(ring.epoch());
  };
  Office office(options);
  at = &office;
  office.Serve(Numbered(3, 7));
  Members other = Numbered(3, 8);
  other.options.vnodes = 17;
  EXPECT_EQ(office.Serve(other).status.code(), Code::kRemapRefused);
  office.Serve(other, true);
  EXPECT_EQ(recorded, (std::vector<uint64_t>{7, 8}));
  EXPECT_TRUE(office.accepted_remap);
}

TEST(MembershipTest, BadOptionsAreRefused) {
  MembershipOptions options;
  options.quiet = nanoseconds(-1);
  const auto take = [](Ring&&, const PublishOptions&) { return Status(); };
  EXPECT_EQ(Membership::Create(options, take).status().message(),
            "membership: quiet -1 ns; 0 to a year");
  options = {};
  options.max_drop_percent = 101;
  EXPECT_EQ(Membership::Create(options, take).status().message(),
            "membership: max_drop_percent 101; 0 to 100");
  EXPECT_EQ(Membership::Create({}, nullptr).status().code(),
            Code::kInvalidOptions);
}

// With a tracker.

class HealthyOffice : public ::testing::Test {
 protected:
  static HealthOptions Options() {
    HealthOptions options;
    options.slow_start = seconds(0);
    options.jitter_percent = 0;
    return options;
  }
  HealthTracker tracker = HealthTracker::Create(Options()).value();
  Office office{{}, &tracker};

  MembershipReport Kill(NodeIndex node) {
    for (int i = 0; i < 5; ++i) tracker.Failed(node);
    return office.After(seconds(1));
  }
};

TEST_F(HealthyOffice, AnEjectionIsALocalRing) {
  office.Serve(Numbered(20, 7));
  EXPECT_EQ(office.last().local(), 0u);
  const MembershipReport report = Kill(3);
  ASSERT_EQ(report.health.events.size(), 1u);
  EXPECT_TRUE(report.has_published);
  const Ring& local = office.last();
  EXPECT_EQ(local.epoch(), 7u);
  EXPECT_EQ(local.local(), 1u);
  EXPECT_EQ(local.base_digest(), office.published[0].digest());
  EXPECT_EQ(office.membership.base_digest(), local.base_digest());
  EXPECT_NE(local.digest(), local.base_digest());
  EXPECT_EQ(local.node(3).points, 0u);
  EXPECT_EQ(office.membership.ring()->node(3).points, 16u);
  // Nothing more while nothing changes; then it returns under a higher count.
  int published = 0;
  for (int i = 0; i < 60; ++i) {
    published += office.After(seconds(1)).has_published ? 1 : 0;
  }
  EXPECT_EQ(published, 1);
  EXPECT_EQ(office.last().local(), 2u);
  EXPECT_EQ(office.last().digest(), office.last().base_digest());
  office.Serve(Numbered(21));
  EXPECT_EQ(office.last().local(), 0u) << "counted anew under a new epoch";
}

TEST_F(HealthyOffice, ANewRingKeepsWhatIsEjectedAway) {
  office.Serve(Numbered(20));
  Kill(3);
  office.Serve(Numbered(21));
  EXPECT_EQ(office.last().epoch(), 2u);
  EXPECT_EQ(office.last().local(), 1u);
  EXPECT_EQ(office.last().node(3).points, 0u);
  EXPECT_EQ(office.last().base_digest(), office.membership.ring()->digest());
}

TEST_F(HealthyOffice, ALocalRingThatFailsIsTriedAgain) {
  office.Serve(Numbered(20));
  office.refusal = Status(Code::kOutOfMemory, "out of memory");
  EXPECT_EQ(Kill(3).status.code(), Code::kOutOfMemory);
  office.refusal = Status();
  EXPECT_TRUE(office.After(seconds(1)).has_published);
  EXPECT_EQ(office.last().node(3).points, 0u);
  EXPECT_EQ(office.last().local(), 1u);
}

// The tracker must not count for nodes of a ring that does not serve, nor
// forget those of the one that does.
TEST_F(HealthyOffice, ARefusedRingIsNotTracked) {
  office.Serve(Numbered(20));
  const NodeIndex slot = office.last().Find("n3");
  ASSERT_TRUE(office.membership.Remove("n3", office.now).ok());
  ASSERT_TRUE(office.membership.Add(MakeNode("a"), office.now).ok());
  office.refusal = Status(Code::kStaleEpoch, "no");
  EXPECT_EQ(office.After(seconds(1)).status.code(), Code::kStaleEpoch);
  office.refusal = Status();
  EXPECT_EQ(tracker.StateOf(slot), HealthState::kHealthy);
  const MembershipReport report = Kill(slot);
  ASSERT_EQ(report.health.events.size(), 1u);
  EXPECT_EQ(report.health.events[0].id, "n3");
  EXPECT_EQ(office.last().node(slot).points, 0u);
}

TEST_F(HealthyOffice, MoreNodesThanCanBeTrackedAreRefused) {
  office.Serve(Numbered(3));
  Members many = Numbered(1025);
  EXPECT_EQ(office.Serve(many).status.code(), Code::kTooManyNodes);
  EXPECT_EQ(office.membership.ring()->node_count(), 3u);
  EXPECT_FALSE(office.After(seconds(1)).has_published);
}

TEST(MembershipHealthTest, NewNodesRiseByPoints) {
  HealthTracker tracker = HealthTracker::Create({}).value();
  Office office({}, &tracker);
  office.Serve(Numbered(10));
  EXPECT_EQ(office.last().local(), 0u);
  ASSERT_TRUE(office.membership.Add(MakeNode("new"), office.now).ok());
  office.After(seconds(1));
  const NodeIndex slot = office.last().Find("new");
  EXPECT_EQ(office.last().node(slot).points, 2u) << "a tenth of 16";
  uint32_t points = 0;
  for (int i = 0; i < 40; ++i) {
    office.After(seconds(1));
    const uint32_t now = office.last().node(slot).points;
    EXPECT_GE(now, points);
    points = now;
  }
  EXPECT_EQ(points, 16u);
  EXPECT_EQ(office.last().digest(), office.last().base_digest());
}

// As little as a node may weigh: it is there from the beginning.
TEST(MembershipHealthTest, ALightNodeRisesFromItsLastPoint) {
  HealthTracker tracker = HealthTracker::Create({}).value();
  Office office({}, &tracker);
  office.Serve(Numbered(10));
  const Node light = MakeNode("new", Weight::Thousandths(1));
  ASSERT_TRUE(office.membership.Add(light, office.now).ok());
  office.After(seconds(1));
  const NodeView node = office.last().node(office.last().Find("new"));
  EXPECT_EQ(node.weight, light.weight);
  EXPECT_EQ(node.points, 1u);
}

TEST(MembershipHealthTest, SkippingLeavesTheRingAlone) {
  HealthOptions health;
  health.slow_start = seconds(0);
  HealthTracker tracker = HealthTracker::Create(health).value();
  MembershipOptions options;
  options.health_use = HealthUse::kSkip;
  Office office(options, &tracker);
  Members members = Numbered(20);
  office.Serve(members);
  for (int i = 0; i < 5; ++i) tracker.Failed(3);
  const MembershipReport report = office.After(seconds(1));
  EXPECT_EQ(report.health.events.size(), 1u);
  EXPECT_FALSE(report.has_published);
  EXPECT_TRUE(tracker.IsEjected(3));
}

TEST(MembershipHealthTest, WeightsFollowHealthInTheNativeSchemeOnly) {
  HealthTracker tracker = HealthTracker::Create({}).value();
  Members members = Numbered(3);
  members.options.scheme = "points";
  EXPECT_EQ(Office({}, &tracker).Want(members).code(), Code::kInvalidOptions);
  MembershipOptions options;
  options.health_use = HealthUse::kSkip;
  EXPECT_TRUE(Office(options, &tracker).Want(members).ok());
  EXPECT_TRUE(Office().Want(members).ok()) << "no tracker, nothing to follow";
}

}  // namespace
}  // namespace clockwise
