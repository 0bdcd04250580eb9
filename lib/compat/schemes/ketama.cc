// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/schemes/ketama.h"

#include <cmath>
#include <numeric>

#include "compat/hash/md5_digest.h"

namespace clockwise::compat_internal {
namespace {

constexpr uint32_t kMemcachedPort = 11211;

}  // namespace

Status AddMd5Points(PeerRing& ring, const std::string& name, uint64_t groups,
                    size_t node, size_t words) {
  if (Status full = ring.Reserve(groups * words); !full.ok()) return full;
  for (uint64_t i = 0; i < groups; ++i) {
    const Md5Digest digest = Md5(name + '-' + std::to_string(i));
    for (size_t k = 0; k < words; ++k) ring.Add32(digest.words[k], node);
  }
  return {};
}

Status AddHashedPoints(PeerRing& ring, const std::string& name, uint64_t count,
                       PeerHash hash, size_t node) {
  if (Status full = ring.Reserve(count); !full.ok()) return full;
  for (uint64_t i = 0; i < count; ++i) {
    ring.Add64(PeerHashOf(hash, name + '-' + std::to_string(i)), node);
  }
  return {};
}

Result<std::string> MemcachedName(const Node& node, bool always) {
  const auto at = HostPortOf(node);
  if (!at.ok()) return at.status();
  const bool is_path = at.value().host.starts_with('/');
  const uint32_t port = at.value().has_port ? at.value().port
                        : is_path           ? 0
                                            : kMemcachedPort;
  if (port == kMemcachedPort && !always) return at.value().host;
  return at.value().host + ':' + std::to_string(port);
}

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

}  // namespace clockwise::compat_internal
