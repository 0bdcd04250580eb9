// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Faults that users of other rings reported in public, as small inputs with the
// right value. Each test names the projects it happened to.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>

#include "ring_maker.h"

namespace clockwise {
namespace {

// node-hashring#11, consistent-hash-js#4, opentelemetry-collector-contrib: the
// order of the node list changed the ring.
TEST(CaseTest, OrderOfTheNodeListDoesNotMatter) {
  auto nodes = NumberedNodes("node-", 0, 10);
  const Ring ring = MakeRing(WithVnodes(160), nodes);
  const auto keys = Keys("key-", 0, 100'000);
  std::mt19937_64 random(1);
  for (int order = 0; order < 22; ++order) {
    if (order == 0) std::reverse(nodes.begin(), nodes.end());
    if (order > 0) std::shuffle(nodes.begin(), nodes.end(), random);
    const Ring other = MakeRing(WithVnodes(160), nodes);
    ASSERT_EQ(ring.digest(), other.digest());
    Ring grown = MakeRing(WithVnodes(160), {});
    for (const Node& node : nodes) {
      RingBuilder builder = RingBuilder::From(grown);
      ASSERT_TRUE(builder.Add(node).ok());
      grown = MakeRing(builder);
    }
    ASSERT_EQ(ring.digest(), grown.digest());
    if (order > 1) continue;
    for (const std::string& key : keys) {
      ASSERT_EQ(OwnerId(ring, key), OwnerId(grown, key));
      NodeIndex a[3], b[3];
      ASSERT_EQ(ring.Replicas(ring.HashOf(key), 3, a), 3u);
      ASSERT_EQ(grown.Replicas(grown.HashOf(key), 3, b), 3u);
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(ring.node(a[i]).id, grown.node(b[i]).id);
      }
    }
  }
}

// pragmatica#1324, pekko#3279, akka.net PR8294, libmemcached#41: of two points
// on one position the last insert won, and removal deleted the other's point.
RingBuilder WithFnvPoints(RingBuilder builder, const std::string& id) {
  std::vector<uint64_t> positions;
  for (int i = 0; i < 100; ++i) {
    const std::string name = id + "#" + std::to_string(i);
    positions.push_back(uint64_t{Fmix32(Fnv1a32(name))} << 32);
  }
  EXPECT_TRUE(builder.Add(MakeNode(id), positions).ok());
  return builder;
}

TEST(CaseTest, PointsOnOnePositionAllSurvive) {
  RingOptions options;
  options.scheme = "points";
  options.width = 32;
  const auto both = [&](const char* first, const char* second) {
    return MakeRing(
        WithFnvPoints(WithFnvPoints(MakeBuilder(options), first), second));
  };
  const Ring ring = both("node-89", "node-1698");
  EXPECT_EQ(ring.point_count(), 200u);
  EXPECT_EQ(ring.collisions(), 16u);
  const Ring reversed = both("node-1698", "node-89");
  EXPECT_EQ(ring.digest(), reversed.digest());
  const uint64_t shared = uint64_t{0xC0D5DAA4} << 32;
  EXPECT_EQ(ring.PositionAt(ring.PointAt(shared)), shared);
  EXPECT_EQ(ring.node(ring.Owner(shared)).id, "node-1698");  // the lesser id
  EXPECT_EQ(reversed.node(reversed.Owner(shared)).id, "node-1698");
  for (const auto& [removed, left] :
       {std::pair("node-89", "node-1698"), std::pair("node-1698", "node-89")}) {
    RingBuilder builder = RingBuilder::From(ring);
    ASSERT_TRUE(builder.Remove(removed).ok());
    const Ring alone = MakeRing(WithFnvPoints(MakeBuilder(options), left));
    EXPECT_EQ(alone.point_count(), 100u);
    EXPECT_EQ(MakeRing(builder).digest(), alone.digest());
  }
}

// The scheme's own collisions at 32 bits.
TEST(CaseTest, CollisionsAreCountedAndKept) {
  RingOptions options = WithVnodes(160);
  options.width = 32;
  const Ring thousand = MakeRing(options, NumberedNodes("node-", 0, 1000));
  EXPECT_EQ(thousand.point_count(), 160'000u);
  EXPECT_EQ(thousand.collisions(), 1u);
  options.vnodes = 2000;
  const Ring dense = MakeRing(options, NumberedNodes("node-", 0, 300));
  EXPECT_EQ(dense.point_count(), 600'000u);
  EXPECT_EQ(dense.collisions(), 39u);
}

// skipper#1796, EnyimMemcachedCore PR208, druid PR1450: similar names and
// sequential keys landed on few nodes.
TEST(CaseTest, SimilarNamesAndSequentialKeysSpread) {
  const auto keys = Keys("sku-", 1, 100'000);
  for (uint32_t width : {32u, 64u}) {
    for (KeyHash key_hash : {KeyHash::kXxh3, KeyHash::kFnv1aFmix}) {
      RingOptions options = WithVnodes(160);
      options.width = width;
      options.key_hash = key_hash;
      const Ring ring =
          MakeRing(options, NumberedNodes("http://127.0.0.1:", 9001, 10));
      std::vector<int> counts(ring.slot_count());
      for (const std::string& key : keys) ++counts[ring.Owner(key)];
      const double mean = static_cast<double>(keys.size()) / 10;
      EXPECT_LE(*std::max_element(counts.begin(), counts.end()) / mean, 1.30);
      EXPECT_GE(*std::min_element(counts.begin(), counts.end()) / mean, 0.70);
    }
  }
}

// envoy#22558: removing a host moved keys of the ones that stayed.
TEST(CaseTest, RemovingANodeMovesOnlyItsKeys) {
  const auto keys = Keys("key-", 0, 100'000);
  for (int count : {3, 10, 100}) {
    const auto nodes = NumberedNodes("10.0.0.", 1, count);
    const Ring before = MakeRing(WithVnodes(160), nodes);
    RingBuilder builder = RingBuilder::From(before);
    const std::string gone = nodes.back().id;
    ASSERT_TRUE(builder.Remove(gone).ok());
    const Ring after = MakeRing(builder);
    int owned = 0, moved = 0;
    for (const std::string& key : keys) {
      const bool was_gone = OwnerId(before, key) == gone;
      const bool has_moved = OwnerId(before, key) != OwnerId(after, key);
      owned += was_gone;
      moved += has_moved;
      ASSERT_FALSE(has_moved && !was_gone) << key;
    }
    EXPECT_EQ(moved, owned);
    EXPECT_GT(owned, 0);
  }
}

// torus#246, hashring#22, traefik PR3130: a small weight got no points.
TEST(CaseTest, TinyWeightsHaveAPoint) {
  const Ring ring = MakeRing(WithVnodes(1), {MakeNode("a", Weight::Whole(1024)),
                                             MakeNode("b", Weight::Whole(1024)),
                                             MakeNode("c", Weight::Whole(5))});
  EXPECT_GE(ring.node(ring.Find("c")).points, 1u);
  for (const std::string& key : Keys("key-", 0, 10'000)) {
    NodeIndex nodes[3];
    ASSERT_EQ(ring.Replicas(ring.HashOf(key), 3, nodes), 3u);
  }
  const Ring tiny = MakeRing(
      WithVnodes(1),
      {MakeNode("a", Weight::Whole(1)), MakeNode("b", Weight::Thousandths(1))});
  EXPECT_EQ(tiny.node(tiny.Find("b")).points, 1u);
}

TEST(CaseTest, WalkReachesEveryNodeOfWeight) {
  std::vector<Node> nodes;
  for (uint32_t i = 0; i < 1000; ++i) {
    char id[16];
    std::snprintf(id, sizeof id, "node%03u", i);
    nodes.push_back(MakeNode(id, Weight::Whole(i)));
  }
  const Ring ring = MakeRing(WithVnodes(1), nodes);
  for (const std::string& key : Keys("key-", 0, 5)) {
    std::set<NodeIndex> met;
    for (NodeIndex node : ring.Clockwise(ring.HashOf(key))) met.insert(node);
    EXPECT_EQ(met.size(), 999u);
    EXPECT_FALSE(met.contains(ring.Find("node000")));
  }
}

TEST(CaseTest, WeightZeroOwnsNothing) {
  const Ring ring =
      MakeRing({}, {MakeNode("a"), MakeNode("b", Weight::Thousandths(0))});
  for (const std::string& key : Keys("key-", 0, 1000)) {
    ASSERT_EQ(OwnerId(ring, key), "a");
    NodeIndex nodes[2];
    ASSERT_EQ(ring.Replicas(ring.HashOf(key), 2, nodes), 1u);
  }
  EXPECT_EQ(ring.digest(), MakeRing({}, {MakeNode("a")}).digest());
  const Ring drained = MakeRing({}, {MakeNode("a", Weight::Thousandths(0))});
  EXPECT_EQ(drained.Owner("key"), kNoNode);
}

// carbon-c-relay PR117, thanos#5639, libring#39, ex_hash_ring PR11: more
// replicas than nodes repeated nodes or never ended.
TEST(CaseTest, MoreReplicasThanNodes) {
  const Ring ring = MakeRing({}, {MakeNode("a"), MakeNode("b")});
  auto keys = Keys("key-", 0, 10'000);
  keys.push_back("14");
  std::vector<NodeIndex> nodes(1'000'000, 12345);
  for (const std::string& key : keys) {
    const uint64_t hash = ring.HashOf(key);
    for (const auto& [n, found] : {std::pair<size_t, size_t>(0, 0),
                                   {1, 1},
                                   {2, 2},
                                   {3, 2},
                                   {1'000'000, 2}}) {
      ASSERT_EQ(ring.Replicas(hash, n, nodes.data()), found);
      ASSERT_TRUE(found < 2 || nodes[0] != nodes[1]);
      ASSERT_TRUE(found < 1 || nodes[0] == ring.Owner(hash));
    }
  }
  EXPECT_EQ(nodes[2], 12345u);
}

TEST(CaseTest, StartingEmptyAndFillingLaterWorks) {
  const Ring empty = MakeRing({}, {});
  NodeIndex node = 7;
  EXPECT_EQ(empty.Replicas(5, 3, &node), 0u);
  EXPECT_EQ(node, 7u);
  RingBuilder builder = RingBuilder::From(empty);
  ASSERT_TRUE(builder.Add(MakeNode("a")).ok());
  EXPECT_EQ(OwnerId(MakeRing(builder), "x"), "a");
}

// go-rendezvous#1, dubbo-go#3510, ringpop-node#167: the empty ring, the last
// node, an unknown node.
TEST(CaseTest, EmptyRingLastNodeUnknownNode) {
  for (auto layout :
       {Layout::kSorted, Layout::kEytzinger, Layout::kSplus, Layout::kLine}) {
    for (uint32_t width : {32u, 64u}) {
      RingOptions options;
      options.layout = layout;
      options.width = width;
      const Ring fresh = MakeRing(options, {});
      EXPECT_EQ(fresh.Owner("key"), kNoNode);
      EXPECT_EQ(fresh.Owner(~uint64_t{0}), kNoNode);
      NodeIndex owners[3] = {1, 2, 3};
      const uint64_t hashes[3] = {0, 1, ~uint64_t{0}};
      fresh.Owners(hashes, 3, owners);
      for (NodeIndex owner : owners) EXPECT_EQ(owner, kNoNode);
      for ([[maybe_unused]] NodeIndex node : fresh.Clockwise(1)) FAIL();

      const Ring one = MakeRing(options, {MakeNode("a")});
      EXPECT_EQ(one.Owner("key"), one.Find("a"));
      RingBuilder removing = RingBuilder::From(one);
      EXPECT_TRUE(removing.Remove("a").ok());
      EXPECT_EQ(removing.Remove("a").code(), Code::kUnknownNode);
      EXPECT_EQ(removing.Remove("b").code(), Code::kUnknownNode);
      const Ring emptied = MakeRing(removing);
      EXPECT_EQ(emptied.Owner("key"), kNoNode);
      EXPECT_EQ(emptied.digest(), fresh.digest());
    }
  }
  const Ring two = MakeRing({}, {MakeNode("a"), MakeNode("b")});
  EXPECT_NE(two.digest(), MakeRing({}, {MakeNode("a")}).digest());
  const Ring single = MakeRing(WithVnodes(1), {MakeNode("a")});
  EXPECT_EQ(single.point_count(), 1u);
  EXPECT_EQ(OwnerId(single, "anything"), "a");
}

// carbon-c-relay#260, scala-redis PR5, predis#2: the edges of the search.
TEST(CaseTest, SearchEdges) {
  const auto at = [](uint64_t p) { return p << 32; };
  struct Case {
    std::vector<std::pair<uint64_t, std::string>> points;
    std::vector<std::pair<uint64_t, std::string>> owners;
  };
  const uint64_t last = 4294967295;
  const Case cases[] = {
      {{{at(100), "A"}, {at(200), "B"}, {at(last), "C"}},
       {{0, "A"},
        {99, "A"},
        {100, "A"},
        {101, "B"},
        {200, "B"},
        {201, "C"},
        {last - 1, "C"},
        {last, "C"}}},
      {{{at(100), "A"}, {at(200), "B"}},
       {{0, "A"}, {100, "A"}, {200, "B"}, {201, "A"}, {last, "A"}}},
      {{{at(0), "A"}, {at(last), "B"}}, {{0, "A"}, {1, "B"}, {last, "B"}}}};
  for (auto layout :
       {Layout::kSorted, Layout::kEytzinger, Layout::kSplus, Layout::kLine}) {
    for (uint32_t width : {32u, 64u}) {
      for (const Case& c : cases) {
        const Ring ring = MakePointRing(width, layout, c.points);
        for (const auto& [hash, owner] : c.owners) {
          EXPECT_EQ(ring.node(ring.Owner(at(hash))).id, owner) << hash;
        }
      }
    }
  }
}

// redis-rb PR354, effect PR6911: a duplicate id doubled a node's points.
TEST(CaseTest, AddingTwiceChangesNothing) {
  RingBuilder builder = MakeBuilder(WithVnodes(160), {MakeNode("a")});
  EXPECT_TRUE(builder.Add(MakeNode("a")).ok());
  EXPECT_EQ(MakeRing(builder).point_count(), 160u);
  const Status status = builder.Add(MakeNode("a", Weight::Whole(2)));
  EXPECT_EQ(status.code(), Code::kDuplicateNode);
  EXPECT_NE(status.message().find("'a'"), std::string::npos);
  EXPECT_EQ(MakeRing(builder).point_count(), 160u);
}

TEST(CaseTest, UpdatesOfWeightOnlyAndAddressOnly) {
  RingBuilder builder =
      MakeBuilder(WithVnodes(160), {MakeNode("a"), MakeNode("b")});
  ASSERT_TRUE(builder.SetWeight("a", Weight::Whole(2)).ok());
  const Ring heavier = MakeRing(builder);
  EXPECT_EQ(heavier.node(heavier.Find("a")).points, 320u);
  Node moved = MakeNode("a", Weight::Whole(2));
  moved.address = "10.0.0.9:1";
  ASSERT_TRUE(builder.Update(moved).ok());
  const Ring readdressed = MakeRing(builder);
  EXPECT_EQ(readdressed.node(readdressed.Find("a")).address, "10.0.0.9:1");
  EXPECT_EQ(readdressed.point_count(), heavier.point_count());
}

// envoy#13862, haproxy-ingress#798, dubbo PR590: keys moved when only an
// address changed.
TEST(CaseTest, AddressIsNotIdentity) {
  auto nodes = NumberedNodes("n", 1, 5);
  for (Node& node : nodes) node.address = "10.0.0.1:80";
  const Ring before = MakeRing({}, nodes);
  nodes[1].address = "host-with-a-new-name:8080";
  const Ring after = MakeRing({}, nodes);
  EXPECT_EQ(before.digest(), after.digest());
  EXPECT_NE(before.records_digest(), after.records_digest());
  for (const std::string& key : Keys("key-", 0, 100'000)) {
    ASSERT_EQ(OwnerId(before, key), OwnerId(after, key));
  }
}

// Hosts compare it too, so it may not change by accident.
TEST(CaseTest, RecordsDigestIsPinned) {
  Node b = MakeNode("b", Weight::Whole(2));
  b.zone = "z";
  EXPECT_EQ(ToHex(MakeRing({}, {MakeNode("a"), b}).records_digest()),
            "a4451ec05a77b003d154d353ab4f6ffc");
}

// envoy#27317, mosn PR2077: a retry met the node that had just failed.
TEST(CaseTest, RetriesMeetTheNextReplica) {
  const Ring ring = MakeRing({}, NumberedNodes("n", 0, 6));
  for (const std::string& key : Keys("key-", 0, 2000)) {
    const uint64_t hash = ring.HashOf(key);
    NodeIndex walk[6];
    ASSERT_EQ(ring.Replicas(hash, 6, walk), 6u);
    std::set<NodeIndex> failed;
    for (NodeIndex expected : walk) {
      auto tries =
          ring.Clockwise(hash, [&](NodeIndex n) { return failed.contains(n); });
      ASSERT_EQ(*tries.begin(), expected);
      failed.insert(expected);
    }
    auto none =
        ring.Clockwise(hash, [&](NodeIndex n) { return failed.contains(n); });
    ASSERT_TRUE(none.begin() == none.end());
  }
}

// ringpop-go PR192, cadence PR5672: what the digest covers.
TEST(CaseTest, DigestChangesWithWhatPlacementReads) {
  const std::vector<Node> nodes = {MakeNode("a"), MakeNode("b")};
  const Hash128 base = MakeRing({}, nodes).digest();
  const auto with_options = [&](auto change) {
    RingOptions options;
    change(options);
    return MakeRing(options, nodes).digest();
  };
  EXPECT_NE(base, with_options([](auto& o) { o.seed = 1; }));
  EXPECT_NE(base, with_options([](auto& o) { o.vnodes = 511; }));
  EXPECT_NE(base, with_options([](auto& o) { o.width = 32; }));
  EXPECT_NE(base, with_options([](auto& o) { o.name = "x"; }));
  EXPECT_NE(base,
            with_options([](auto& o) { o.key_hash = KeyHash::kFnv1aFmix; }));
  EXPECT_EQ(base, with_options([](auto& o) { o.layout = Layout::kSorted; }));
  EXPECT_EQ(base, with_options([](auto& o) { o.max_points = 5000; }));
  const auto with_node = [&](auto change) {
    auto changed = nodes;
    change(changed[1]);
    return MakeRing({}, changed).digest();
  };
  EXPECT_NE(base, with_node([](Node& n) { n.id = "c"; }));
  EXPECT_NE(base,
            with_node([](Node& n) { n.weight = Weight::Thousandths(999); }));
  EXPECT_NE(base, with_node([](Node& n) { n.region = "r"; }));
  EXPECT_NE(base, with_node([](Node& n) { n.zone = "r"; }));
  EXPECT_NE(base, with_node([](Node& n) { n.rack = "r"; }));
  EXPECT_EQ(base, with_node([](Node& n) { n.address = "r"; }));
  EXPECT_NE(with_node([](Node& n) { n.zone = "r"; }),
            with_node([](Node& n) { n.rack = "r"; }));
  const auto points = [](uint64_t p, const char* id) {
    return MakePointRing(64, std::nullopt, {{p, id}, {9, "b"}}).digest();
  };
  EXPECT_NE(points(5, "a"), points(6, "a"));
  EXPECT_NE(points(5, "a"), points(5, "c"));
  const Ring epoch = std::move(MakeBuilder({}, nodes).Build(77)).value();
  EXPECT_EQ(epoch.epoch(), 77u);
  EXPECT_EQ(base, epoch.digest());
}

}  // namespace
}  // namespace clockwise
