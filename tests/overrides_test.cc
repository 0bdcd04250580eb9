// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Pinned keys and prefixes, against a plain search of the list.
#include "clockwise/overrides.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ring_maker.h"
#include "router_maker.h"

namespace clockwise {
namespace {

Ring SixNodes() { return MakeRing(WithVnodes(16), NumberedNodes("n", 0, 6)); }

OverrideTable TableOf(const std::vector<Override>& overrides,
                      const Ring& ring) {
  auto table = OverrideTable::Create(overrides, ring);
  EXPECT_TRUE(table.ok()) << table.status().message();
  return std::move(table).value();
}

std::string_view Pinned(const OverrideTable& table, const Ring& ring,
                        std::string_view key) {
  return ring.node(table.Find(key)).id;
}

TEST(OverridesTest, TheKeyBeforeTheLongestPrefixBeforeTheRing) {
  const Ring ring = SixNodes();
  const OverrideTable table = TableOf({{"tenant:", true, "n1"},
                                       {"tenant:7:", true, "n2"},
                                       {"tenant:7:", false, "n3"},
                                       {"tenant:7:a", false, "n4"}},
                                      ring);
  EXPECT_EQ(Pinned(table, ring, "tenant:"), "n1");
  EXPECT_EQ(Pinned(table, ring, "tenant:8"), "n1");
  EXPECT_EQ(Pinned(table, ring, "tenant:7"), "n1");
  EXPECT_EQ(Pinned(table, ring, "tenant:7:"), "n3");
  EXPECT_EQ(Pinned(table, ring, "tenant:7:a"), "n4");
  EXPECT_EQ(Pinned(table, ring, "tenant:7:ab"), "n2");
  EXPECT_EQ(table.Find("tenant"), kNoNode);
  EXPECT_EQ(table.Find(""), kNoNode);
  EXPECT_EQ(table.Owner(ring, "tenant"), ring.Owner("tenant"));
  EXPECT_EQ(table.size(), 4u);
}

TEST(OverridesTest, AnyBytesAreKeys) {
  const Ring ring = SixNodes();
  const std::string nul("\0", 1);
  const std::string longest(kMaxOverrideBytes, '\xFF');
  const OverrideTable table = TableOf(
      {{"", false, "n1"}, {nul, false, "n2"}, {longest, false, "n3"}}, ring);
  EXPECT_EQ(Pinned(table, ring, ""), "n1");
  EXPECT_EQ(Pinned(table, ring, nul), "n2");
  EXPECT_EQ(Pinned(table, ring, longest), "n3");
  EXPECT_EQ(table.Find(longest + "\xFF"), kNoNode);
  EXPECT_EQ(table.Find(nul + nul), kNoNode);
}

TEST(OverridesTest, WhatIsWrongIsNamed) {
  const Ring ring = SixNodes();
  const auto refusal = [&](const std::vector<Override>& overrides) {
    return OverrideTable::Create(overrides, ring).status();
  };
  EXPECT_EQ(refusal({{"a", false, "n1"}, {"a", false, "n2"}}).message(),
            "override of key 'a': node 'n1' and node 'n2'");
  EXPECT_TRUE(refusal({{"a", false, "n1"}, {"a", false, "n1"}}).ok());
  EXPECT_TRUE(refusal({{"a", false, "n1"}, {"a", true, "n2"}}).ok());
  EXPECT_EQ(refusal({{"", true, "n1"}}).message(),
            "override of prefix '': it would pin every key");
  EXPECT_EQ(
      refusal({{std::string(kMaxOverrideBytes + 1, 'x'), false, "n1"}}).code(),
      Code::kInvalidOptions);
  const Status unknown = refusal({{"a\n", true, "n9"}});
  EXPECT_EQ(unknown.code(), Code::kUnknownNode);
  EXPECT_EQ(unknown.message(),
            "override of prefix 'a?': the ring has no node 'n9' with points");
}

TEST(OverridesTest, MissingNodesMayBePassedOver) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 3);
  nodes[2].weight = Weight::Whole(0);
  const Ring ring = MakeRing(WithVnodes(16), nodes);
  const std::vector<Override> overrides = {
      {"a", false, "n1"}, {"b", false, "n9"}, {"c", true, "n2"}};
  EXPECT_EQ(OverrideTable::Create(overrides, ring).status().code(),
            Code::kUnknownNode);
  const auto table =
      OverrideTable::Create(overrides, ring, MissingNode::kPassOver);
  EXPECT_EQ(table.value().size(), 1u);
  EXPECT_EQ(table.value().Owner(ring, "b"), ring.Owner("b"));
  EXPECT_EQ(table.value().Owner(ring, "cc"), ring.Owner("cc"));
  // The digest is of what was given: hosts that lack a node see that by their
  // rings' digests.
  const Ring all = MakeRing(WithVnodes(16), NumberedNodes("n", 0, 10));
  EXPECT_EQ(table.value().digest(), TableOf(overrides, all).digest());
}

TEST(OverridesTest, TheDigestKnowsContentNotOrder) {
  const Ring ring = SixNodes();
  const std::vector<Override> list = {
      {"a", false, "n1"}, {"b", true, "n2"}, {"a", false, "n1"}};
  const Hash128 digest = TableOf(list, ring).digest();
  EXPECT_EQ(TableOf({list[1], list[0]}, ring).digest(), digest);
  EXPECT_NE(TableOf({list[0]}, ring).digest(), digest);
  EXPECT_NE(TableOf({list[0], {"b", false, "n2"}}, ring).digest(), digest);
  EXPECT_NE(TableOf({list[0], {"b", true, "n3"}}, ring).digest(), digest);
  EXPECT_NE(TableOf({}, ring).digest(), digest);
}

// Random lists over two letters, so that prefixes nest; single and batch.
TEST(OverridesTest, AgreesWithAPlainSearch) {
  std::mt19937_64 random(1);
  const Ring ring = SixNodes();
  const auto text = [&](size_t least) {
    std::string bytes(least + random() % 6, 'a');
    for (char& c : bytes) c = random() % 2 == 0 ? 'a' : 'b';
    return bytes;
  };
  for (int round = 0; round < 300; ++round) {
    std::map<std::pair<std::string, bool>, std::string> plain;
    std::vector<Override> list;
    for (uint64_t i = random() % 40; i > 0; --i) {
      const bool is_prefix = random() % 2 == 0;
      const std::string key = text(is_prefix ? 1 : 0);
      const std::string node = "n" + std::to_string(random() % 6);
      if (!plain.emplace(std::pair(key, is_prefix), node).second) continue;
      list.push_back({key, is_prefix, node});
    }
    const OverrideTable table = TableOf(list, ring);
    std::vector<std::string> keys;
    for (int i = 0; i < 100; ++i) keys.push_back(text(0));
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    std::vector<NodeIndex> owners(keys.size());
    table.Owners(ring, views.data(), views.size(), owners.data());
    for (size_t k = 0; k < keys.size(); ++k) {
      std::string_view expected = ring.node(ring.Owner(keys[k])).id;
      for (size_t size = 1; size <= keys[k].size(); ++size) {
        const auto at = plain.find({keys[k].substr(0, size), true});
        if (at != plain.end()) expected = at->second;
      }
      const auto at = plain.find({keys[k], false});
      if (at != plain.end()) expected = at->second;
      ASSERT_EQ(ring.node(owners[k]).id, expected) << keys[k];
      ASSERT_EQ(table.Owner(ring, keys[k]), owners[k]);
    }
  }
}

TEST(OverridesTest, ServesWithItsRing) {
  const Domain domain = MakeDomain(Flavour::kMemb);
  Reader reader = MakeReader(domain);
  const auto router = MakeRouter(domain);
  Ring ring = SixNodes();
  PublishOptions options;
  options.companion = std::make_shared<const OverrideTable>(
      TableOf({{"user:42", false, "n5"}}, ring));
  ASSERT_TRUE(router->Publish(std::move(ring), options).ok());
  const Pin pin(reader);
  const PublishedRing& serving = router->Current(pin);
  const auto* table = serving.companion<OverrideTable>();
  EXPECT_EQ(serving.ring().node(table->Owner(serving, "user:42")).id, "n5");
}

}  // namespace
}  // namespace clockwise
