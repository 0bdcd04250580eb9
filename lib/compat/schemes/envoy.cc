// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Envoy's load balancers ring_hash and maglev.
#include <algorithm>
#include <cmath>
#include <utility>

#include "compat/fields.h"
#include "compat/scheme.h"
#include "hash/xxh_inline.h"
#include "placement/maglev_fill.h"

namespace clockwise::compat_internal {
namespace {

// What Envoy hashes for a host.
std::string HostOf(const Node& node) {
  return std::string(ParamOf(node.params, "hash_key").value_or(node.id));
}

double LeastOf(const std::vector<double>& shares) {
  double least = 1;
  for (double share : shares) {
    if (share > 0) least = std::min(least, share);
  }
  return least;
}

}  // namespace

// Of a locality that is the only one.
Result<std::vector<double>> EnvoyShares(const Members& members) {
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  double sum = 0;
  for (uint32_t weight : weights.value()) sum += weight;
  std::vector<double> shares;
  for (uint32_t weight : weights.value()) shares.push_back(weight / sum);
  return shares;
}

// Sums of doubles decide how many points a host has.
Result<PeerRing> EnvoyRingHash(const Members& members) {
  constexpr uint64_t kMost = 8388608;
  const auto least = NumberParam(members, "minimum_ring_size", 1024, 1, kMost);
  if (!least.ok()) return least.status();
  const auto most =
      NumberParam(members, "maximum_ring_size", kMost, least.value(), kMost);
  if (!most.ok()) return most.status();
  const auto hash = HashParam(members, "hash_function", "envoy", "xx_hash");
  if (!hash.ok()) return hash.status();
  const auto shares = EnvoyShares(members);
  if (!shares.ok()) return shares.status();
  const double small = LeastOf(shares.value());
  const double scale =
      std::min(std::ceil(small * static_cast<double>(least.value())) / small,
               static_cast<double>(most.value()));
  // Keys are hashed by XXH64 whatever hashes the points.
  PeerRing ring(64, PeerHash::kXxh64, members.options.max_points);
  double wanted = 0;
  double made = 0;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const std::string host = HostOf(members.nodes[i]);
    wanted += scale * shares.value()[i];
    for (uint64_t j = 0; made < wanted; ++j, made += 1) {
      if (Status full = ring.Reserve(1); !full.ok()) return full;
      ring.Add64(PeerHashOf(hash.value(), host + '_' + std::to_string(j)), i);
    }
  }
  return ring;
}

// Hosts by their strings; each has a slot at least, while there are any.
Result<PeerPlacement> EnvoyMaglev(const Members& members) {
  const auto size = NumberParam(members, "table_size", 65537, 2, 5000011);
  if (!size.ok()) return size.status();
  const auto slots = static_cast<uint32_t>(size.value());
  if (!IsPrime(slots)) {
    return BadParam("table_size", std::to_string(slots), "a prime");
  }
  const auto shares = EnvoyShares(members);
  if (!shares.ok()) return shares.status();
  std::vector<std::pair<std::string, size_t>> hosts;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    if (shares.value()[i] > 0) hosts.emplace_back(HostOf(members.nodes[i]), i);
  }
  std::sort(hosts.begin(), hosts.end());
  std::vector<MaglevNode> nodes;
  for (const auto& [host, i] : hosts) {
    const auto hash = [&host](uint64_t seed) {
      return hash_internal::Xxh64Inline(host.data(), host.size(), seed);
    };
    const uint64_t offset = hash(0) % slots;
    const uint64_t skip = hash(1) % (slots - 1) + 1;
    nodes.push_back({static_cast<uint32_t>(offset), static_cast<uint32_t>(skip),
                     shares.value()[i]});
  }
  PeerPlacement table{.key_hash = PeerHash::kXxh64, .sorts_nodes = true};
  if (hosts.empty()) return table;
  table.owners.resize(slots);
  FillByWeight(nodes, table.owners);
  for (NodeIndex& owner : table.owners) {
    owner = static_cast<NodeIndex>(hosts[owner].second);
  }
  return table;
}

}  // namespace clockwise::compat_internal
