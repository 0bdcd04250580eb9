// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "clockwise/compat_attempts.h"
#include "compat/hash/crc32.h"

namespace clockwise {
namespace {

using compat_internal::Crc32;

// nginx tries no more than this beside the first time, then goes round robin.
constexpr int kNginxSteps = 20;

// Nodes on their way to the caller.
class Tried {
 public:
  Tried(size_t count, NodeIndex* nodes, std::span<const NodeIndex> down)
      : count_(count), nodes_(nodes), down_(down) {}

  [[nodiscard]] bool is_full() const { return size_ == count_; }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] bool IsDown(NodeIndex node) const {
    return std::find(down_.begin(), down_.end(), node) != down_.end();
  }
  // Whether it is down, or was tried already.
  [[nodiscard]] bool Passes(NodeIndex node) const {
    return IsDown(node) ||
           std::find(nodes_, nodes_ + size_, node) != nodes_ + size_;
  }
  void Add(NodeIndex node) { nodes_[size_++] = node; }

 private:
  size_t count_;
  NodeIndex* nodes_;
  std::span<const NodeIndex> down_;
  size_t size_ = 0;
};

void TryNginxConsistent(const Ring& ring, std::string_view key, Tried& tried) {
  const size_t points = ring.point_count();
  if (points == 0) return;
  size_t point = ring.PointAt(ring.HashOf(key));
  for (int steps = 0; !tried.is_full();) {
    const NodeIndex node = ring.OwnerAt(point);
    if (!tried.Passes(node)) {
      tried.Add(node);
      continue;
    }
    if (++steps > kNginxSteps) return;
    if (++point == points) point = 0;
  }
}

// The hashes of the key, and of the key with 1, 2, … before it, are added up.
void TryNginxHash(const AnyPlacement& placement, std::string_view key,
                  Tried& tried) {
  uint32_t sum = 0;
  uint32_t round = 0;
  for (int steps = 0; !tried.is_full();) {
    const std::string prefix = round == 0 ? "" : std::to_string(round);
    ++round;
    sum += Crc32(key, Crc32(prefix)) >> 16 & 0x7FFF;
    const NodeIndex node = placement.Owner(uint64_t{sum} << 32);
    if (node == kNoNode) return;
    if (!tried.Passes(node)) {
      tried.Add(node);
    } else if (++steps > kNginxSteps) {
      return;
    }
  }
}

void TryEnvoy(const AnyPlacement& placement, std::string_view key,
              Tried& tried) {
  const uint64_t hash = placement.HashOf(key);
  for (uint64_t attempt = 0; !tried.is_full(); ++attempt) {
    const NodeIndex node = EnvoyAttempt(placement, hash, attempt);
    if (node == kNoNode) return;
    tried.Add(node);
  }
}

// Further hashes are sums: of the key's, and of those of 0, 1, … before the
// key.
void TrySpymemcached(const AnyPlacement& placement, std::string_view key,
                     Tried& tried) {
  uint64_t hash = placement.HashOf(key);
  std::string salted;
  // Where all nodes are down it has to end; the client gives up much earlier.
  const size_t most = tried.size() + 64 * size_t{placement.node_count()} + 64;
  for (size_t i = 0; !tried.is_full() && i < most; ++i) {
    const NodeIndex node = placement.Owner(hash);
    if (node == kNoNode) return;
    if (!tried.IsDown(node)) tried.Add(node);
    salted = std::to_string(i);
    salted += key;
    hash += placement.HashOf(salted);  // the low halves are zero
  }
}

void TryReplicas(const AnyPlacement& placement, std::string_view key,
                 Tried& tried) {
  std::vector<NodeIndex> nodes(placement.slot_count());
  if (placement.has_replicas()) {
    nodes.resize(
        placement.Replicas(placement.HashOf(key), nodes.size(), nodes.data()));
  } else {
    nodes.assign(1, placement.Owner(key));
  }
  for (NodeIndex node : nodes) {
    if (tried.is_full()) return;
    if (node != kNoNode && !tried.IsDown(node)) tried.Add(node);
  }
}

}  // namespace

size_t Attempts(const AnyPlacement& placement, std::string_view key,
                size_t count, NodeIndex* nodes,
                std::span<const NodeIndex> down) {
  Tried tried(count, nodes, down);
  const std::string_view scheme = placement.scheme();
  if (scheme == "nginx-consistent") {
    TryNginxConsistent(*placement.ring(), key, tried);
  } else if (scheme == "nginx-hash") {
    TryNginxHash(placement, key, tried);
  } else if (scheme == "envoy-ring-hash" || scheme == "envoy-maglev") {
    TryEnvoy(placement, key, tried);
  } else if (scheme == "spymemcached-ketama") {
    TrySpymemcached(placement, key, tried);
  } else {
    TryReplicas(placement, key, tried);
  }
  return tried.size();
}

NodeIndex EnvoyAttempt(const AnyPlacement& placement, uint64_t hash,
                       uint64_t attempt) noexcept {
  const Ring* ring = placement.ring();
  if (ring == nullptr) return placement.Owner(hash ^ -attempt);
  const size_t points = ring->point_count();
  if (points == 0) return kNoNode;
  return ring->OwnerAt((ring->PointAt(hash) + attempt % points) % points);
}

}  // namespace clockwise
