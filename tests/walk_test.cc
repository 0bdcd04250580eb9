// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Walks over distinct nodes against a set, on rings on either side of the 1,024
// slots that a walk tells apart by bits alone.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "ring_maker.h"

namespace clockwise {
namespace {

std::vector<NodeIndex> ReferenceWalk(const Ring& ring, uint64_t hash) {
  std::vector<NodeIndex> nodes;
  std::set<NodeIndex> met;
  const size_t first = ring.PointAt(hash);
  for (size_t i = 0; i < ring.point_count(); ++i) {
    const NodeIndex node = ring.OwnerAt((first + i) % ring.point_count());
    if (met.insert(node).second) nodes.push_back(node);
  }
  return nodes;
}

TEST(WalkTest, MeetsEachNodeOnceInOrder) {
  std::mt19937_64 random(2);
  for (int slots : {1, 2, 16, 17, 1023, 1024, 1025, 3000, 70'000}) {
    const Ring ring = MakeRing(WithVnodes(slots > 5000 ? 1 : 3),
                               NumberedNodes("n", 0, slots));
    const int walks = slots > 5000 ? 1 : 5;
    for (int i = 0; i < walks; ++i) {
      const uint64_t hash = random();
      auto expected = ReferenceWalk(ring, hash);
      // A whole walk looks back far on the largest ring.
      if (slots > 5000) expected.resize(4000);
      std::vector<NodeIndex> walked;
      for (NodeIndex node : ring.Clockwise(hash)) {
        walked.push_back(node);
        if (walked.size() == expected.size() && slots > 5000) break;
      }
      ASSERT_EQ(walked, expected) << slots << " slots";
      for (size_t count : {size_t{1}, size_t{16}, size_t{17}, size_t{900}}) {
        std::vector<NodeIndex> nodes(count);
        nodes.resize(ring.Replicas(hash, count, nodes.data()));
        ASSERT_EQ(nodes.size(), std::min(count, expected.size()));
        ASSERT_TRUE(std::equal(nodes.begin(), nodes.end(), expected.begin()));
      }
    }
  }
}

TEST(WalkTest, ExcludesWithoutReordering) {
  const Ring ring = MakeRing(WithVnodes(3), NumberedNodes("n", 0, 1500));
  auto expected = ReferenceWalk(ring, 99);
  std::erase_if(expected, [](NodeIndex n) { return n % 3 == 0; });
  std::vector<NodeIndex> walked;
  for (NodeIndex node :
       ring.Clockwise(99, [](NodeIndex n) { return n % 3 == 0; })) {
    walked.push_back(node);
  }
  EXPECT_EQ(walked, expected);
}

}  // namespace
}  // namespace clockwise
