// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A program of the shared library whose files are built with unlike CPU flags.
#include "mixed_flags.h"

#include <gtest/gtest.h>

#include <string>

namespace clockwise {
namespace {

Ring RingOf(uint32_t width, Layout layout) {
  RingOptions options;
  options.width = width;
  options.layout = layout;
  auto builder = RingBuilder::Create(options);
  EXPECT_TRUE(builder.ok());
  for (int i = 0; i < 20; ++i) {
    Node node;
    node.id = "node-" + std::to_string(i);
    EXPECT_TRUE(builder.value().Add(node).ok());
  }
  auto ring = builder.value().Build();
  EXPECT_TRUE(ring.ok());
  return std::move(ring).value();
}

TEST(MixedFlagsTest, FilesWithOtherCpuFlagsAgree) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "needs AVX2";
#endif
  std::vector<uint64_t> hashes;
  for (uint64_t i = 0; i < 2000; ++i) hashes.push_back(Fmix64(i));
  for (uint32_t width : {32u, 64u}) {
    for (Layout layout :
         {Layout::kSorted, Layout::kEytzinger, Layout::kSplus, Layout::kLine}) {
      SCOPED_TRACE(std::string(LayoutName(layout)) + std::to_string(width));
      const Ring ring = RingOf(width, layout);
      std::vector<NodeIndex> batch(hashes.size());
      ring.Owners(hashes.data(), hashes.size(), batch.data());
      const auto owners = baseline::Owners(ring, hashes);
      EXPECT_EQ(owners, flagged::Owners(ring, hashes));
      EXPECT_TRUE(std::equal(batch.begin(), batch.end(), owners.begin()));
    }
  }
}

}  // namespace
}  // namespace clockwise
