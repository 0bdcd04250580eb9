// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Plans between rings of every scheme, and the shares of keys that articles say
// move.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "clockwise/compat.h"
#include "clockwise/plan.h"
#include "clockwise/scheme.h"
#include "plan_reference.h"
#include "ring_maker.h"
#include "sanitized.h"
#include "vectors.h"

namespace clockwise {
namespace {

const int kPairs = IsSanitized() ? 1 : 60;

// Where a scheme lets one choose, few points.
Members SmallMembers(const Scheme& scheme) {
  Members members;
  members.source = "test";
  members.options.scheme = scheme.id;
  if (scheme.id == kNativeScheme) members.options.vnodes = 3;
  for (const auto& [name, value] :
       {std::pair("vnodes", "3"), std::pair("replicas", "3"),
        std::pair("virtual_nodes", "3"), std::pair("vnode count", "4"),
        std::pair("minimum_ring_size", "9"),
        std::pair("maximum_ring_size", "20")}) {
    const auto& params = scheme.ring_params;
    if (std::find(params.begin(), params.end(), name) != params.end()) {
      members.options.params[name] = value;
    }
  }
  return members;
}

// Nodes of the numbers whose bits are set.
Members WithNodes(Members members, uint64_t bits, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < 6; ++i) {
    if ((bits >> i & 1) == 0) continue;
    Node node = MakeNode("10.0.0." + std::to_string(i + 1) + ":11211");
    if (members.options.scheme == "cassandra-murmur3") {
      node.params["tokens"] = std::to_string(1000 * i - 3000) + "," +
                              std::to_string(9000000000000 * i + 7);
    }
    members.nodes.push_back(node);
  }
  return members;
}

// The same with some nodes of weight 2, unless the scheme has no weights.
Members WithWeights(const Members& members, uint64_t seed) {
  Members weighted = members;
  for (size_t i = 0; i < weighted.nodes.size(); ++i) {
    if ((seed >> i & 1) != 0) weighted.nodes[i].weight = Weight::Whole(2);
  }
  return BuildRing(weighted).ok() ? weighted : members;
}

Ring RingOf(const Members& members) {
  auto ring = BuildRing(members);
  EXPECT_TRUE(ring.ok()) << ring.status().message();
  return std::move(ring).value();
}

TEST(CompatPlanTest, PlansOfEverySchemeAreExact) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  std::mt19937_64 random(1);
  int schemes = 0;
  for (const Scheme* scheme : Schemes()) {
    if (!scheme->is_ring()) continue;
    ++schemes;
    const Members none = SmallMembers(*scheme);
    for (int i = 0; i < kPairs; ++i) {
      SCOPED_TRACE(std::string(scheme->id) + " " + std::to_string(i));
      const auto some = [&] {
        return RingOf(WithWeights(WithNodes(none, 1 + random() % 63, random()),
                                  random()));
      };
      const Ring before = some();
      const Ring after = some();
      const auto replicas = static_cast<uint32_t>(1 + i % 3);
      const auto plan = MigrationPlan::Create(before, after, {replicas});
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      ExpectPlanIsExact(plan.value(), before, after);
    }
  }
  EXPECT_GE(schemes, 18);
}

// What a scheme promises of a node that is added: it gets all that moves. Where
// it promises nothing the plan lists what others give each other.
TEST(CompatPlanTest, MonotoneSchemesMoveToTheNewNodeAlone) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  int others = 0;
  for (const Scheme* scheme : Schemes()) {
    if (!scheme->is_ring()) continue;
    const Members none = SmallMembers(*scheme);
    const Members few = WithWeights(WithNodes(none, 0b011111, 1), 0b00110);
    Members more = few;
    more.nodes.push_back(WithNodes(none, 0b100000, 1).nodes[0]);
    const auto plan = MigrationPlan::Create(RingOf(few), RingOf(more)).value();
    ASSERT_FALSE(plan.moves().empty()) << scheme->id;
    bool is_to_it_alone = true;
    for (const Move& move : plan.moves()) {
      is_to_it_alone &= plan.IdOf(move.to) == "10.0.0.6:11211";
    }
    EXPECT_TRUE(is_to_it_alone || !scheme->is_monotone) << scheme->id;
    others += is_to_it_alone ? 0 : 1;
  }
  EXPECT_GT(others, 0);
}

// How many of the keys prefix + i + suffix have another owner. Of two rings the
// plan has to know each of them.
class Mover {
 public:
  Mover(const Members& before, const Members& after)
      : before_(BuildPlacement(before).value()),
        after_(BuildPlacement(after).value()) {
    if (before_.ring() == nullptr) return;
    plan_.push_back(
        MigrationPlan::Create(*before_.ring(), *after_.ring()).value());
  }

  uint64_t Count(const std::string& prefix, const std::string& suffix,
                 uint64_t count) {
    uint64_t moved = 0;
    for (uint64_t i = 0; i < count; ++i) {
      const std::string key = prefix + std::to_string(i) + suffix;
      const bool is_moved = before_.node(before_.Owner(key)).id !=
                            after_.node(after_.Owner(key)).id;
      moved += is_moved ? 1 : 0;
      if (!plan_.empty()) ExpectPlanned(key, is_moved);
    }
    return moved;
  }
  [[nodiscard]] const MigrationPlan& plan() const { return plan_[0]; }

 private:
  void ExpectPlanned(const std::string& key, bool is_moved) const {
    const uint32_t move = plan().MoveOf(before_.HashOf(key));
    if ((move != kNoMove) != is_moved) ADD_FAILURE() << key;
    if (move == kNoMove) return;
    const Move& found = plan().moves()[move];
    if (plan().IdOf(found.from) != before_.node(before_.Owner(key)).id ||
        plan().IdOf(found.to) != after_.node(after_.Owner(key)).id) {
      ADD_FAILURE() << key;
    }
  }

  AnyPlacement before_, after_;
  std::vector<MigrationPlan> plan_;
};

Members Named(const char* scheme, const std::string& prefix, int first,
              int count) {
  Members members;
  members.source = "test";
  members.options.scheme = scheme;
  members.nodes = NumberedNodes(prefix, first, count);
  return members;
}

TEST(CompatPlanTest, WhatArticlesSayMoves) {
  if (IsSanitized()) GTEST_SKIP() << "takes too long under sanitizers";
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  // Node.js: 8 nodes and 9, a million keys.
  constexpr uint64_t kMillion = 1000000;
  const auto node = [](int count, const char* scheme = "article-node-fmix") {
    return Named(scheme, "cache-0", 1, count);
  };
  const auto percent = [](uint64_t moved) {
    return std::to_string((moved * 100 + 5000) / 10000);  // of a million
  };
  Mover nine(node(8), node(9));
  EXPECT_EQ(percent(nine.Count("session:", ":profile", kMillion)), "1106");
  Mover seven(node(8), node(7));
  EXPECT_EQ(percent(seven.Count("session:", ":profile", kMillion)), "1260");
  // Modulo of the plain FNV value.
  Members raw8 = node(8, "libmemcached-modula");
  Members raw9 = node(9, "libmemcached-modula");
  for (Members* raw : {&raw8, &raw9}) raw->options.params["hash"] = "fnv1a_32";
  Mover modulo(raw8, raw9);
  EXPECT_EQ(percent(modulo.Count("session:", ":profile", kMillion)), "8893");
}

TEST(CompatPlanTest, WhatThePythonArticleSaysMoves) {
  if (IsSanitized()) GTEST_SKIP() << "takes too long under sanitizers";
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  constexpr uint64_t kKeys = 100000;
  const auto python = [](int count) {
    return Named("article-python-md5", "node", 0, count);
  };
  Mover nine(python(8), python(9));
  EXPECT_EQ(nine.Count("user:", "", kKeys), 10613u);
  EXPECT_DOUBLE_EQ(FractionOf(nine.plan().moved()), 0.10550177893345594);
  Members seven = python(8);
  seven.nodes.erase(seven.nodes.begin() + 3);
  Mover without(python(8), seven);
  EXPECT_EQ(without.Count("user:", "", kKeys), 11400u);
  EXPECT_DOUBLE_EQ(FractionOf(without.plan().moved()), 0.11459572922801083);
  // Four of five keys, whatever they are.
  Mover modulo(Named("modulo", "node", 0, 8), Named("modulo", "node", 0, 10));
  EXPECT_NEAR(static_cast<double>(modulo.Count("user:", "", kKeys)), 80000,
              500);
}

// The ranges that were computed from the article's own rings make up the
// plan's.
TEST(CompatPlanTest, RangesOfThePythonArticle) {
  ASSERT_TRUE(RegisterPeerSchemes().ok());
  const Vectors vectors("seed_python_migration_ranges");
  int cases = 0;
  for (const auto& c : vectors["cases"]) {
    Members before = Named("article-python-md5", "node", 0, 0);
    for (const auto& op : c.at("params").at("before")) {
      before.nodes.push_back(MakeNode(op.at(1)));
    }
    before.options.params["vnodes"] = c.at("params").at("vnodes").dump();
    Members after = before;
    for (const auto& op : c.at("params").at("change")) {
      const std::string id = op.at(1);
      if (op.at(0) == "remove") {
        std::erase_if(after.nodes, [&](const Node& n) { return n.id == id; });
      } else {
        after.nodes.push_back(MakeNode(id));
      }
    }
    const auto plan =
        MigrationPlan::Create(RingOf(before), RingOf(after)).value();
    HashCount listed = 0;
    for (const auto& range : c.at("ranges")) {
      const auto low = std::stoull(range.at(0).get<std::string>());
      const auto high = std::stoull(range.at(1).get<std::string>());
      listed += high - low;
      const uint32_t move = plan.MoveOf(low + 1);
      ASSERT_NE(move, kNoMove) << c.at("name");
      EXPECT_EQ(plan.MoveOf(high), move);  // there they are not merged
      EXPECT_EQ(plan.IdOf(plan.moves()[move].from), range.at(2));
      EXPECT_EQ(plan.IdOf(plan.moves()[move].to), range.at(3));
    }
    EXPECT_TRUE(listed == plan.moved()) << c.at("name");
    ++cases;
  }
  EXPECT_GE(cases, 3);
}

}  // namespace
}  // namespace clockwise
