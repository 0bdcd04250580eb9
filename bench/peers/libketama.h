// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// libketama: its array of points, each with the text of its server, and the
// search of ketama_get_server.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compat/hash/md5_digest.h"
#include "ketama_search.h"
#include "md5_points.h"
#include "members.h"

namespace clockwise::bench {

class LibketamaRing {
 public:
  using Hash = uint32_t;

  static Members MembersOf() { return PeerMembers("libketama"); }

  explicit LibketamaRing(const Members& members) {
    for (const Node& node : members.nodes) {
      ForMd5Points(node.id, kPeerDigests, [this, &node](uint32_t word) {
        points_.emplace_back().position = word;
        node.id.copy(points_.back().server, sizeof(Point::server) - 1);
      });
    }
    std::sort(
        points_.begin(), points_.end(),
        [](const Point& a, const Point& b) { return a.position < b.position; });
  }

  static Hash HashOf(std::string_view key) {
    return compat_internal::Md5(key).words[0];
  }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    const auto at = [this](int i) -> const Point& {
      return points_[static_cast<size_t>(i)];
    };
    const int found = KetamaSearch(static_cast<int>(points_.size()), hash,
                                   [at](int i) { return at(i).position; });
    return PeerNodeNumber(at(found).server);
  }

  [[nodiscard]] std::vector<Hash> Positions() const {
    std::vector<Hash> positions;
    for (const Point& point : points_) positions.push_back(point.position);
    return positions;
  }

 private:
  struct Point {
    uint32_t position = 0;
    char server[22] = {};
  };
  static_assert(sizeof(Point) == 28);

  std::vector<Point> points_;
};

}  // namespace clockwise::bench
