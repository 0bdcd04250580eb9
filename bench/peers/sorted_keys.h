// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings in Go and Python: sorted positions, searched by sort.Search or bisect,
// and a hash map from the position found to the name of its node.
//
// std::unordered_map stands for the maps of both. Left out, in the peers'
// favour: the call of a closure at each step in Go, and that a number is an
// object in Python.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clockwise/hash.h"
#include "compat/hash/crc32.h"
#include "compat/hash/md5_digest.h"
#include "compat/hash/murmur.h"
#include "md5_points.h"
#include "members.h"

namespace clockwise::bench {

// Whose position is a hash itself.
enum class AtPoint {
  kThisPoint,  // sort.Search for >=, bisect_left
  kNextPoint,  // bisect_right
};

// `Position` is what the peer's numbers are.
template <typename HashType, typename Position, AtPoint kAtPoint>
class SortedKeysRing {
 public:
  using Hash = HashType;

  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    const auto sought = static_cast<Position>(hash);
    size_t low = 0;
    size_t high = keys_.size();
    while (low < high) {
      const size_t mid = (low + high) / 2;
      if (IsBefore(keys_[mid], sought)) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    if (low == keys_.size()) low = 0;
    return PeerNodeNumber(names_.find(keys_[low])->second);
  }

  [[nodiscard]] std::vector<Hash> Positions() const {
    return {keys_.begin(), keys_.end()};
  }

 protected:
  // The node that was added last has an equal position.
  void Add(Hash hash, const std::string& name) {
    const auto position = static_cast<Position>(hash);
    keys_.push_back(position);
    names_[position] = name;
  }
  void Sort() { std::sort(keys_.begin(), keys_.end()); }

 private:
  static bool IsBefore(Position point, Position sought) {
    return kAtPoint == AtPoint::kThisPoint ? point < sought : point <= sought;
  }

  std::vector<Position> keys_;
  std::unordered_map<Position, std::string> names_;
};

using GoRing = SortedKeysRing<uint32_t, int64_t, AtPoint::kThisPoint>;

class GroupcacheRing : public GoRing {
 public:
  static Members MembersOf() {
    Members members = PeerMembers("groupcache");
    members.options.params["replicas"] = std::to_string(kPeerPoints);
    return members;
  }
  explicit GroupcacheRing(const Members& members) {
    for (const Node& node : members.nodes) {
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        Add(HashOf(std::to_string(j) + node.id), node.id);
      }
    }
    Sort();
  }
  static Hash HashOf(std::string_view key) {
    return compat_internal::Crc32(key);
  }
};

class ArticleGoRing : public GoRing {
 public:
  static Members MembersOf() { return PeerMembers("article-go-crc32"); }
  explicit ArticleGoRing(const Members& members) {
    for (const Node& node : members.nodes) {
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        Add(HashOf(node.id + '#' + std::to_string(j)), node.id);
      }
    }
    Sort();
  }
  static Hash HashOf(std::string_view key) {
    return compat_internal::Crc32(key);
  }
};

class ArticlePythonRing
    : public SortedKeysRing<uint64_t, uint64_t, AtPoint::kThisPoint> {
 public:
  static Members MembersOf() { return PeerMembers("article-python-md5"); }
  explicit ArticlePythonRing(const Members& members) {
    for (const Node& node : members.nodes) {
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        Add(HashOf(node.id + '#' + std::to_string(j)), node.id);
      }
    }
    Sort();
  }
  static Hash HashOf(std::string_view key) {
    return compat_internal::Md5(key).High64();
  }
};

class UhashringRing
    : public SortedKeysRing<uint32_t, uint32_t, AtPoint::kNextPoint> {
 public:
  static Members MembersOf() {
    Members members = PeerMembers("uhashring");
    members.options.params["mode"] = "ketama";
    return members;
  }
  explicit UhashringRing(const Members& members) {
    for (const Node& node : members.nodes) {
      ForMd5Points(node.id, kPeerDigests,
                   [&](uint32_t word) { Add(word, node.id); });
    }
    Sort();
  }
  static Hash HashOf(std::string_view key) {
    return compat_internal::Md5(key).words[0];
  }
};

// As the Python driver finds a replica: tokens are signed.
class CassandraRing
    : public SortedKeysRing<uint64_t, int64_t, AtPoint::kThisPoint> {
 public:
  static Members MembersOf() {
    Members members = PeerMembers("cassandra-murmur3");
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      std::string& tokens = members.nodes[i].params["tokens"];
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        tokens += std::to_string(TokenOf(i, j)) + ',';
      }
      tokens.pop_back();
    }
    return members;
  }
  explicit CassandraRing(const Members& members) {
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      for (uint32_t j = 0; j < kPeerPoints; ++j) {
        Add(static_cast<uint64_t>(TokenOf(i, j)), members.nodes[i].id);
      }
    }
    Sort();
  }
  static Hash HashOf(std::string_view key) {
    return static_cast<uint64_t>(compat_internal::CassandraToken(key));
  }

 private:
  static int64_t TokenOf(NodeIndex node, uint32_t j) {
    return static_cast<int64_t>(Fmix64(node * kPeerPoints + j + 1));
  }
};

}  // namespace clockwise::bench
