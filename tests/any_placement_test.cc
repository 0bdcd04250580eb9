// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placements by name, by a rule of one's own, and of whatever kind.
#include "clockwise/any_placement.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "clockwise/rule_placement.h"
#include "clockwise/scheme.h"
#include "failing_new.h"
#include "failing_source.h"
#include "placement_maker.h"

namespace clockwise {
namespace {

Members MembersOf(std::string_view scheme, const std::vector<Node>& nodes,
                  Params params = {}) {
  Members members;
  members.source = "here";
  members.options.scheme = scheme;
  members.options.params = std::move(params);
  members.nodes = nodes;
  return members;
}

std::vector<Node> Numbered(int count) {
  std::vector<Node> nodes;
  for (int i = 0; i < count; ++i) {
    nodes.push_back(MakeNode("node-" + std::to_string(i)));
  }
  return nodes;
}

AnyPlacement BuiltFrom(const Members& members) {
  return Built(BuildPlacement(members));
}

std::string RefusalOf(const Members& members) {
  return std::string(BuildPlacement(members).status().message());
}

// Each form of the question has the answer of the placement inside.
template <typename P>
void ExpectSame(const AnyPlacement& any, const P& placement) {
  EXPECT_EQ(any.scheme(), placement.scheme());
  EXPECT_EQ(any.name(), placement.name());
  EXPECT_EQ(any.digest(), placement.digest());
  EXPECT_EQ(any.seed(), placement.seed());
  EXPECT_EQ(any.key_hash(), placement.key_hash());
  EXPECT_EQ(any.bytes(), placement.bytes());
  EXPECT_EQ(any.node_count(), placement.node_count());
  EXPECT_EQ(any.has_replicas(), ReplicatedPlacement<P>);
  EXPECT_FALSE(any.needs_key());
  ExpectBatchesAgree(any, 3);
  for (int i = 0; i < 500; ++i) {
    const std::string key = "key-" + std::to_string(i);
    const uint64_t hash = placement.HashOf(key);
    EXPECT_EQ(any.HashOf(key), hash);
    EXPECT_EQ(any.Owner(key), placement.Owner(key));
    EXPECT_EQ(any.Owner(hash), placement.Owner(hash));
    NodeIndex nodes[3] = {};
    const size_t count = any.Replicas(hash, 3, nodes);
    EXPECT_EQ(nodes[0], placement.Owner(hash));
    if constexpr (ReplicatedPlacement<P>) {
      NodeIndex own[3] = {};
      EXPECT_EQ(placement.Replicas(hash, 3, own), count);
      EXPECT_TRUE(std::equal(own, own + count, nodes));
    } else {
      EXPECT_EQ(count, 1u);
    }
  }
  for (NodeIndex node = 0; node < any.slot_count(); ++node) {
    EXPECT_EQ(any.Find(any.node(node).id), node);
  }
  EXPECT_EQ(any.node(kNoNode).id, "");
}

TEST(AnyPlacementTest, SchemesByNameAreTheTypes) {
  const auto nodes = Numbered(7);
  const auto any = [&](const char* scheme, Params params = {}) {
    Members members = MembersOf(scheme, nodes, std::move(params));
    members.options.name = "n";
    members.options.seed = 5;
    members.options.key_hash = KeyHash::kFnv1aFmix;
    return BuiltFrom(members);
  };
  const PlacementOptions options = {"n", 5, KeyHash::kFnv1aFmix};
  ExpectSame(any("modulo"), Built(Modulo::Build(nodes, options)));
  ExpectSame(any("jump"), Built(Jump::Build(nodes, options)));
  ExpectSame(any("rendezvous"), Built(Rendezvous::Build(nodes, options)));
  ExpectSame(any("multi-probe"), Built(MultiProbe::Build(nodes, options)));
  ExpectSame(any("maglev", {{"table_size", "1021"}}),
             Built(Maglev::Build(nodes, {options, 1021})));
  ExpectSame(any("anchor", {{"capacity", "20"}, {"removed", "3,1"}}),
             Built(Anchor::Build(nodes, {options, 20, {3, 1}})));
  ExpectSame(any("slots", {{"slots", "64"}}),
             Built(Slots::Build(nodes, {options, 64, {}})));
  const AnyPlacement guava = any("guava-jump");
  EXPECT_EQ(guava.scheme(), "guava-jump");
  for (uint64_t hash : RandomHashes(1, 100)) {
    EXPECT_EQ(guava.Owner(hash),
              static_cast<NodeIndex>(GuavaConsistentHash(hash, 7)));
  }
}

TEST(AnyPlacementTest, HoldsRings) {
  const auto nodes = Numbered(7);
  const AnyPlacement any = BuiltFrom(MembersOf("clockwise-1", nodes));
  ExpectSame(any, MakeRing(RingOptions(), nodes));
  ASSERT_NE(any.ring(), nullptr);
  EXPECT_EQ(any.ring()->digest(), any.digest());
  EXPECT_EQ(BuiltFrom(MembersOf("jump", nodes)).ring(), nullptr);
}

TEST(AnyPlacementTest, SlotsKeepTheTableThatNodesList) {
  auto nodes = Numbered(3);
  nodes[0].params["slots"] = "0-3";
  nodes[1].params["slots"] = "4-7";
  const Members members = MembersOf("slots", nodes, {{"slots", "9"}});
  const AnyPlacement slots = BuiltFrom(members);
  int kept = 0;
  for (uint64_t slot = 0; slot < 8; ++slot) {
    kept += slots.Owner(slot) == slot / 4 ? 1 : 0;
  }
  EXPECT_EQ(kept, 6);  // three each
  nodes[1].params["slots"] = "3";
  EXPECT_EQ(RefusalOf(MembersOf("slots", nodes)),
            "here: node 'node-1': slot 3 is of 'node-0' as well");
  for (const char* bad : {"9", "5-4", "x", "1-", ","}) {
    nodes[1].params["slots"] = bad;
    EXPECT_NE(RefusalOf(MembersOf("slots", nodes, {{"slots", "9"}}))
                  .find("a range below 9"),
              std::string::npos)
        << bad;
  }
}

TEST(AnyPlacementTest, RefusesWhatSchemesDoNotTake) {
  const auto nodes = Numbered(3);
  EXPECT_EQ(RefusalOf(MembersOf("jump", nodes, {{"x", "1"}})),
            "here: unknown parameter 'x'; scheme jump has none");
  EXPECT_EQ(RefusalOf(MembersOf("maglev", nodes, {{"table_size", "1"}})),
            "here: parameter 'table_size': '1'; 2 to 134217728 is wanted");
  EXPECT_EQ(RefusalOf(MembersOf("anchor", nodes, {{"removed", "1,b"}})),
            "here: parameter 'removed': 'b'; a list of buckets, as 4,0, is "
            "wanted");
  Members members = MembersOf("modulo", nodes);
  members.options.vnodes = 7;
  EXPECT_EQ(RefusalOf(members),
            "here: vnodes 7; scheme modulo does not take it");
  members.options.vnodes = RingOptions().vnodes;
  members.options.max_points = 7;
  EXPECT_EQ(RefusalOf(members),
            "here: max_points 7; scheme modulo does not take it");
  EXPECT_EQ(BuildRing(MembersOf("modulo", nodes)).status().message(),
            "here: scheme 'modulo' is not a ring but another placement");
  auto heavy = nodes;
  heavy[1].weight = Weight::Whole(2);
  EXPECT_EQ(RefusalOf(MembersOf("guava-jump", heavy)),
            "here: node 'node-1': weight 2; scheme guava-jump has none but 1");
  EXPECT_EQ(RegisterScheme(*FindScheme("jump")).code(), Code::kInvalidArgument);
}

// Of each hash its remainder, one node having none.
class Remainder final : public OwnerRule {
 public:
  explicit Remainder(uint32_t nodes) : nodes_(nodes) {}
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept override {
    const auto rest = static_cast<NodeIndex>(hash % (nodes_ + 1));
    return rest == nodes_ ? kNoNode : rest;
  }

 private:
  uint32_t nodes_;
};

// The key's first byte decides.
class FirstByte final : public OwnerRule {
 public:
  [[nodiscard]] NodeIndex Owner(uint64_t /*hash*/) const noexcept override {
    return kNoNode;
  }
  [[nodiscard]] bool needs_key() const noexcept override { return true; }
  [[nodiscard]] NodeIndex OwnerOfKey(
      std::string_view key, uint64_t /*hash*/) const noexcept override {
    return key.empty() ? kNoNode : static_cast<NodeIndex>(key[0] - 'a');
  }
};

RuleOptions RuleNamed(const std::string& scheme) {
  RuleOptions options;
  options.scheme = scheme;
  return options;
}

TEST(RulePlacementTest, AsksTheRule) {
  const auto nodes = Numbered(3);
  const AnyPlacement any(Built(RulePlacement::Build(
      nodes, RuleNamed("mine"), std::make_unique<Remainder>(3))));
  ExpectBatchesAgree(any, 9);
  EXPECT_EQ(any.Owner(uint64_t{5}), 1u);
  EXPECT_EQ(any.Owner(uint64_t{7}), kNoNode);
  NodeIndex node = 9;
  EXPECT_EQ(any.Replicas(7, 1, &node), 0u);
  EXPECT_EQ(any.Replicas(6, 1, &node), 1u);
  EXPECT_EQ(node, 2u);
}

TEST(RulePlacementTest, AsksForTheKeyWhereTheHashIsNotEnough) {
  const AnyPlacement any(Built(RulePlacement::Build(
      Numbered(3), RuleNamed("mine"), std::make_unique<FirstByte>())));
  EXPECT_TRUE(any.needs_key());
  EXPECT_EQ(any.Owner("bx"), 1u);
  EXPECT_EQ(any.Owner(any.HashOf("bx")), kNoNode);
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) texts.push_back(std::string(1, "abc"[i % 3]));
  texts.emplace_back();
  const std::vector<std::string_view> keys(texts.begin(), texts.end());
  std::vector<NodeIndex> owners(keys.size());
  any.Owners(keys.data(), keys.size(), owners.data());
  for (size_t i = 0; i < 300; ++i) ASSERT_EQ(owners[i], i % 3);
  EXPECT_EQ(owners.back(), kNoNode);
  any.Owners(FixedKeys{"abcabc", 1, 2, 3}, owners.data());
  EXPECT_EQ(owners[0], 0u);
  EXPECT_EQ(owners[1], 2u);
  EXPECT_EQ(owners[2], 1u);
}

TEST(RulePlacementTest, NumbersNodesByListOrById) {
  const std::vector<Node> nodes = {MakeNode("b", Weight::Whole(0)),
                                   MakeNode("a"), MakeNode("c")};
  RuleOptions options = RuleNamed("mine");
  const auto first = [&] {
    return std::string(
        Built(RulePlacement::Build(nodes, options,
                                   std::make_unique<Remainder>(3)))
            .node(0)
            .id);
  };
  EXPECT_EQ(first(), "b");
  options.is_order_dependent = false;
  EXPECT_EQ(first(), "a");
}

TEST(RulePlacementTest, ParametersAreShownAndInTheDigest) {
  std::vector<Node> nodes = {MakeNode("b"), MakeNode("a")};
  nodes[0].params["slots"] = "1-5";
  RuleOptions options = RuleNamed("mine");
  const auto build = [&] {
    return Built(
        RulePlacement::Build(nodes, options, std::make_unique<Remainder>(2)));
  };
  const Hash128 digest = build().digest();
  EXPECT_EQ(build().node(0).params.Find("slots"), "1-5");
  EXPECT_TRUE(build().node(1).params.empty());
  nodes[0].params["slots"] = "1-6";
  EXPECT_NE(build().digest(), digest);
  nodes[0].params["slots"] = "1-5";
  EXPECT_EQ(build().digest(), digest);
  options.params["x"] = "y";
  EXPECT_NE(build().digest(), digest);
  options.params.clear();
  nodes[0].weight = Weight::Whole(0);
  EXPECT_NE(build().digest(), digest);
}

TEST(RulePlacementTest, RefusesBadOptions) {
  const auto refusal = [](const RuleOptions& options,
                          const std::vector<Node>& nodes) {
    return std::string(
        RulePlacement::Build(nodes, options, std::make_unique<Remainder>(1))
            .status()
            .message());
  };
  EXPECT_EQ(refusal(RuleNamed(""), {}),
            ": the scheme's id has 0 bytes; 1 to 255");
  RuleOptions options = RuleNamed("mine");
  options.width = 33;
  EXPECT_EQ(refusal(options, {}), "mine: width 33; 32 or 64");
  options.width = 32;
  EXPECT_EQ(refusal(options, {MakeNode("a"), MakeNode("a")}),
            "mine: node 'a' is listed twice");
  options.params[""] = "x";
  EXPECT_EQ(refusal(options, {}), "mine: a parameter has an empty name");
}

TEST(TableRuleTest, TakesTheRemainderOfAsManyBits) {
  const std::vector<NodeIndex> owners = {2, kNoNode, 0, 1, 1};
  for (uint32_t width : {32u, 64u}) {
    const auto rule = MakeTableRule(owners, 3, width);
    ASSERT_NE(rule, nullptr);
    EXPECT_GE(rule->bytes(), owners.size() * 2);
    std::vector<NodeIndex> batch(300);
    const auto hashes = RandomHashes(width, batch.size());
    rule->Owners(hashes.data(), hashes.size(), batch.data());
    for (size_t i = 0; i < hashes.size(); ++i) {
      ASSERT_EQ(rule->Owner(hashes[i]),
                owners[(hashes[i] >> (64 - width)) % 5]);
      ASSERT_EQ(batch[i], rule->Owner(hashes[i]));
    }
  }
  const auto none = MakeTableRule({}, 0, 64);
  ASSERT_NE(none, nullptr);
  NodeIndex owner = 0;
  const uint64_t hash = 7;
  none->Owners(&hash, 1, &owner);
  EXPECT_EQ(owner, kNoNode);
  EXPECT_EQ(none->Owner(hash), kNoNode);
}

TEST(TableRuleTest, SaysWhereThereIsNoMemory) {
  FailingSource source(0);
  EXPECT_EQ(MakeTableRule(std::vector<NodeIndex>{0}, 1, 64, &source), nullptr);
  EXPECT_EQ(RulePlacement::Build(Numbered(3), RuleNamed("mine"),
                                 std::make_unique<Remainder>(3), &source)
                .status()
                .code(),
            Code::kOutOfMemory);
}

TEST(AnyPlacementTest, HeapsWithoutMemoryAreAStatus) {
  const Members members = MembersOf("guava-jump", Numbered(5));
  for (long allowed = 0;; ++allowed) {
    fail_allocations_after(allowed);
    const auto built = BuildPlacement(members);
    const long failed = stop_failing();
    if (failed == 0) {
      EXPECT_TRUE(built.ok());
      EXPECT_GT(allowed, 3);
      break;
    }
    EXPECT_EQ(built.status().code(), Code::kOutOfMemory);
  }
}

}  // namespace
}  // namespace clockwise
