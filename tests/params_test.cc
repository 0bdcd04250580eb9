// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Parameters of schemes: kept, digested, refused.
#include <gtest/gtest.h>

#include <string>

#include "router_maker.h"

namespace clockwise {
namespace {

const Params kRingParams = {{"b", ""}, {"table", std::string(300, 't')}};
const Params kNodeParams = {{"port", "11211"}, {std::string("\0x", 2), "1"}};

RingOptions ForeignOptions() {
  RingOptions options = WithVnodes(1);
  options.name = "sessions";
  options.scheme = "peer-1";
  options.params = kRingParams;
  return options;
}

Node WithParams(const std::string& id, Params params) {
  Node node = MakeNode(id);
  node.params = std::move(params);
  return node;
}

RingBuilder TwoNodes(RingOptions options = ForeignOptions()) {
  RingBuilder builder = MakeBuilder(std::move(options));
  const uint64_t some[] = {7, 3};
  EXPECT_TRUE(builder.Add(WithParams("n2", kNodeParams), some).ok());
  const uint64_t more[] = {uint64_t{1} << 63};
  EXPECT_TRUE(builder.Add(MakeNode("n1"), more).ok());
  return builder;
}

// The bytes of a digest, written from its definition.
struct Bytes {
  Bytes& Number(uint64_t n, int size) {
    for (int i = 0; i < size; ++i) text += static_cast<char>(n >> 8 * i & 255);
    return *this;
  }
  Bytes& Text(std::string_view t) {
    Number(t.size(), 2);
    text += t;
    return *this;
  }
  std::string text = std::string("clockwise-digest-1\0", 19);
};

TEST(ParamsTest, ArePartOfTheDigest) {
  const Ring ring = MakeRing(TwoNodes());
  Bytes bytes;
  bytes.Text("sessions").Text("peer-1").Number(64, 1).Number(0, 8).Text("xxh3");
  bytes.Number(2, 4).Text("b").Text("").Text("table").Text(
      std::string(300, 't'));
  bytes.Number(2, 4);
  bytes.Text("n1").Number(1000, 4).Number(1, 4).Text("").Text("").Text("");
  bytes.Number(0, 4).Number(uint64_t{1} << 63, 8);
  bytes.Text("n2").Number(1000, 4).Number(2, 4).Text("").Text("").Text("");
  bytes.Number(2, 4).Text(std::string_view("\0x", 2)).Text("1");
  bytes.Text("port").Text("11211").Number(3, 8).Number(7, 8);
  EXPECT_EQ(ToHex(ring.digest()), ToHex(Xxh3_128(bytes.text)));
}

TEST(ParamsTest, AreKeptByRingsAndTheirChanges) {
  const Ring ring = MakeRing(TwoNodes());
  RingBuilder builder = RingBuilder::From(ring);
  EXPECT_EQ(builder.options().params, kRingParams);
  ASSERT_TRUE(builder.SetWeight("n2", Weight::Whole(3)).ok());
  const Ring changed = MakeRing(builder);
  const Ring copied = ring.Copy(5).value();
  for (const Ring* each : {&ring, &changed, &copied}) {
    EXPECT_EQ(each->params().ToParams(), kRingParams);
    EXPECT_EQ(each->params().Find("b"), "");
    EXPECT_EQ(each->params().Find("c"), std::nullopt);
    EXPECT_EQ(each->node(each->Find("n2")).ToNode().params, kNodeParams);
    EXPECT_TRUE(each->node(each->Find("n1")).params.empty());
  }
  EXPECT_EQ(ring.digest(), copied.digest());
}

TEST(ParamsTest, ChangeTheRecipe) {
  const Domain domain = MakeDomain(Flavour::kMemb);
  const auto router = MakeRouter(domain);
  PublishOk(*router, MakeRing(TwoNodes()));
  RingOptions other = ForeignOptions();
  other.params["b"] = "2";
  const auto refused = router->Publish(MakeRing(TwoNodes(other)));
  EXPECT_EQ(refused.status().code(), Code::kRemapRefused);
  EXPECT_NE(refused.status().message().find("other parameters"),
            std::string::npos);
}

std::string MessageOf(const Result<RingBuilder>& result, Code code) {
  EXPECT_EQ(result.status().code(), code);
  return std::string(result.status().message());
}

TEST(ParamsTest, AreRefusedWhereTheyMeanNothingOrAreTooLong) {
  RingOptions options = WithVnodes(1);
  options.params = {{"hash", "md5"}};
  EXPECT_EQ(MessageOf(RingBuilder::Create(options), Code::kInvalidOptions),
            "ring: parameter 'hash'; scheme clockwise-1 has none");
  RingBuilder native = MakeBuilder(WithVnodes(1));
  const Status refused = native.Add(WithParams("n", kNodeParams));
  EXPECT_EQ(refused.code(), Code::kBadNode);

  RingOptions foreign = ForeignOptions();
  foreign.params = {{"", "x"}};
  MessageOf(RingBuilder::Create(foreign), Code::kInvalidOptions);
  foreign.params = {{std::string(256, 'n'), "x"}};
  MessageOf(RingBuilder::Create(foreign), Code::kInvalidOptions);
  foreign.params = {{"a", std::string(kMaxParamsBytes - 4, 'x')}};
  EXPECT_TRUE(RingBuilder::Create(foreign).ok());
  foreign.params["b"] = "";
  EXPECT_EQ(MessageOf(RingBuilder::Create(foreign), Code::kInvalidOptions),
            "ring 'sessions': parameter 'b': 65539 bytes of parameters up to "
            "it; at most 65535");
}

}  // namespace
}  // namespace clockwise
