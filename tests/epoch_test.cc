// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/epoch.h"

#include <gtest/gtest.h>

#include <random>

#include "router_maker.h"

namespace clockwise {
namespace {

constexpr Hash128 kOne{1, 2};
constexpr Hash128 kOther{1, 3};

TEST(DriftTest, EpochsDecideAndThenDigests) {
  struct Row {
    RingStamp mine, peer;
    Drift drift;
  };
  constexpr uint64_t kMost = UINT64_MAX;
  for (const Row& row : {
           Row{{7, kOne}, {7, kOne}, Drift::kCurrent},
           Row{{7, kOne}, {7, kOther}, Drift::kConflicting},
           Row{{7, kOne}, {7, {2, 2}}, Drift::kConflicting},
           Row{{7, kOne}, {6, kOne}, Drift::kStale},
           Row{{7, kOne}, {6, kOther}, Drift::kStale},
           Row{{7, kOne}, {8, kOne}, Drift::kAhead},
           Row{{7, kOne}, {8, kOther}, Drift::kAhead},
           Row{{0, kOne}, {0, kOne}, Drift::kCurrent},
           Row{{0, kOne}, {0, kOther}, Drift::kConflicting},
           Row{{0, kOne}, {1, kOne}, Drift::kAhead},
           Row{{1, kOne}, {0, kOne}, Drift::kStale},
           Row{{0, kOne}, {kMost, kOne}, Drift::kAhead},
           Row{{kMost, kOne}, {0, kOne}, Drift::kStale},
           Row{{kMost, kOne}, {kMost, kOther}, Drift::kConflicting},
       }) {
    EXPECT_EQ(Classify(row.mine, row.peer), row.drift)
        << ToText(row.mine) << " and " << ToText(row.peer);
  }
}

TEST(DriftTest, HasNames) {
  EXPECT_EQ(DriftName(Drift::kCurrent), "current");
  EXPECT_EQ(DriftName(Drift::kStale), "stale");
  EXPECT_EQ(DriftName(Drift::kAhead), "ahead");
  EXPECT_EQ(DriftName(Drift::kConflicting), "conflicting");
  EXPECT_EQ(DriftName(static_cast<Drift>(4)), "unknown");
}

TEST(StampTest, IsOfTheRingThatAnswers) {
  const Ring ring = EpochRing(7);
  EXPECT_EQ(StampOf(ring), (RingStamp{7, ring.digest()}));
  const Domain domain = MakeDomain(Flavour::kMemb);
  const auto router = MakeRouter(domain);
  const Reader reader = MakeReader(domain);
  const Pin pin(reader);
  EXPECT_EQ(StampOf(router->Current(pin)).epoch, 0u);
  const Hash128 digest = ring.digest();
  std::thread([&] { PublishOk(*router, EpochRing(7)); }).join();
  EXPECT_EQ(StampOf(router->Current(pin)), (RingStamp{7, digest}));
}

TEST(StampTest, TextsAreReadBack) {
  const RingStamp stamp{7, {0x0123456789abcdef, 0xfedcba9876543210}};
  EXPECT_EQ(ToText(stamp), "7:0123456789abcdeffedcba9876543210");
  EXPECT_EQ(ToText({}), "0:00000000000000000000000000000000");
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const RingStamp any{random() >> (random() % 64), {random(), random()}};
    ASSERT_EQ(ParseStamp(ToText(any)).value(), any) << ToText(any);
  }
  const RingStamp most{UINT64_MAX, {UINT64_MAX, UINT64_MAX}};
  EXPECT_EQ(ParseStamp(ToText(most)).value(), most);
}

TEST(StampTest, RefusesOtherTexts) {
  const std::string digest = "0123456789abcdeffedcba9876543210";
  for (const std::string& text :
       {std::string(),
        std::string(":"),
        std::string("7"),
        "7" + digest,
        ":" + digest,
        "-1:" + digest,
        "+7:" + digest,
        " 7:" + digest,
        "07:" + digest,
        "00:" + digest,
        "7 :" + digest,
        "7:" + digest + "0",
        "7:" + digest.substr(1),
        "7: " + digest,
        "7:" + digest + "\n",
        "7::" + digest,
        "0x7:" + digest,
        "18446744073709551616:" + digest,
        std::string("7:0123456789ABCDEFfedcba9876543210"),
        std::string("7:0123456789abcdegfedcba9876543210")}) {
    const auto stamp = ParseStamp(text);
    EXPECT_EQ(stamp.status().code(), Code::kInvalidOptions) << text;
  }
  EXPECT_EQ(ParseStamp("7:01").status().message(),
            "stamp '7:01'; an epoch, ':' and 32 hex digits");
  EXPECT_LT(ParseStamp(std::string(9999, '7')).status().message().size(), 120u);
}

TEST(StampTest, BytesAreLittleEndianAndReadBack) {
  const RingStamp stamp{0x0102030405060708,
                        {0x1112131415161718, 0x2122232425262728}};
  const auto bytes = ToBytes(stamp);
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(std::to_integer<size_t>(bytes[i]), 8 - i);
    EXPECT_EQ(std::to_integer<size_t>(bytes[8 + i]), 0x28 - i);
    EXPECT_EQ(std::to_integer<size_t>(bytes[16 + i]), 0x18 - i);
  }
  EXPECT_EQ(StampFrom(bytes), stamp);
}

}  // namespace
}  // namespace clockwise
