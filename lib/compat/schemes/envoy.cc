// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Envoy's ring_hash load balancer.
#include <algorithm>
#include <cmath>

#include "compat/fields.h"
#include "compat/scheme.h"

namespace clockwise::compat_internal {
namespace {

// Shares of a locality that is the only one, in doubles as Envoy divides them.
Result<std::vector<double>> SharesOf(const Members& members) {
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  double sum = 0;
  for (uint32_t weight : weights.value()) sum += weight;
  std::vector<double> shares;
  for (uint32_t weight : weights.value()) shares.push_back(weight / sum);
  return shares;
}

double LeastOf(const std::vector<double>& shares) {
  double least = 1;
  for (double share : shares) {
    if (share > 0) least = std::min(least, share);
  }
  return least;
}

}  // namespace

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
  const auto shares = SharesOf(members);
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
    const Node& node = members.nodes[i];
    const std::string host(ParamOf(node.params, "hash_key").value_or(node.id));
    wanted += scale * shares.value()[i];
    for (uint64_t j = 0; made < wanted; ++j, made += 1) {
      if (Status full = ring.Reserve(1); !full.ok()) return full;
      ring.Add64(PeerHashOf(hash.value(), host + '_' + std::to_string(j)), i);
    }
  }
  return ring;
}

}  // namespace clockwise::compat_internal
