// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Without NUMA support: one copy, and no hwloc.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "clockwise/topology.h"
#include "numa_maker.h"

namespace clockwise {
namespace {

TEST(NoNumaTest, OneCopyOnAnyMachine) {
  const Environment machine(Synthetic("numa:4 pu:1"));
  EXPECT_TRUE(NumaNodes().empty());
  const Domain domain = MakeDomain(Flavour::kMemb);
  EXPECT_EQ(domain.copy_count(), 1u);
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  Reader reader = MakeReader(domain);
  reader.Rebind();
  EXPECT_EQ(reader.copy(), 0u);
  EXPECT_EQ(reader.RebindToNode(0).code(), Code::kInvalidOptions);
  ExpectSameAnswers(*router, reader, EpochRing(1));
  EXPECT_FALSE(domain.is_numa_degraded());
}

TEST(NoNumaTest, NothingLoadsHwloc) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    EXPECT_EQ(line.find("libhwloc"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace clockwise
