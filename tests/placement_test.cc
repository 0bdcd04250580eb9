// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What holds for every placement that is not a ring.
#include "clockwise/placement.h"

#include <gtest/gtest.h>

#include "failing_new.h"
#include "failing_source.h"
#include "placement/digest.h"
#include "placement_maker.h"

namespace clockwise {
namespace {

static_assert(Placement<RingView> && !NamedPlacement<RingView>);
static_assert(NamedPlacement<Ring> && ReplicatedPlacement<Ring>);
static_assert(!Placement<std::string>);
static_assert(!ReplicatedPlacement<Modulo> && !ReplicatedPlacement<Jump> &&
              !ReplicatedPlacement<Maglev> &&
              !ReplicatedPlacement<MultiProbe> && !ReplicatedPlacement<Anchor>);

template <typename T>
class PlacementTest : public testing::Test {
 protected:
  static Code CodeOf(const std::vector<Node>& nodes,
                     const PlacementOptions& options = {}) {
    return T::Build(nodes, {options}).status().code();
  }
  static std::string MessageOf(const std::vector<Node>& nodes,
                               const PlacementOptions& options = {}) {
    return T::Build(nodes, {options}).status().message();
  }
  static T Of(const std::vector<Node>& nodes,
              const PlacementOptions& options = {}) {
    return Built(T::Build(nodes, {options}));
  }
};

using Placements =
    testing::Types<Modulo, Jump, Maglev, Rendezvous, Slots, MultiProbe, Anchor>;
TYPED_TEST_SUITE(PlacementTest, Placements);

TYPED_TEST(PlacementTest, WithoutNodesNobodyOwns) {
  for (const std::vector<Node>& nodes :
       {std::vector<Node>{}, {MakeNode("a", Weight::Thousandths(0))}}) {
    const TypeParam none = this->Of(nodes);
    EXPECT_EQ(none.Owner(uint64_t{7}), kNoNode);
    EXPECT_EQ(none.Owner("key"), kNoNode);
    EXPECT_EQ(none.node(none.Owner("key")).id, "");
    ExpectBatchesAgree(none, 1);
  }
}

TYPED_TEST(PlacementTest, OneNodeOwnsAll) {
  const TypeParam one = this->Of({MakeNode("only")});
  for (uint64_t hash : RandomHashes(2, 100)) EXPECT_EQ(one.Owner(hash), 0u);
  EXPECT_EQ(one.Owner(uint64_t{0}), 0u);
  EXPECT_EQ(one.Owner(~uint64_t{0}), 0u);
  EXPECT_EQ(one.node(0).id, "only");
}

TYPED_TEST(PlacementTest, BatchesAnswerAsSingleLookups) {
  for (int count : {1, 2, 3, 7, 8, 9, 63, 64, 65, 200}) {
    const TypeParam placement = this->Of(NumberedNodes("node-", 0, count));
    ExpectBatchesAgree(placement, static_cast<uint64_t>(count));
  }
}

TYPED_TEST(PlacementTest, HashesKeysAsRingsDo) {
  for (KeyHash key_hash : kWideKeyHashes) {
    PlacementOptions options;
    options.seed = 99;
    options.key_hash = key_hash;
    const TypeParam placement = this->Of({MakeNode("a")}, options);
    RingOptions ring_options;
    ring_options.seed = 99;
    ring_options.key_hash = key_hash;
    const Ring ring = MakeRing(ring_options, {MakeNode("a")});
    for (const std::string& key : Keys("", 0, 50)) {
      EXPECT_EQ(placement.HashOf(key), ring.HashOf(key));
      EXPECT_EQ(placement.Owner(key), placement.Owner(ring.HashOf(key)));
    }
    EXPECT_EQ(placement.seed(), 99u);
    EXPECT_EQ(placement.key_hash(), key_hash);
  }
}

TYPED_TEST(PlacementTest, KnowsItsNodes) {
  Node zoned = MakeNode("b");
  zoned.zone = "z";
  zoned.address = "10.0.0.1:80";
  PlacementOptions options;
  options.name = "sessions";
  const TypeParam placement = this->Of({MakeNode("a"), zoned}, options);
  EXPECT_EQ(placement.name(), "sessions");
  EXPECT_EQ(placement.node_count(), 2u);
  const NodeIndex b = placement.Find("b");
  ASSERT_LT(b, 2u);
  EXPECT_EQ(placement.node(b).zone, "z");
  EXPECT_EQ(placement.node(b).address, "10.0.0.1:80");
  EXPECT_EQ(placement.Find("c"), kNoNode);
  EXPECT_GT(placement.bytes(), 0u);
}

TYPED_TEST(PlacementTest, StaysTheSameWhenMoved) {
  TypeParam first = this->Of(NumberedNodes("n", 0, 9));
  std::vector<NodeIndex> owners;
  const auto hashes = RandomHashes(3, 100);
  for (uint64_t hash : hashes) owners.push_back(first.Owner(hash));
  TypeParam second = std::move(first);
  for (size_t i = 0; i < hashes.size(); ++i) {
    EXPECT_EQ(second.Owner(hashes[i]), owners[i]);
  }
}

TYPED_TEST(PlacementTest, RefusesBadNodesByName) {
  EXPECT_EQ(this->CodeOf({MakeNode("")}), Code::kBadNodeId);
  EXPECT_EQ(this->CodeOf({MakeNode(std::string(256, 'x'))}), Code::kBadNodeId);
  Node labelled = MakeNode("a");
  labelled.rack = std::string(256, 'r');
  EXPECT_EQ(this->CodeOf({labelled}), Code::kBadNode);
  Node with_params = MakeNode("a");
  with_params.params = {{"port", "1"}};
  EXPECT_EQ(this->CodeOf({with_params}), Code::kBadNode);
  EXPECT_EQ(this->CodeOf({MakeNode("a", Weight::Whole(2'000'000))}),
            Code::kBadWeight);
  const std::vector<Node> twice = {MakeNode("a"), MakeNode("b"), MakeNode("a")};
  EXPECT_EQ(this->CodeOf(twice), Code::kDuplicateNode);
  EXPECT_NE(this->MessageOf(twice).find("'a'"), std::string::npos);
}

TYPED_TEST(PlacementTest, RefusesBadOptions) {
  PlacementOptions narrow;
  narrow.key_hash = KeyHash::kMurmur3_32;
  EXPECT_EQ(this->CodeOf({MakeNode("a")}, narrow), Code::kInvalidOptions);
  narrow.key_hash = static_cast<KeyHash>(200);  // not built in
  EXPECT_EQ(this->CodeOf({MakeNode("a")}, narrow), Code::kInvalidOptions);
  PlacementOptions named;
  named.name = std::string(256, 'x');
  EXPECT_EQ(this->CodeOf({MakeNode("a")}, named), Code::kInvalidOptions);
  EXPECT_NE(this->MessageOf({MakeNode("a")}, named).find("256"),
            std::string::npos);
}

TYPED_TEST(PlacementTest, SaysWhereTheBlockSourceFailed) {
  const std::vector<Node> nodes = NumberedNodes("n", 0, 5);
  int blocks = 0;
  while (true) {
    FailingSource source(blocks);
    const auto placement =
        TypeParam::Build(nodes, {PlacementOptions{}}, &source);
    if (placement.ok()) break;
    EXPECT_EQ(placement.status().code(), Code::kOutOfMemory);
    EXPECT_FALSE(placement.status().message().empty());
    ASSERT_LT(++blocks, 10);
  }
  EXPECT_GE(blocks, 1);
}

TYPED_TEST(PlacementTest, AHeapThatRunsOutIsAStatus) {
  const std::vector<Node> nodes = NumberedNodes("a-node-with-a-name-", 0, 20);
  for (int allowed = 0;; ++allowed) {
    ASSERT_LT(allowed, 1000);
    fail_allocations_after(allowed);
    const auto placement = TypeParam::Build(nodes);
    const bool is_ok = placement.ok();
    stop_failing();
    if (is_ok) break;
    ASSERT_EQ(placement.status().code(), Code::kOutOfMemory) << allowed;
  }
}

TYPED_TEST(PlacementTest, LookupsAllocateNothing) {
  const TypeParam placement = this->Of(NumberedNodes("n", 0, 70));
  const auto hashes = RandomHashes(4, 200);
  const std::vector<std::string_view> keys(200, "a key");
  const std::string packed(200 * 5, 'k');
  std::vector<NodeIndex> owners(200);
  fail_allocations_after(0);
  owners[0] = placement.Owner(hashes[0]);
  owners[1] = placement.Owner(keys[0]);
  placement.Owners(hashes.data(), 200, owners.data());
  placement.Owners(keys.data(), 200, owners.data());
  placement.Owners(FixedKeys{packed.data(), 5, 5, 200}, owners.data());
  if constexpr (ReplicatedPlacement<TypeParam>) {
    placement.Replicas(hashes[0], 40, owners.data());
  }
  EXPECT_EQ(placement.Find("n69") == kNoNode, false);
  EXPECT_EQ(stop_failing(), 0);
}

TYPED_TEST(PlacementTest, DigestCoversWhatPlacesKeysOnly) {
  const std::vector<Node> nodes = NumberedNodes("n", 0, 3);
  PlacementOptions options;
  const Hash128 digest = this->Of(nodes, options).digest();
  EXPECT_EQ(this->Of(nodes, options).digest(), digest);
  options.seed = 1;
  EXPECT_FALSE(this->Of(nodes, options).digest() == digest);
  options = {};
  options.name = "x";
  EXPECT_FALSE(this->Of(nodes, options).digest() == digest);
  options = {};
  options.key_hash = KeyHash::kFnv1aFmix;
  EXPECT_FALSE(this->Of(nodes, options).digest() == digest);
  std::vector<Node> changed = nodes;
  changed[1].address = "10.0.0.9:1";
  EXPECT_EQ(this->Of(changed).digest(), digest);
  changed[1].zone = "z";
  EXPECT_FALSE(this->Of(changed).digest() == digest);
  EXPECT_FALSE(this->Of(NumberedNodes("n", 0, 2)).digest() == digest);
  changed = nodes;
  changed.push_back(MakeNode("z", Weight::Thousandths(0)));
  EXPECT_EQ(this->Of(changed).digest(), digest);
}

// The bytes that the definition names, put together here by hand.
TEST(PlacementDigestTest, IsOfTheBytesThatTheDefinitionNames) {
  const std::string head = std::string("clockwise-digest-1") + '\0';
  const auto text = [](const std::string& s) {
    return std::string{static_cast<char>(s.size()), '\0'} + s;
  };
  const auto u32 = [](int n) {
    return std::string{static_cast<char>(n), '\0', '\0', '\0'};
  };
  const std::string node_tail = std::string("\xE8\x03\0\0", 4) + u32(0) +
                                text("") + text("") + text("") + u32(0);
  const std::string bytes = head + text("") + text("jump") + '\x40' +
                            std::string(8, '\0') + text("xxh3") + u32(0) +
                            u32(2) + text("b") + node_tail + text("a") +
                            node_tail;
  const auto jump =
      Built(Jump::Build(std::vector<Node>{MakeNode("b"), MakeNode("a")}));
  EXPECT_EQ(jump.digest(), Xxh3_128(bytes));
}

TEST(PlacementDigestTest, HasParametersByNameAndLongOnesAsTheirHash) {
  const std::string longer(65536, '7');
  const std::vector<SchemeParameter> parameters = {{"a", "1"}, {"b", longer}};
  const DigestText text = BeginDigest({"", "s", 64, 0, "xxh3", parameters}, 0);
  DigestText expected("clockwise-digest-1");
  expected.Text("");
  expected.Text("s");
  expected.U8(64);
  expected.U64(0);
  expected.Text("xxh3");
  expected.U32(2);
  expected.Text("a");
  expected.Text("1");
  expected.Text("b");
  expected.Text(ToHex(Xxh3_128(longer)));
  expected.U32(0);
  EXPECT_EQ(text.Digest(), expected.Digest());
}

}  // namespace
}  // namespace clockwise
