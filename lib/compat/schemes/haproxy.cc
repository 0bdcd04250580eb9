// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// HAProxy 2.6.12 and 3.5-dev5, `hash-type consistent`.
#include "compat/hash/haproxy.h"

#include <arpa/inet.h>

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

// "consistent sdbm avalanche": the function that hashes keys. Where none is
// named it is sdbm with avalanche, where one is named it is that alone.
Result<PeerHash> KeyHashOf(const Members& members) {
  constexpr std::string_view kType = "consistent";
  std::string_view type =
      ParamOf(members.options.params, "hash_type").value_or(kType);
  const std::string_view given = type;
  if (type.starts_with(kType)) {
    type.remove_prefix(kType.size());
    if (type.empty()) return PeerHash::kSdbmAvalanche;
    if (type == " avalanche") return PeerHash::kSdbmAvalanche;
    if (type.front() == ' ') {
      if (auto hash = ParsePeerHash("haproxy", type.substr(1))) return *hash;
    }
  }
  return BadParam("hash_type", given,
                  "'consistent', a function (sdbm, djb2, wt6, crc32, none) and "
                  "'avalanche'");
}

Status BadNodeParam(const Node& node, std::string_view name,
                    std::string_view wanted) {
  return {Code::kBadNode, "node '" + node.id + "': parameter '" +
                              std::string(name) + "': " + std::string(wanted) +
                              " is wanted"};
}

// The server's id: its own, or its place from 1 on.
Result<uint32_t> PuidOf(const Node& node, size_t place) {
  const auto text = ParamOf(node.params, "puid");
  if (!text) return static_cast<uint32_t>(place + 1);
  const auto puid = ParseUnsigned(*text);
  if (puid && *puid <= UINT32_MAX) return static_cast<uint32_t>(*puid);
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
Result<uint32_t> BaseOf(const Node& node, size_t place,
                        std::string_view hash_key) {
  if (hash_key == "addr") return AddressBase(node, false);
  if (hash_key == "addr-port") return AddressBase(node, true);
  if (hash_key == "guid") {
    const std::string_view guid =
        ParamOf(node.params, "guid").value_or(node.id);
    return Xxh32Inline(guid.data(), guid.size(), 0);
  }
  const auto puid = PuidOf(node, place);
  if (!puid.ok()) return puid;
  if (hash_key == "id") return puid.value() * 4096;
  return FullHash(__builtin_bswap32(puid.value()));
}

}  // namespace

Result<PeerRing> HaproxyConsistent(const Members& members) {
  const auto hash = KeyHashOf(members);
  if (!hash.ok()) return hash.status();
  const std::string_view hash_key =
      ParamOf(members.options.params, "hash_key").value_or("id");
  if (hash_key != "id" && hash_key != "id32" && hash_key != "addr" &&
      hash_key != "addr-port" && hash_key != "guid") {
    return BadParam("hash_key", hash_key, "id, id32, addr, addr-port or guid");
  }
  PeerRing ring(32, hash.value(), members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto weight = WholeWeight(members.nodes[i], kMaxWeight);
    if (!weight.ok()) return weight.status();
    const auto base = BaseOf(members.nodes[i], i, hash_key);
    if (!base.ok()) return base.status();
    const uint32_t count = kPointsPerWeight * weight.value();
    if (Status full = ring.Reserve(count); !full.ok()) return full;
    for (uint32_t j = 0; j < count; ++j) {
      ring.Add32(FullHash(base.value() + j), i);
    }
  }
  ring.MakeNearest();
  return ring;
}

}  // namespace clockwise::compat_internal
