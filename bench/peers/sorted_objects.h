// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings in JavaScript: an array of objects, sorted by position, which is one of
// references to them. Left out, in the peers' favour: a position above 2^31 is
// an object again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/hash.h"
#include "compat/hash/md5_digest.h"
#include "ketama_search.h"
#include "map.h"
#include "md5_points.h"
#include "members.h"

namespace clockwise::bench {

class SortedObjectsRing {
 public:
  using Hash = uint32_t;

  [[nodiscard]] std::vector<Hash> Positions() const {
    std::vector<Hash> positions;
    for (const auto& point : points_) positions.push_back(point->position);
    return positions;
  }

 protected:
  struct Point {
    uint32_t position;
    std::string server;
  };

  void Add(Hash position, const std::string& name) {
    points_.push_back(std::make_unique<const Point>(Point{position, name}));
  }
  // Of equal positions the first added stays first.
  void Sort() {
    std::stable_sort(
        points_.begin(), points_.end(),
        [](const auto& a, const auto& b) { return a->position < b->position; });
  }

  [[nodiscard]] size_t size() const { return points_.size(); }
  [[nodiscard]] const Point& At(size_t i) const { return *points_[i]; }

 private:
  std::vector<std::unique_ptr<const Point>> points_;
};

// hashring of npm, which finds a point as libketama does.
class NpmHashringRing : public SortedObjectsRing {
 public:
  // It rounds 40 * 100 / 100 down, of doubles, and has them all.
  static Members MembersOf() { return PeerMembers("npm-hashring"); }

  explicit NpmHashringRing(const Members& members) {
    for (const Node& node : members.nodes) {
      ForMd5Points(node.id, kPeerDigests,
                   [&](uint32_t word) { Add(word, node.id); });
    }
    Sort();
  }
  static Hash HashOf(std::string_view key) {
    return compat_internal::Md5(key).words[0];
  }
  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    const auto position_at = [this](int64_t i) {
      return At(static_cast<size_t>(i)).position;
    };
    const int64_t found =
        KetamaSearch(static_cast<int64_t>(size()), hash, position_at);
    return PeerNodeNumber(At(static_cast<size_t>(found)).server);
  }
};

// An article's, which halves.
class ArticleNodeRing : public SortedObjectsRing {
 public:
  static Members MembersOf() { return PeerMembers("article-node-fmix"); }

  explicit ArticleNodeRing(const Members& members) {
    for (const Node& node : members.nodes) {
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        Add(HashOf(node.id + '#' + std::to_string(j)), node.id);
      }
    }
    Sort();
  }
  // Of texts in ASCII, whose UTF-16 has the same numbers.
  static Hash HashOf(std::string_view key) {
    uint32_t hash = ArticleMap::HashOf(key);
    hash = (hash ^ hash >> 16) * 0x85EBCA6B;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35;
    return hash ^ hash >> 16;
  }
  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    size_t low = 0;
    size_t high = size();
    while (low < high) {
      const size_t mid = (low + high) / 2;
      if (At(mid).position < hash) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return PeerNodeNumber(At(low == size() ? 0 : low).server);
  }
};

}  // namespace clockwise::bench
