// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Envoy's load balancers ring_hash and maglev.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "compat/fields.h"
#include "compat/scheme.h"
#include "hash/xxh_inline.h"
#include "placement/maglev_fill.h"

namespace clockwise::compat_internal {
namespace {

constexpr std::string_view kLocality = "locality";

struct Locality {
  double weight = 0;
  double hosts = 0;  // the sum of their weights
};
using Localities = std::map<std::string, Locality, std::less<>>;

// The weight of a node's locality: 1 where there are none.
Result<uint64_t> LocalityWeightOf(const Node& node) {
  const auto text = ParamOf(node.params, "locality_weight");
  if (!text) return 1;
  const auto weight = ParseUnsigned(*text);
  if (weight && *weight <= UINT32_MAX) return *weight;
  return BadNodeParam(node, "locality_weight", "a number of 32 bits");
}

// By name; all hosts of one give it the same weight.
Result<Localities> LocalitiesOf(const Members& members,
                                const std::vector<uint32_t>& weights) {
  Localities localities;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const Node& node = members.nodes[i];
    const auto weight = LocalityWeightOf(node);
    if (!weight.ok()) return weight.status();
    const auto name = ParamOf(node.params, kLocality).value_or("");
    const auto as_double = static_cast<double>(weight.value());
    const auto [there, is_new] =
        localities.try_emplace(std::string(name), Locality{as_double, 0});
    if (!is_new && there->second.weight != as_double) {
      return BadNodeParam(node, "locality_weight",
                          "the same as of other nodes of its locality");
    }
    there->second.hosts += weights[i];
  }
  return localities;
}

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

// With localities a host has its share of what its locality has of all.
Result<std::vector<double>> EnvoyShares(const Members& members) {
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  const auto read = LocalitiesOf(members, weights.value());
  if (!read.ok()) return read.status();
  const Localities& localities = read.value();
  double all = 0;
  for (const auto& [name, locality] : localities) all += locality.weight;
  std::vector<double> shares;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto name = ParamOf(members.nodes[i].params, kLocality).value_or("");
    const Locality& locality = localities.find(name)->second;
    const double share = locality.weight / all;
    shares.push_back(weights.value()[i] * share / locality.hosts);
  }
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
    const auto hash = [&text = host](uint64_t seed) {
      return hash_internal::Xxh64Inline(text.data(), text.size(), seed);
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
