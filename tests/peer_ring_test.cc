// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How peers go from a hash to a point, on circles so small that every hash near
// every point is tried, against the rules as they are said.
#include "compat/peer_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "ring_maker.h"

namespace clockwise::compat_internal {
namespace {

struct Given {
  uint32_t position;
  size_t node;
};

// Sorted, equal positions in the order of additions.
std::vector<Given> Sorted(std::vector<Given> points) {
  std::stable_sort(
      points.begin(), points.end(),
      [](const Given& a, const Given& b) { return a.position < b.position; });
  return points;
}

// The first point at or after the hash; past the last one, the first.
size_t Successor(const std::vector<Given>& points, uint32_t hash) {
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i].position >= hash) return i;
  }
  return 0;
}

size_t NearestOwner(const std::vector<Given>& points, uint32_t hash) {
  const size_t next = Successor(points, hash);
  const size_t before = (next + points.size() - 1) % points.size();
  const uint32_t up = points[next].position - hash;
  const uint32_t down = hash - points[before].position;
  return points[down <= up ? before : next].node;
}

size_t StrictOwner(const std::vector<Given>& points, uint32_t hash) {
  for (const Given& point : points) {
    if (point.position > hash) return point.node;
  }
  return points.front().node;
}

// Owners by the ring that the points become.
class Ringed {
 public:
  explicit Ringed(const PeerRing& points, size_t nodes)
      : ring_(MakeRing(BuilderOf(points, nodes))) {}

  [[nodiscard]] size_t Owner(uint32_t hash) const {
    const NodeIndex slot = ring_.Owner(uint64_t{hash} << 32);
    return std::stoul(std::string(ring_.node(slot).id.substr(1)));
  }

 private:
  static RingBuilder BuilderOf(const PeerRing& points, size_t nodes) {
    RingOptions options = WithVnodes(1);
    options.scheme = "peer-test";
    options.width = points.width();
    options.ties = points.ties();
    RingBuilder builder = MakeBuilder(options);
    const auto positions = points.PositionsByNode(nodes);
    for (size_t i = 0; i < nodes; ++i) {
      EXPECT_TRUE(
          builder.Add(MakeNode("n" + std::to_string(i)), positions[i]).ok());
    }
    return builder;
  }

  Ring ring_;
};

class PeerRingTest : public ::testing::Test {
 protected:
  static constexpr size_t kNodes = 5;

  // Points in the order of nodes, about the ends of the circle and its middle;
  // many on one position.
  std::vector<Given> RandomPoints() {
    std::vector<Given> points;
    const size_t count = 1 + random_() % 12;
    for (size_t i = 0; i < count; ++i) {
      points.push_back({RandomPosition(), random_() % kNodes});
    }
    std::stable_sort(
        points.begin(), points.end(),
        [](const Given& a, const Given& b) { return a.node < b.node; });
    return points;
  }
  uint32_t RandomPosition() {
    constexpr uint32_t kAbout[] = {0, 0x80000000u, 0xFFFFFFF0u};
    return kAbout[random_() % 3] + static_cast<uint32_t>(random_() % 24);
  }
  // Hashes around all of them, and halfway round.
  std::vector<uint32_t> Hashes(const std::vector<Given>& points) {
    std::vector<uint32_t> hashes;
    for (const Given& a : points) {
      for (const Given& b : points) {
        const uint32_t middle = a.position + (b.position - a.position) / 2;
        for (uint32_t d = 0; d < 5; ++d) {
          hashes.push_back(a.position + d - 2);
          hashes.push_back(middle + d - 2);
          hashes.push_back(middle + 0x80000000u + d - 2);
        }
      }
    }
    return hashes;
  }
  static PeerRing Of(const std::vector<Given>& points) {
    PeerRing ring(32, PeerHash::kCrc32, 1000);
    for (const Given& p : points) ring.Add32(p.position, p.node);
    return ring;
  }

  std::mt19937_64 random_{1};
};

TEST_F(PeerRingTest, TakesTheNearestPoint) {
  for (int round = 0; round < 1000; ++round) {
    const std::vector<Given> points = RandomPoints();
    PeerRing ring = Of(points);
    ring.MakeNearest();
    const Ringed owners(ring, kNodes);
    for (uint32_t hash : Hashes(points)) {
      ASSERT_EQ(owners.Owner(hash), NearestOwner(Sorted(points), hash))
          << round << " " << hash;
    }
  }
}

TEST_F(PeerRingTest, TakesThePointAfterTheHash) {
  for (int round = 0; round < 1000; ++round) {
    const std::vector<Given> points = RandomPoints();
    PeerRing ring = Of(points);
    ring.KeepLast();
    ring.MakeStrict();
    const Ringed owners(ring, kNodes);
    std::vector<Given> last = Sorted(points);
    for (size_t i = 0; i + 1 < last.size();) {
      const bool is_shadowed = last[i].position == last[i + 1].position;
      is_shadowed ? void(last.erase(last.begin() + static_cast<long>(i)))
                  : void(++i);
    }
    for (uint32_t hash : Hashes(points)) {
      ASSERT_EQ(owners.Owner(hash), StrictOwner(last, hash)) << round;
    }
  }
}

TEST_F(PeerRingTest, LetsTheFirstOrTheLastPointWin) {
  for (int round = 0; round < 1000; ++round) {
    const std::vector<Given> points = RandomPoints();
    PeerRing rings[] = {Of(points), Of(points), Of(points), Of(points)};
    rings[0].LetFirstWin();
    rings[1].KeepFirst();
    rings[2].LetLastWin();
    rings[3].KeepLast();
    const std::vector<Given> sorted = Sorted(points);
    for (size_t k = 0; k < 4; ++k) {
      const Ringed owners(rings[k], kNodes);
      for (uint32_t hash : Hashes(points)) {
        size_t at = Successor(sorted, hash);
        while (k >= 2 && at + 1 < sorted.size() &&
               sorted[at + 1].position == sorted[at].position) {
          ++at;
        }
        ASSERT_EQ(owners.Owner(hash), sorted[at].node) << round << " " << k;
      }
    }
  }
}

}  // namespace
}  // namespace clockwise::compat_internal
