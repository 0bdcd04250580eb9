// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// libmemcached 1.1.4, and libketama, which was first.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compat/fields.h"
#include "compat/scheme.h"
#include "compat/schemes/ketama.h"

namespace clockwise::compat_internal {
namespace {

// Weights of libmemcached, where 0 counts as 1.
Result<std::vector<uint32_t>> WeightsFromOne(const Members& members) {
  auto weights = WholeWeights(members, std::numeric_limits<uint32_t>::max());
  if (!weights.ok()) return weights;
  std::vector<uint32_t> counted = weights.value();
  for (uint32_t& weight : counted) weight = std::max(weight, 1u);
  return counted;
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
    const auto name = MemcachedName(members.nodes[i], is_spy);
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

// Weights are ignored, and servers of weight 0 are not left out.
Result<PeerPlacement> LibmemcachedModula(const Members& members) {
  const auto hash = HashParam(members, "hash", "libmemcached", "default");
  if (!hash.ok()) return hash.status();
  return OneSlotEach(members, hash.value(), true);
}

}  // namespace clockwise::compat_internal
