// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <type_traits>

#include "clockwise/node.h"

namespace clockwise {
namespace {

static_assert(!std::is_convertible_v<int, Weight>);
static_assert(!std::is_constructible_v<Weight, int>);
static_assert(!std::is_constructible_v<Weight, double>);

TEST(WeightTest, ReadsWholeThousandths) {
  EXPECT_EQ(Weight::Parse("1").value().thousandths(), 1000u);
  EXPECT_EQ(Weight::Parse("0").value().thousandths(), 0u);
  EXPECT_EQ(Weight::Parse("1.5").value().thousandths(), 1500u);
  EXPECT_EQ(Weight::Parse("0.001").value().thousandths(), 1u);
  EXPECT_EQ(Weight::Parse("007.250").value().thousandths(), 7250u);
  EXPECT_EQ(Weight::Parse("1000000").value().thousandths(), 1'000'000'000u);
  EXPECT_EQ(Weight::Parse("1000000.000").value().thousandths(), 1'000'000'000u);
}

TEST(WeightTest, RefusesEverythingElseByName) {
  for (const char* text :
       {"", "-1", "+1", "nan", "inf", "1e3", "1,5", "0x10", " 1", "1 ", ".5",
        "1.", "1.0000", "1.2.3", "1000000.001", "1000001",
        "99999999999999999999999999", "1\xC2\xA0", "\xD9\xA1"}) {
    const auto weight = Weight::Parse(text);
    ASSERT_FALSE(weight.ok()) << text;
    EXPECT_EQ(weight.status().code(), Code::kBadWeight);
    EXPECT_NE(weight.status().message().find(text), std::string::npos);
  }
}

TEST(WeightTest, WritesWhatItReads) {
  for (const char* text : {"0", "1", "1.5", "0.001", "7.25", "1000000"}) {
    EXPECT_EQ(Weight::Parse(text).value().ToString(), text);
  }
}

}  // namespace
}  // namespace clockwise
