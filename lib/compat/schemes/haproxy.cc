// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// HAProxy 2.6.12 and 3.5-dev5, `hash-type consistent` and `map-based`.
#include "compat/hash/haproxy.h"

#include <arpa/inet.h>

#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/endian.h"
#include "base/parse_unsigned.h"
#include "compat/fields.h"
#include "compat/scheme.h"
#include "hash/xxh_inline.h"

namespace clockwise::compat_internal {
namespace {

using hash_internal::Xxh32Inline;

constexpr uint32_t kPointsPerWeight = 16;
constexpr uint32_t kMaxWeight = 256;

// "METHOD sdbm avalanche": the function that hashes keys. Where none is named
// it is `otherwise`, where one is named it is that alone.
Result<PeerHash> KeyHashOf(const Members& members, std::string_view method,
                           PeerHash otherwise) {
  std::string_view type =
      ParamOf(members.options.params, "hash_type").value_or(method);
  const std::string_view given = type;
  if (type.starts_with(method)) {
    type.remove_prefix(method.size());
    if (type.empty()) return otherwise;
    if (type == " avalanche") return PeerHash::kSdbmAvalanche;
    if (type.front() == ' ') {
      if (auto hash = ParsePeerHash("haproxy", type.substr(1))) return *hash;
    }
  }
  return BadParam("hash_type", given,
                  "'" + std::string(method) +
                      "', a function (sdbm, djb2, wt6, crc32, none) and "
                      "'avalanche'");
}

// The id of its own that a server has; none where it is given one.
Result<std::optional<uint32_t>> OwnPuid(const Node& node) {
  const auto text = ParamOf(node.params, "puid");
  if (!text) return std::optional<uint32_t>();
  const auto puid = ParseUnsigned(*text);
  if (puid && *puid <= UINT32_MAX) {
    return std::optional<uint32_t>(static_cast<uint32_t>(*puid));
  }
  return BadNodeParam(node, "puid", "a number of 32 bits");
}

// Of an address, and a port's hash before it where the port counts; as on
// little-endian hosts.
Result<uint32_t> AddressBase(const Node& node, bool with_port) {
  const auto at = HostPortOf(node);
  if (!at.ok()) return at.status();
  std::string host =
      std::string(ParamOf(node.params, "addr").value_or(at.value().host));
  if (host.size() > 2 && host.front() == '[') {
    host = host.substr(1, host.size() - 2);
  }
  const uint32_t seed = with_port ? FullHash(at.value().port) : 0;
  unsigned char bytes[16];
  if (inet_pton(AF_INET, host.c_str(), bytes) == 1) {
    return FullHash(seed + LoadLe32(bytes));
  }
  if (inet_pton(AF_INET6, host.c_str(), bytes) == 1) {
    return Xxh32Inline(bytes, sizeof bytes, seed);
  }
  return BadNodeParam(node, "addr", "an IPv4 or IPv6 address");
}

// What the numbers of a server's points begin at.
Result<uint32_t> BaseOf(const Node& node, uint32_t puid,
                        std::string_view hash_key) {
  if (hash_key == "addr") return AddressBase(node, false);
  if (hash_key == "addr-port") return AddressBase(node, true);
  if (hash_key == "guid") {
    const std::string_view guid =
        ParamOf(node.params, "guid").value_or(node.id);
    return Xxh32Inline(guid.data(), guid.size(), 0);
  }
  if (hash_key == "id") return puid * 4096;
  return FullHash(__builtin_bswap32(puid));
}

// A server in the race for the next slot of the map.
struct Racer {
  size_t node;
  int64_t weight;  // over the greatest common divisor of all
  int64_t score = 0;
};

// Slots go to servers by smooth weighted round robin: all scores grow by the
// weights, and the first with the most whole turns pays for one.
Status FillMap(std::vector<Racer> racers, PeerPlacement& map) {
  int64_t total = 0;
  for (const Racer& racer : racers) total += racer.weight;
  for (int64_t slot = 0; slot < total; ++slot) {
    Racer* best = nullptr;
    int64_t most = 0;
    for (Racer& racer : racers) {
      racer.score += racer.weight;
      const int64_t turns = (racer.score + total) / total;
      if (best == nullptr || turns > most) best = &racer, most = turns;
    }
    best->score -= total;
    if (Status full = map.Add(best->node); !full.ok()) return full;
  }
  return {};
}

}  // namespace

Result<std::vector<uint32_t>> HaproxyPuids(const std::vector<Node>& nodes) {
  std::vector<std::optional<uint32_t>> own;
  std::set<uint32_t> used;
  for (const Node& node : nodes) {
    const auto puid = OwnPuid(node);
    if (!puid.ok()) return puid.status();
    own.push_back(puid.value());
    if (own.back()) used.insert(*own.back());
  }
  std::vector<uint32_t> puids;
  uint32_t next = 1;
  for (const std::optional<uint32_t>& puid : own) {
    while (!puid && used.contains(next)) ++next;
    puids.push_back(puid.value_or(next));
    ++next;
  }
  return puids;
}

Result<PeerPlacement> HaproxyMap(const Members& members) {
  const auto hash = KeyHashOf(members, "map-based", PeerHash::kSdbm);
  if (!hash.ok()) return hash.status();
  const auto weights = WholeWeights(members, kMaxWeight);
  if (!weights.ok()) return weights.status();
  uint32_t divisor = 0;
  for (uint32_t weight : weights.value()) divisor = std::gcd(divisor, weight);
  std::vector<Racer> racers;
  for (size_t i = 0; i < weights.value().size(); ++i) {
    const uint32_t weight = weights.value()[i];
    if (weight > 0) racers.push_back({i, weight / divisor});
  }
  PeerPlacement map{.key_hash = hash.value()};
  if (Status full = FillMap(std::move(racers), map); !full.ok()) return full;
  return map;
}

Result<PeerRing> HaproxyPoints(const Members& members) {
  const auto hash = KeyHashOf(members, "consistent", PeerHash::kSdbmAvalanche);
  if (!hash.ok()) return hash.status();
  const std::string_view hash_key =
      ParamOf(members.options.params, "hash_key").value_or("id");
  if (hash_key != "id" && hash_key != "id32" && hash_key != "addr" &&
      hash_key != "addr-port" && hash_key != "guid") {
    return BadParam("hash_key", hash_key, "id, id32, addr, addr-port or guid");
  }
  const auto puids = HaproxyPuids(members.nodes);
  if (!puids.ok()) return puids.status();
  PeerRing ring(32, hash.value(), members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto weight = WholeWeight(members.nodes[i], kMaxWeight);
    if (!weight.ok()) return weight.status();
    const auto base = BaseOf(members.nodes[i], puids.value()[i], hash_key);
    if (!base.ok()) return base.status();
    const uint32_t count = kPointsPerWeight * weight.value();
    if (Status full = ring.Reserve(count); !full.ok()) return full;
    for (uint32_t j = 0; j < count; ++j) {
      ring.Add32(FullHash(base.value() + j), i);
    }
  }
  return ring;
}

Result<PeerRing> HaproxyConsistent(const Members& members) {
  auto ring = HaproxyPoints(members);
  if (ring.ok()) ring.value().MakeNearest();
  return ring;
}

}  // namespace clockwise::compat_internal
