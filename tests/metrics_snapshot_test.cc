// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/metrics_snapshot.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "control/exposition.h"
#include "metrics_maker.h"
#include "router_maker.h"

namespace clockwise {
namespace {

using nlohmann::json;

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Counts of a ring, by slot.
Counts CountsOf(const Ring& ring, const std::vector<uint64_t>& by_slot) {
  auto collector = std::move(CountCollector::Create()).value();
  EXPECT_TRUE(collector.Track(ring).ok());
  auto thread = std::move(collector.Join()).value();
  for (NodeIndex slot = 0; slot < by_slot.size(); ++slot) {
    thread.CountTimes(slot, by_slot[slot]);
  }
  return collector.Read();
}

TEST(SnapshotTest, LeavesOutWhatIsNotSet) {
  const Ring ring = MakeRing(WithVnodes(4), NumberedNodes("n", 0, 2));
  const MetricsSnapshot snapshot = MetricsSnapshot::Of(ring);
  const std::string page = ToPrometheus(snapshot);
  std::set<std::string> families;
  for (size_t at = 0; (at = page.find("# TYPE ", at)) != std::string::npos;) {
    at += 7;
    families.insert(page.substr(at, page.find(' ', at) - at));
  }
  EXPECT_EQ(families, (std::set<std::string>{
                          "clockwise_ring_info", "clockwise_ring_epoch",
                          "clockwise_ring_local", "clockwise_node_weight",
                          "clockwise_node_due_ratio"}));
  const json parsed = json::parse(ToJson(snapshot));
  EXPECT_EQ(parsed.size(), 7u);
  EXPECT_EQ(parsed["nodes"][0],
            (json{{"id", "n0"}, {"zone", ""}, {"weight", 1.0}, {"due", 0.5}}));
  EXPECT_EQ(parsed["digest"], ToHex(ring.digest()));
}

TEST(SnapshotTest, TellsALocalRingFromTheOneItStandsFor) {
  const Ring ring =
      MakeRing(WithVnodes(4), NumberedNodes("n", 0, 2)).Copy(7).value();
  RingBuilder builder = RingBuilder::From(ring);
  ASSERT_TRUE(builder.SetWeight("n1", Weight::Thousandths(500)).ok());
  const Ring local = builder.BuildLocal(ring, 3).value();
  EXPECT_EQ(Classify(StampOf(local), StampOf(ring)), Drift::kCurrent);
  const MetricsSnapshot snapshot = MetricsSnapshot::Of(local);
  const json parsed = json::parse(ToJson(snapshot));
  EXPECT_EQ(parsed["local"], 3);
  EXPECT_EQ(parsed["digest"], ToHex(local.digest()));
  EXPECT_EQ(parsed["base_digest"], ToHex(ring.digest()));
  const std::string page = ToPrometheus(snapshot);
  EXPECT_TRUE(Has(page, ToHex(ring.digest())));
  EXPECT_TRUE(Has(page, "clockwise_ring_local{ring=\"\"} 3\n"));
}

TEST(SnapshotTest, HoldsSharesAgainstWeights) {
  auto nodes = NumberedNodes("n", 0, 3);
  nodes[1].weight = Weight::Whole(2);
  nodes[2].weight = Weight::Whole(0);
  const Ring ring = MakeRing(WithVnodes(512), nodes);
  MetricsSnapshot snapshot = MetricsSnapshot::Of(ring);
  snapshot.AddCounts(CountsOf(ring, {600'000, 400'000, 0}));
  const auto& hot = snapshot.nodes[0];
  EXPECT_EQ(hot.count, 600'000u);
  EXPECT_DOUBLE_EQ(hot.load->share, 0.6);
  EXPECT_DOUBLE_EQ(hot.load->ratio, 1.8);
  EXPECT_EQ(hot.load->verdict.level, BalanceLevel::kAlarm);
  EXPECT_DOUBLE_EQ(snapshot.nodes[1].load->ratio, 0.6);
  EXPECT_EQ(snapshot.nodes[1].load->verdict.level, BalanceLevel::kOk);
  EXPECT_FALSE(snapshot.nodes[2].load);
  EXPECT_TRUE(Has(ToPrometheus(snapshot),
                  "clockwise_node_load_level{ring=\"\",node=\"n0\",zone=\"\"} "
                  "2\n"));
  // So few requests prove nothing, and it says so.
  snapshot.AddCounts(CountsOf(ring, {6, 4, 0}));
  EXPECT_DOUBLE_EQ(snapshot.nodes[0].load->ratio, 1.8);
  EXPECT_EQ(snapshot.nodes[0].load->verdict.level, BalanceLevel::kOk);
  const json load = json::parse(ToJson(snapshot))["nodes"][0]["load"];
  EXPECT_EQ(load["level"], "ok");
  EXPECT_EQ(load["by_chance"], true);
}

TEST(SnapshotTest, SharesAreOfRequestsSinceTheLastChange) {
  const Ring first = MakeRing(WithVnodes(512), NumberedNodes("n", 0, 2));
  auto collector = std::move(CountCollector::Create()).value();
  ASSERT_TRUE(collector.Track(first).ok());
  auto thread = std::move(collector.Join()).value();
  thread.CountTimes(0, 1'000'000);
  auto change = RingBuilder::From(first);
  ASSERT_TRUE(change.Add(MakeNode("n2")).ok());
  const Ring second = MakeRing(change);
  ASSERT_TRUE(collector.Track(second).ok());
  for (NodeIndex slot : {0u, 1u, 2u}) thread.CountTimes(slot, 1000);
  MetricsSnapshot snapshot = MetricsSnapshot::Of(second);
  snapshot.AddCounts(collector.Read());
  EXPECT_EQ(snapshot.nodes[0].count, 1'001'000u);
  EXPECT_DOUBLE_EQ(snapshot.nodes[0].load->ratio, 1);
  EXPECT_DOUBLE_EQ(snapshot.nodes[2].load->ratio, 1);
}

TEST(SnapshotTest, CountsOfAnotherRingGoByIdAndProveNothing) {
  const Ring ring = MakeRing(WithVnodes(4), NumberedNodes("n", 0, 2));
  const Ring other = MakeRing(WithVnodes(4), NumberedNodes("n", 1, 2));
  MetricsSnapshot snapshot = MetricsSnapshot::Of(ring);
  snapshot.AddCounts(CountsOf(other, {3, 4}));
  EXPECT_FALSE(snapshot.nodes[0].count);
  EXPECT_EQ(snapshot.nodes[1].count, 3u);
  EXPECT_FALSE(snapshot.nodes[1].load);
  EXPECT_EQ(snapshot.counts->departed, 4u);
  snapshot.AddCounts(CountsOf(ring, {}));
  EXPECT_FALSE(snapshot.nodes[1].load);  // there are none
}

TEST(SnapshotTest, TellsHealthAndItsHistory) {
  const Ring ring = MakeRing(WithVnodes(4), NumberedNodes("n", 0, 20));
  auto tracker = std::move(HealthTracker::Create({})).value();
  ASSERT_TRUE(tracker.Track(ring).ok());
  HealthCounts history;
  history.Add(tracker.Evaluate(std::chrono::seconds(1)));
  for (int i = 0; i < 5; ++i) tracker.Failed(3);
  history.Add(tracker.Evaluate(std::chrono::seconds(2)));
  history.Add({.events = {}, .is_panic = true, .has_changed = false});
  EXPECT_EQ(history.changes[2][0], 1u);
  EXPECT_EQ(history.panics, 1u);
  MetricsSnapshot snapshot = MetricsSnapshot::Of(ring);
  snapshot.AddHealth(tracker);
  snapshot.health = history;
  const std::string page = ToPrometheus(snapshot);
  const std::string id(ring.node(3).id);
  EXPECT_TRUE(Has(page, "clockwise_node_health_level_ratio{ring=\"\",node=\"" +
                            id + "\",zone=\"\"} 0\n"));
  EXPECT_TRUE(Has(page,
                  "clockwise_health_changes_total{ring=\"\",state=\"ejected\","
                  "reason=\"consecutive failures\"} 1\n"));
  const json parsed = json::parse(ToJson(snapshot));
  EXPECT_EQ(parsed["health"]["changes"],
            (json::array({{{"state", "ejected"},
                           {"reason", "consecutive failures"},
                           {"count", 1}}})));
}

TEST(SnapshotTest, TellsRequestsInFlightAndCaps) {
  const Ring ring = MakeRing(WithVnodes(4), NumberedNodes("n", 0, 4));
  LoadTable loads = std::move(LoadTable::Create(4)).value();
  const auto bounded =
      std::move(BoundedLoad::Build(
                    ring, loads,
                    {.is_ejected = [](NodeIndex node) { return node == 2; }}))
          .value();
  const Ticket ticket = bounded.Acquire(ring, ring.HashOf("k"));
  MetricsSnapshot snapshot = MetricsSnapshot::Of(ring);
  snapshot.AddLoads(bounded, loads);
  EXPECT_EQ(snapshot.in_flight, 1u);
  for (const NodeMetrics& node : snapshot.nodes) {
    EXPECT_EQ(node.in_flight.has_value(), node.slot != 2);
    if (!node.in_flight) continue;
    EXPECT_EQ(node.in_flight->requests, node.slot == ticket.node() ? 1u : 0u);
    EXPECT_EQ(node.in_flight->cap, bounded.Cap(node.slot, 2));
  }
}

TEST(SnapshotTest, RoutersCountWhatTheyRefuse) {
  const Domain domain = MakeDomain(Flavour::kMemb);
  const auto router = MakeRouter(domain, 3);
  PublishOk(*router, EpochRing(5));
  EXPECT_EQ(PublishCode(*router, EpochRing(4)), Code::kStaleEpoch);
  EXPECT_EQ(PublishCode(*router, EpochRing(3)), Code::kStaleEpoch);
  EXPECT_EQ(PublishCode(*router, EpochRing(6, WithVnodes(9))),
            Code::kRemapRefused);
  PublishOk(*router, EpochRing(5));
  const Reader reader = MakeReader(domain);
  {
    const Pin pin(reader);
    ASSERT_EQ(router->Current(pin).epoch(), 5u);
    EXPECT_EQ(PublishCode(*router, EpochRing(9)), Code::kWouldDeadlock);
    std::thread([&] {
      for (uint64_t epoch : {6u, 7u, 8u}) PublishOk(*router, EpochRing(epoch));
    }).join();
    const RouterStats stats = router->stats();
    EXPECT_EQ(stats.published, 2u);
    EXPECT_EQ(stats.held_back, 2u);
    EXPECT_EQ(stats.replaced, 1u);
  }
  MetricsSnapshot snapshot;
  snapshot.router = router->stats();
  EXPECT_EQ(snapshot.router->unchanged, 1u);
  const json refused = json::parse(ToJson(snapshot))["router"]["refused"];
  EXPECT_EQ(refused.size(), kCodeCount - 1);
  for (const auto& [code, count] : refused.items()) {
    const int expected = code == "stale_epoch"      ? 2
                         : code == "remap_refused"  ? 1
                         : code == "would_deadlock" ? 1
                                                    : 0;
    EXPECT_EQ(count, expected) << code;
  }
  EXPECT_TRUE(Has(ToPrometheus(snapshot),
                  "clockwise_router_refused_total{ring=\"\",code=\"stale_"
                  "epoch\"} 2\n"));
}

// Every code has its place in the counts of refusals, and a name.
TEST(SnapshotTest, AllCodesAreCounted) {
  for (size_t code = 0; code < kCodeCount; ++code) {
    EXPECT_NE(CodeName(static_cast<Code>(code)), "unknown");
  }
  EXPECT_EQ(CodeName(static_cast<Code>(kCodeCount)), "unknown");
}

TEST(LabelTextTest, IsReversibleAndNoTwoAreAlike) {
  EXPECT_EQ(LabelText("a\"b"), "a\"b");
  EXPECT_EQ(LabelText("a\\b"), "a\\\\b");
  EXPECT_EQ(LabelText("a\nb"), "a\nb");
  EXPECT_EQ(LabelText(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(LabelText("\x7f\t"), "\\x7f\\x09");
  EXPECT_EQ(LabelText("\xe2\x82\xac\xe2\x82"), "\xe2\x82\xac\\xe2\\x82");
  EXPECT_EQ(LabelText("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  std::set<std::string> texts;
  for (const std::string& id : HostileIds()) texts.insert(LabelText(id));
  EXPECT_EQ(texts.size(), HostileIds().size());
}

TEST(SnapshotTest, JsonTakesAnyBytes) {
  const Ring ring = HostileRing();
  const json parsed = json::parse(ToJson(FullSnapshot(ring)));
  EXPECT_EQ(parsed["epoch"], "9007199254740992");
  EXPECT_EQ(parsed["ring"], "ring \"\\\n");
  std::set<std::string> ids;
  for (const json& node : parsed["nodes"]) {
    ids.insert(node.contains("id") ? node["id"] : node["id_hex"]);
  }
  EXPECT_EQ(ids.size(), HostileIds().size());
  EXPECT_TRUE(ids.contains("fffe"));
  EXPECT_TRUE(ids.contains(std::string("n\0ul", 4)));
  EXPECT_EQ(parsed["hot_keys"][0]["key_hex"], "686f742022ff22");
  EXPECT_EQ(parsed["hot_keys"][1]["key"], "hot");
}

}  // namespace
}  // namespace clockwise
