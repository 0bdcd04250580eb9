// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Clients in Java, JavaScript and Python.
#include <cmath>

#include "compat/fields.h"
#include "compat/scheme.h"
#include "compat/schemes/ketama.h"

namespace clockwise::compat_internal {
namespace {

// InetSocketAddress.toString() of Java, or as libmemcached.
Result<std::string> SpymemcachedName(const Node& node, bool is_spy) {
  if (!is_spy) return MemcachedName(node);
  if (const auto text = ParamOf(node.params, "text")) return std::string(*text);
  return node.id;
}

}  // namespace

Result<PeerRing> SpymemcachedKetama(const Members& members) {
  const auto hash = HashParam(members, "hash", "spymemcached", "ketama_hash");
  if (!hash.ok()) return hash.status();
  const auto is_weighted = FlagParam(members, "weighted");
  if (!is_weighted.ok()) return is_weighted.status();
  const std::string_view format =
      ParamOf(members.options.params, "format").value_or("SPYMEMCACHED");
  if (format != "SPYMEMCACHED" && format != "LIBMEMCACHED") {
    return BadParam("format", format, "SPYMEMCACHED or LIBMEMCACHED");
  }
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  const uint64_t sum = SumOf(weights.value());
  PeerRing ring(32, hash.value(), members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto name =
        SpymemcachedName(members.nodes[i], format == "SPYMEMCACHED");
    if (!name.ok()) return name.status();
    const uint32_t weight = weights.value()[i];
    if (weight == 0) continue;
    const bool is_md5 =
        is_weighted.value() || hash.value() == PeerHash::kMd5Word;
    const uint64_t groups = is_weighted.value()
                                ? FloatGroups(weight, sum, members.nodes.size())
                                : 40;
    const Status added =
        is_md5 ? AddMd5Points(ring, name.value(), groups, i)
               : AddHashedPoints(ring, name.value(), 160, hash.value(), i);
    if (!added.ok()) return added;
  }
  ring.KeepLast();
  return ring;
}

Result<PeerRing> NpmHashring(const Members& members) {
  const auto vnodes = NumberParam(members, "vnode count", 40, 1, 65536);
  if (!vnodes.ok()) return vnodes.status();
  const auto port = NumberParam(members, "default port", 65536, 1, 65535);
  if (!port.ok()) return port.status();
  const std::string_view compatibility =
      ParamOf(members.options.params, "compatibility").value_or("hash-ring");
  const size_t words = compatibility == "hash_ring" ? 3 : 4;
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  const auto sum = static_cast<double>(SumOf(weights.value()));
  PeerRing ring(32, PeerHash::kMd5Word, members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const Node& node = members.nodes[i];
    const auto at = HostPortOf(node);
    if (!at.ok()) return at.status();
    const std::string name =
        at.value().has_port && at.value().port == port.value() ? at.value().host
                                                               : node.id;
    const double share = static_cast<double>(weights.value()[i]) / sum;
    const double groups = share * static_cast<double>(vnodes.value()) *
                          static_cast<double>(members.nodes.size());
    if (weights.value()[i] == 0) continue;
    const Status added = AddMd5Points(
        ring, name, static_cast<uint64_t>(std::floor(groups)), i, words);
    if (!added.ok()) return added;
  }
  return ring;
}

Result<PeerRing> Uhashring(const Members& members) {
  const std::string_view mode =
      ParamOf(members.options.params, "mode").value_or("default");
  if (mode != "ketama" && mode != "default") {
    return BadParam("mode", mode, "default or ketama");
  }
  const bool is_ketama = mode == "ketama";
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  const uint64_t sum = SumOf(weights.value());
  PeerRing ring(is_ketama ? 32 : 64,
                is_ketama ? PeerHash::kMd5Word : PeerHash::kMd5High64,
                members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const uint64_t weight = weights.value()[i];
    if (weight == 0) continue;
    const std::string& name = members.nodes[i].id;
    const Status added =
        is_ketama ? AddMd5Points(ring, name,
                                 40 * members.nodes.size() * weight / sum, i)
                  : AddHashedPoints(ring, name, 160 * weight,
                                    PeerHash::kMd5High64, i);
    if (!added.ok()) return added;
  }
  ring.KeepLast();
  ring.MakeStrict();
  return ring;
}

// ArrayModNodeLocator.
Result<PeerPlacement> SpymemcachedMod(const Members& members) {
  const auto hash = HashParam(members, "hash", "spymemcached", "native_hash");
  if (!hash.ok()) return hash.status();
  return OneSlotEach(members, hash.value(), false);
}

}  // namespace clockwise::compat_internal
