// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// nginx's `hash KEY consistent`: the points and the search of
// ngx_http_upstream_find_chash_point, and the loop of ngx_crc32_long.
//
// Left out, in the peer's favour: nginx then walks its list of servers and
// compares the name of the point with each of theirs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "members.h"

namespace clockwise::bench {

constexpr std::array<uint32_t, 256> MakeNginxTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    }
    table[b] = crc;
  }
  return table;
}
inline constexpr auto kNginxTable = MakeNginxTable();

class NginxRing {
 public:
  using Hash = uint32_t;

  static Members MembersOf() { return PeerMembers("nginx-consistent"); }

  explicit NginxRing(const Members& members) {
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      servers_.push_back(std::make_unique<Server>(members.nodes[i].id, i));
      AddPoints(*servers_.back());
    }
    // Of equal hashes the server declared first keeps its own.
    std::stable_sort(
        points_.begin(), points_.end(),
        [](const Point& a, const Point& b) { return a.hash < b.hash; });
    const auto is_equal = [](const Point& a, const Point& b) {
      return a.hash == b.hash;
    };
    points_.erase(std::unique(points_.begin(), points_.end(), is_equal),
                  points_.end());
  }

  static Hash HashOf(std::string_view key) { return ~Crc(key, 0xFFFFFFFF); }

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    uint32_t i = 0;
    auto j = static_cast<uint32_t>(points_.size());
    while (i < j) {
      const uint32_t k = (i + j) / 2;
      if (hash > points_[k].hash) {
        i = k + 1;
      } else if (hash < points_[k].hash) {
        j = k;
      } else {
        i = k;
        break;
      }
    }
    // Its caller takes the remainder, for the wrap and for retries.
    return points_[i % points_.size()].server->number;
  }

  [[nodiscard]] std::vector<Hash> Positions() const {
    std::vector<Hash> positions;
    for (const Point& point : points_) positions.push_back(point.hash);
    return positions;
  }

 private:
  struct Server {
    Server(std::string id, NodeIndex i) : name(std::move(id)), number(i) {}
    std::string name;
    NodeIndex number;
  };
  struct Point {
    uint32_t hash;
    const Server* server;
  };
  static_assert(sizeof(Point) == 16);

  static uint32_t Crc(std::string_view text, uint32_t crc) {
    for (const char c : text) {
      crc = kNginxTable[(crc ^ static_cast<uint8_t>(c)) & 0xFF] ^ (crc >> 8);
    }
    return crc;
  }

  // Each hashes host, NUL, port, and the hash before it.
  void AddPoints(const Server& server) {
    std::string base = server.name;
    base[base.find(':')] = '\0';
    const uint32_t begin = Crc(base, 0xFFFFFFFF);
    uint32_t hash = 0;
    for (uint32_t j = 0; j < kPeerPoints; ++j) {
      char last[4];
      for (int b = 0; b < 4; ++b) {
        last[b] = static_cast<char>(hash >> (8 * b) & 0xFF);
      }
      hash = ~Crc({last, sizeof last}, begin);
      points_.push_back({hash, &server});
    }
  }

  std::vector<std::unique_ptr<Server>> servers_;
  std::vector<Point> points_;
};

}  // namespace clockwise::bench
