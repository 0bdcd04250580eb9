// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/scheme.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "compat/key_hashers.h"

namespace clockwise {
namespace compat_internal {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kHash[] = {"hash"};
constexpr std::string_view kSpyParams[] = {"hash", "weighted"};
constexpr std::string_view kTwemproxy[] = {"hash", "hash_tag"};
constexpr std::string_view kServer[] = {"host", "port", "weight"};
constexpr std::string_view kWeight[] = {"weight"};
constexpr std::string_view kTwemproxyNode[] = {"host", "name", "port"};
constexpr std::string_view kSpymemcached[] = {"format", "hash", "weighted"};
constexpr std::string_view kSpymemcachedNode[] = {"host", "port", "text"};
constexpr std::string_view kHashring[] = {"compatibility", "default port",
                                          "vnode count"};
constexpr std::string_view kMode[] = {"mode"};
constexpr std::string_view kHaproxy[] = {"hash_key", "hash_type"};
constexpr std::string_view kHaproxyNode[] = {"addr", "guid", "host", "port",
                                             "puid"};
constexpr std::string_view kEnvoy[] = {"hash_function", "maximum_ring_size",
                                       "minimum_ring_size"};
constexpr std::string_view kEnvoyNode[] = {"hash_key"};
constexpr std::string_view kReplicas[] = {"replicas"};
constexpr std::string_view kVnodes[] = {"vnodes"};
constexpr std::string_view kVirtualNodes[] = {"virtual_nodes"};

constexpr std::string_view kPointLoss =
    "points are counted in floats over all weights: 25 equal servers have 156 "
    "points, not 160, and a change of one weight moves keys of others";
constexpr std::string_view kTotals =
    "points are shares of all weights: a change of one node moves keys between "
    "others";
constexpr std::string_view kNoWeights = "no weights";

// By id.
constexpr Scheme kSchemes[] = {
    {{"article-cpp-fnv1a", "std::map of FNV-1a-32 of \"node#i\"",
      "no weights; similar names cluster, since FNV-1a is not mixed", true,
      true, kVirtualNodes, Names()},
     ArticleCppFnv1a},
    {{"article-go-crc32", "sorted CRC-32 of \"node#i\", in Go", kNoWeights,
      true, true, kReplicas, Names()},
     ArticleGoCrc32},
    {{"article-node-fmix", "fmix32 of FNV-1a-32 of \"node#i\", in Node.js",
      "hashes UTF-16 code units, not bytes", true, true, kReplicas, kWeight},
     ArticleNodeFmix},
    {{"article-python-md5", "8 bytes of MD5 of \"node#i\", in Python",
      "whole weights", true, true, kVnodes, Names()},
     ArticlePythonMd5},
    {{"envoy-ring-hash", "Envoy ring_hash", kTotals, false, true, kEnvoy,
      kEnvoyNode},
     EnvoyRingHash},
    {{"groupcache", "groupcache consistenthash", kNoWeights, true, true,
      kReplicas, Names()},
     Groupcache},
    {{"haproxy-consistent", "HAProxy 2.6 and 3.x, hash-type consistent",
      "the nearest point owns, on either side; ids equal modulo 2^20 share "
      "points",
      true, true, kHaproxy, kHaproxyNode},
     HaproxyConsistent},
    {{"libketama", "libketama, weights as memory",
      "points are shares of all weights; ties are the C library's qsort", false,
      true, Names(), Names()},
     Libketama},
    {{"libmemcached-ketama", "libmemcached 1.1.4, KETAMA",
      "no weights; 100 points of the key hash, not MD5; bytes from 0x80 on "
      "differ where char is unsigned",
      true, true, kHash, kServer},
     LibmemcachedKetama},
    {{"libmemcached-ketama-spy", "libmemcached 1.1.4, CONSISTENT_KETAMA_SPY",
      "names points as no spymemcached of today does", false, true, kSpyParams,
      kServer},
     LibmemcachedKetamaSpy},
    {{"libmemcached-ketama-weighted", "libmemcached 1.1.4, KETAMA_WEIGHTED",
      kPointLoss, false, true, kHash, kServer},
     LibmemcachedKetamaWeighted},
    {{"nginx-consistent", "nginx 1.22, hash KEY consistent",
      "spreads as unevenly as CRC-32 chains do", true, true, Names(), Names()},
     NginxConsistent},
    {{"npm-hashring", "hashring 3.2.0 of npm", kTotals, false, true, kHashring,
      Names()},
     NpmHashring},
    {{"spymemcached-ketama", "spymemcached 2.12.3, KetamaNodeLocator",
      "weights count points over all weights", false, true, kSpymemcached,
      kSpymemcachedNode},
     SpymemcachedKetama},
    {{"twemproxy-ketama", "twemproxy 0.5.0, distribution ketama", kPointLoss,
      false, false, kTwemproxy, kTwemproxyNode},
     TwemproxyKetama},
    {{"uhashring", "uhashring 2.1",
      "mode ketama counts points over all weights; a key at a point belongs to "
      "the next one",
      false, true, kMode, Names()},
     Uhashring},
};

const Scheme* Find(std::string_view id) noexcept {
  const auto* end = std::end(kSchemes);
  const auto* found = std::find_if(
      kSchemes, end, [id](const Scheme& s) { return s.about.id == id; });
  return found != end ? found : nullptr;
}

// Says which parameter is not one of `known`; empty if none.
std::string Unknown(const Params& params, Names known, std::string_view id) {
  for (const auto& [name, value] : params) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string text =
        "unknown parameter '" + name + "'; scheme " + std::string(id);
    if (known.empty()) return text + " has none here";
    text += " reads";
    for (std::string_view each : known) text += " '" + std::string(each) + '\'';
    return text;
  }
  return {};
}

Status CheckParams(const Scheme& scheme, const Members& members) {
  const PeerScheme& about = scheme.about;
  const std::string of_ring =
      Unknown(members.options.params, about.ring_params, about.id);
  if (!of_ring.empty()) return {Code::kInvalidOptions, of_ring};
  for (const Node& node : members.nodes) {
    const std::string of_node =
        Unknown(node.params, about.node_params, about.id);
    if (of_node.empty()) continue;
    return {Code::kBadNode, "node '" + node.id + "': " + of_node};
  }
  if (members.options.seed == 0) return {};
  return {Code::kInvalidOptions,
          "seed " + std::to_string(members.options.seed) + "; scheme " +
              std::string(about.id) + " has none: 0"};
}

// A node with points has a weight, whatever the peer makes of 0.
Node WithWeight(const Node& node, bool has_points) {
  Node weighted = node;
  if (!has_points) {
    weighted.weight = Weight::Thousandths(0);
  } else if (node.weight.thousandths() == 0) {
    weighted.weight = Weight();
  }
  return weighted;
}

Result<Ring> Assemble(const Members& members, const PeerRing& points,
                      BlockSource* source) {
  RingOptions options = members.options;
  options.width = points.width();
  options.key_hash = KeyHashFor(points.key_hash());
  options.ties = points.ties();
  options.seed = SeedOf(points.key_rule());
  auto created = RingBuilder::Create(std::move(options));
  if (!created.ok()) return created.status();
  RingBuilder builder = std::move(created).value();
  const auto positions = points.PositionsByNode(members.nodes.size());
  for (size_t i = 0; i < positions.size(); ++i) {
    const Status added = builder.Add(
        WithWeight(members.nodes[i], !positions[i].empty()), positions[i]);
    if (!added.ok()) return added;
  }
  return builder.Build(members.epoch, source);
}

Result<Ring> Build(const Members& members, BlockSource* source) {
  const Scheme* scheme = Find(members.options.scheme);
  if (scheme == nullptr) {
    return Status(Code::kInvalidOptions,
                  "scheme '" + members.options.scheme + "' is not known");
  }
  if (Status refused = CheckParams(*scheme, members); !refused.ok()) {
    return refused;
  }
  if (Status refused = RegisterKeyHashers(); !refused.ok()) return refused;
  const auto points = scheme->build(members);
  if (!points.ok()) return points.status();
  return Assemble(members, points.value(), source);
}

}  // namespace
}  // namespace compat_internal

std::span<const PeerScheme> PeerSchemes() noexcept {
  static const auto all = [] {
    std::array<PeerScheme, std::size(compat_internal::kSchemes)> schemes;
    std::transform(std::begin(compat_internal::kSchemes),
                   std::end(compat_internal::kSchemes), schemes.begin(),
                   [](const auto& scheme) { return scheme.about; });
    return schemes;
  }();
  return all;
}

const PeerScheme* FindPeerScheme(std::string_view id) noexcept {
  const compat_internal::Scheme* scheme = compat_internal::Find(id);
  return scheme != nullptr ? &scheme->about : nullptr;
}

Result<Ring> BuildPeerRing(const Members& members, BlockSource* source) try {
  Result<Ring> ring = compat_internal::Build(members, source);
  if (ring.ok() || members.source.empty()) return ring;
  return Status(ring.status().code(),
                members.source + ": " + std::string(ring.status().message()));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
