// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The ketama family: clients and proxies of memcached. They differ in how a
// server is named, how many points it has, and who wins ties.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "compat/fields.h"
#include "compat/hash/md5_digest.h"
#include "compat/scheme.h"

namespace clockwise::compat_internal {
namespace {

constexpr uint32_t kMemcachedPort = 11211;

// Four points of each MD5 of "name-0", "name-1", ….
Status AddMd5Points(PeerRing& ring, const std::string& name, uint64_t groups,
                    size_t node, size_t words = 4) {
  if (Status full = ring.Reserve(groups * words); !full.ok()) return full;
  for (uint64_t i = 0; i < groups; ++i) {
    const Md5Digest digest = Md5(name + '-' + std::to_string(i));
    for (size_t k = 0; k < words; ++k) ring.Add32(digest.words[k], node);
  }
  return {};
}

// One point of each hash of "name-0", "name-1", ….
Status AddHashedPoints(PeerRing& ring, const std::string& name, uint64_t count,
                       PeerHash hash, size_t node) {
  if (Status full = ring.Reserve(count); !full.ok()) return full;
  for (uint64_t i = 0; i < count; ++i) {
    ring.Add64(PeerHashOf(hash, name + '-' + std::to_string(i)), node);
  }
  return {};
}

// "host-i" on memcached's port, else "host:port-i"; `always` with the port.
Result<std::string> NameOf(const Node& node, bool always = false) {
  const auto at = HostPortOf(node);
  if (!at.ok()) return at.status();
  const bool is_path = at.value().host.starts_with('/');
  const uint32_t port = at.value().has_port ? at.value().port
                        : is_path           ? 0
                                            : kMemcachedPort;
  if (port == kMemcachedPort && !always) return at.value().host;
  return at.value().host + ':' + std::to_string(port);
}

// Weights of libmemcached, where 0 counts as 1.
Result<std::vector<uint32_t>> WeightsFromOne(const Members& members) {
  auto weights = WholeWeights(members, std::numeric_limits<uint32_t>::max());
  if (!weights.ok()) return weights;
  std::vector<uint32_t> counted = weights.value();
  for (uint32_t& weight : counted) weight = std::max(weight, 1u);
  return counted;
}

// MD5s of a server of weight `weight` of `sum` among `nodes`, in floats as
// libmemcached and twemproxy count them: 39, not 40, for 25 equal servers.
uint64_t FloatGroups(uint32_t weight, uint64_t sum, size_t nodes) {
  const float share = static_cast<float>(weight) / static_cast<float>(sum);
  const float points = share * 160.0f;
  const float groups = points / 4.0f;
  const float all = groups * static_cast<float>(nodes);
  return static_cast<uint64_t>(std::floor(all + 1e-10f));
}

uint64_t SumOf(const std::vector<uint32_t>& weights) {
  return std::accumulate(weights.begin(), weights.end(), uint64_t{0});
}

Result<PeerRing> Libmemcached(const Members& members, bool is_weighted,
                              bool is_spy) {
  const auto hash = HashParam(members, "hash", "libmemcached",
                              is_weighted ? "md5" : "default");
  if (!hash.ok()) return hash.status();
  const auto weights = WeightsFromOne(members);
  if (!weights.ok()) return weights.status();
  for (const Node& node : members.nodes) {
    // The peer would switch to weighted points without a word.
    if (is_weighted) break;
    if (const auto plain = IsThere(node); !plain.ok()) return plain.status();
  }
  const uint64_t sum = SumOf(weights.value());
  PeerRing ring(32, hash.value(), members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto name = NameOf(members.nodes[i], is_spy);
    if (!name.ok()) return name.status();
    const std::string text = is_spy ? '/' + name.value() : name.value();
    const Status added =
        is_weighted
            ? AddMd5Points(
                  ring, text,
                  FloatGroups(weights.value()[i], sum, members.nodes.size()), i)
            : AddHashedPoints(ring, text, 100, hash.value(), i);
    if (!added.ok()) return added;
  }
  ring.LetFirstWin();
  return ring;
}

// As it stands in twemproxy's configuration: its name, or its address.
Result<std::string> TwemproxyName(const Node& node) {
  if (const auto name = ParamOf(node.params, "name")) return std::string(*name);
  return NameOf(node);
}

// InetSocketAddress.toString() of Java, or as libmemcached.
Result<std::string> SpymemcachedName(const Node& node, bool is_spy) {
  if (!is_spy) return NameOf(node);
  if (const auto text = ParamOf(node.params, "text")) return std::string(*text);
  return node.id;
}

}  // namespace

Result<PeerRing> LibmemcachedKetama(const Members& members) {
  return Libmemcached(members, false, false);
}

Result<PeerRing> LibmemcachedKetamaWeighted(const Members& members) {
  return Libmemcached(members, true, false);
}

Result<PeerRing> LibmemcachedKetamaSpy(const Members& members) {
  const auto is_weighted = FlagParam(members, "weighted");
  if (!is_weighted.ok()) return is_weighted.status();
  return Libmemcached(members, is_weighted.value(), true);
}

// The share in floats, then in doubles, then in floats again.
Result<PeerRing> Libketama(const Members& members) {
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  const auto sum = static_cast<float>(SumOf(weights.value()));
  PeerRing ring(32, PeerHash::kMd5Word, members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const float share = static_cast<float>(weights.value()[i]) / sum;
    const double exact = static_cast<double>(share) * 40.0 *
                         static_cast<double>(members.nodes.size());
    const float groups = std::floor(static_cast<float>(exact));
    if (weights.value()[i] == 0) continue;
    const Status added = AddMd5Points(ring, members.nodes[i].id,
                                      static_cast<uint64_t>(groups), i);
    if (!added.ok()) return added;
  }
  return ring;
}

Result<PeerRing> TwemproxyKetama(const Members& members) {
  const auto hash = HashParam(members, "hash", "twemproxy", "fnv1a_64");
  if (!hash.ok()) return hash.status();
  KeyRule rule;
  rule.empty_is_zero = true;
  if (const auto tag = ParamOf(members.options.params, "hash_tag")) {
    if (tag->size() != 2) {
      return BadParam("hash_tag", *tag, "a text of two bytes");
    }
    rule.tag_begin = tag->front();
    rule.tag_end = tag->back();
  }
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  // Servers are sorted first, shorter names before longer ones.
  std::vector<std::pair<std::string, size_t>> names;
  for (const Node& node : members.nodes) {
    const auto name = TwemproxyName(node);
    if (!name.ok()) return name.status();
    names.emplace_back(name.value(), names.size());
  }
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() < b.first.size()
                                            : a < b;
  });
  PeerRing ring(32, hash.value(), members.options.max_points);
  const uint64_t sum = SumOf(weights.value());
  for (const auto& [name, i] : names) {
    const uint32_t weight = weights.value()[i];
    if (weight == 0) continue;
    const Status added =
        AddMd5Points(ring, name, FloatGroups(weight, sum, names.size()), i);
    if (!added.ok()) return added;
  }
  ring.KeepFirst();
  ring.ForgetOrder();
  ring.SetKeyRule(rule);
  return ring;
}

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

}  // namespace clockwise::compat_internal
