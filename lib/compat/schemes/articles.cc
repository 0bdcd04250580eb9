// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings as articles on consistent hashing build them, in Python, JavaScript, Go
// and C++: points at hashes of "node#0", "node#1", ….
#include <algorithm>
#include <cmath>

#include "compat/fields.h"
#include "compat/scheme.h"

namespace clockwise::compat_internal {
namespace {

Status AddPoints(PeerRing& ring, const Node& node, uint64_t count, size_t i) {
  if (Status full = ring.Reserve(count); !full.ok()) return full;
  for (uint64_t j = 0; j < count; ++j) {
    ring.Add64(PeerHashOf(ring.key_hash(), node.id + '#' + std::to_string(j)),
               i);
  }
  return {};
}

// `count_of(node)` points of each node.
template <typename CountOf>
Result<PeerRing> RingOf(const Members& members, PeerHash hash,
                        CountOf count_of) {
  PeerRing ring(PeerHashBits(hash) == 64 ? 64 : 32, hash,
                members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const Node& node = members.nodes[i];
    const Result<uint64_t> count = count_of(node);
    if (!count.ok()) return count.status();
    if (Status full = AddPoints(ring, node, count.value(), i); !full.ok()) {
      return full;
    }
  }
  return ring;
}

// The same number for each node, by a parameter.
Result<PeerRing> UniformRing(const Members& members, PeerHash hash,
                             std::string_view param, uint64_t otherwise) {
  const auto count = NumberParam(members, param, otherwise, 1, 65536);
  if (!count.ok()) return count.status();
  return RingOf(members, hash, [&](const Node& node) -> Result<uint64_t> {
    const auto is_there = IsThere(node);
    if (!is_there.ok()) return is_there.status();
    return is_there.value() ? count.value() : 0;
  });
}

}  // namespace

Result<PeerRing> ArticlePythonMd5(const Members& members) {
  const auto vnodes = NumberParam(members, "vnodes", 160, 1, 65536);
  if (!vnodes.ok()) return vnodes.status();
  auto ring = RingOf(members, PeerHash::kMd5High64,
                     [&](const Node& node) -> Result<uint64_t> {
                       const auto weight = WholeWeight(node);
                       if (!weight.ok()) return weight.status();
                       // 0 counts as 1.
                       return vnodes.value() * std::max(weight.value(), 1u);
                     });
  if (!ring.ok()) return ring;
  PeerRing made = std::move(ring).value();
  made.LetLastWin();
  return made;
}

Result<PeerRing> ArticleNodeFmix(const Members& members) {
  const auto replicas = NumberParam(members, "replicas", 160, 1, 65536);
  if (!replicas.ok()) return replicas.status();
  return RingOf(members, PeerHash::kFnv1a32Utf16Fmix,
                [&](const Node& node) -> Result<uint64_t> {
                  const auto weight = ExactWeight(node);
                  if (!weight.ok()) return weight.status();
                  // Rounded half up, and at least one.
                  const double exact =
                      static_cast<double>(replicas.value()) * weight.value();
                  return std::max<uint64_t>(
                      static_cast<uint64_t>(std::floor(exact + 0.5)), 1);
                });
}

Result<PeerRing> ArticleGoCrc32(const Members& members) {
  auto ring = UniformRing(members, PeerHash::kCrc32, "replicas", 160);
  if (!ring.ok()) return ring;
  PeerRing made = std::move(ring).value();
  made.KeepLast();
  return made;
}

Result<PeerRing> ArticleCppFnv1a(const Members& members) {
  auto ring = UniformRing(members, PeerHash::kFnv1a32, "virtual_nodes", 100);
  if (!ring.ok()) return ring;
  PeerRing made = std::move(ring).value();
  made.KeepFirst();
  return made;
}

}  // namespace clockwise::compat_internal
