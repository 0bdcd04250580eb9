// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// twemproxy (nutcracker) 0.5.0.
#include <algorithm>
#include <utility>

#include "compat/fields.h"
#include "compat/scheme.h"
#include "compat/schemes/ketama.h"

namespace clockwise::compat_internal {
namespace {

// As it stands in twemproxy's configuration: its name, or its address. A socket
// has the path and the colon before its weight, where others have the port.
Result<std::string> TwemproxyName(const Node& node) {
  if (const auto name = ParamOf(node.params, "name")) return std::string(*name);
  const auto at = HostPortOf(node);
  if (!at.ok()) return at.status();
  if (at.value().host.starts_with('/')) return at.value().host + ':';
  return MemcachedName(node);
}

// A pool: what its keys and its servers are.
struct Pool {
  PeerHash hash;
  KeyRule rule;
  std::vector<uint32_t> weights;
  // Servers as they are sorted first, shorter names before longer ones.
  std::vector<std::pair<std::string, size_t>> names;
};

Result<KeyRule> KeyRuleOf(const Members& members) {
  KeyRule rule;
  rule.empty_is_zero = true;
  if (const auto tag = ParamOf(members.options.params, "hash_tag")) {
    if (tag->size() != 2) {
      return BadParam("hash_tag", *tag, "a text of two bytes");
    }
    rule.tag_begin = tag->front();
    rule.tag_end = tag->back();
  }
  return rule;
}

Result<Pool> PoolOf(const Members& members) {
  const auto hash = HashParam(members, "hash", "twemproxy", "fnv1a_64");
  if (!hash.ok()) return hash.status();
  const auto rule = KeyRuleOf(members);
  if (!rule.ok()) return rule.status();
  const auto weights = WholeWeights(members);
  if (!weights.ok()) return weights.status();
  Pool pool{hash.value(), rule.value(), weights.value(), {}};
  for (const Node& node : members.nodes) {
    const auto name = TwemproxyName(node);
    if (!name.ok()) return name.status();
    pool.names.emplace_back(name.value(), pool.names.size());
  }
  std::sort(pool.names.begin(), pool.names.end(),
            [](const auto& a, const auto& b) {
              return a.first.size() != b.first.size()
                         ? a.first.size() < b.first.size()
                         : a < b;
            });
  return pool;
}

}  // namespace

Result<PeerRing> TwemproxyKetama(const Members& members) {
  const auto read = PoolOf(members);
  if (!read.ok()) return read.status();
  const Pool& pool = read.value();
  PeerRing ring(32, pool.hash, members.options.max_points);
  const uint64_t sum = SumOf(pool.weights);
  for (const auto& [name, i] : pool.names) {
    const uint32_t weight = pool.weights[i];
    if (weight == 0) continue;
    const Status added = AddMd5Points(
        ring, name, FloatGroups(weight, sum, pool.names.size()), i);
    if (!added.ok()) return added;
  }
  ring.KeepFirst();
  ring.ForgetOrder();
  ring.SetKeyRule(pool.rule);
  return ring;
}

// Each server as often as its weight.
Result<PeerPlacement> TwemproxyModula(const Members& members) {
  const auto read = PoolOf(members);
  if (!read.ok()) return read.status();
  const Pool& pool = read.value();
  PeerPlacement table{
      .key_hash = pool.hash, .key_rule = pool.rule, .sorts_nodes = true};
  for (const auto& [name, i] : pool.names) {
    if (Status full = table.Add(i, pool.weights[i]); !full.ok()) return full;
  }
  return table;
}

}  // namespace clockwise::compat_internal
