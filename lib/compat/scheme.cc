// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/scheme.h"

#include <utility>

#include "compat/key_hashers.h"

namespace clockwise {
namespace compat_internal {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kHash[] = {"hash"};
constexpr std::string_view kSpyParams[] = {"hash", "weighted"};
constexpr std::string_view kTwemproxy[] = {"hash", "hash_tag"};
constexpr std::string_view kAddress[] = {"host", "port"};
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

// The ring of a scheme, from its points.
template <Result<PeerRing> (*kPointsOf)(const Members&)>
Result<Ring> BuildPeer(const Members& members, BlockSource* source) {
  const auto points = kPointsOf(members);
  if (!points.ok()) return points.status();
  return Assemble(members, points.value(), source);
}

// By id.
constexpr Scheme kSchemes[] = {
    {"article-cpp-fnv1a", "std::map of FNV-1a-32 of \"node#i\"",
     "no weights; similar names cluster, since FNV-1a is not mixed", true, true,
     kVirtualNodes, Names(), BuildPeer<ArticleCppFnv1a>},
    {"article-go-crc32", "sorted CRC-32 of \"node#i\", in Go", kNoWeights, true,
     true, kReplicas, Names(), BuildPeer<ArticleGoCrc32>},
    {"article-node-fmix", "fmix32 of FNV-1a-32 of \"node#i\", in Node.js",
     "hashes UTF-16 code units, not bytes", true, true, kReplicas, kWeight,
     BuildPeer<ArticleNodeFmix>},
    {"article-python-md5", "8 bytes of MD5 of \"node#i\", in Python",
     "whole weights", true, true, kVnodes, Names(),
     BuildPeer<ArticlePythonMd5>},
    {"envoy-ring-hash", "Envoy ring_hash", kTotals, false, true, kEnvoy,
     kEnvoyNode, BuildPeer<EnvoyRingHash>},
    {"groupcache", "groupcache consistenthash", kNoWeights, true, true,
     kReplicas, Names(), BuildPeer<Groupcache>},
    {"haproxy-consistent", "HAProxy 2.6 and 3.x, hash-type consistent",
     "the nearest point owns, on either side; ids equal modulo 2^20 share "
     "points",
     true, true, kHaproxy, kHaproxyNode, BuildPeer<HaproxyConsistent>},
    {"libketama", "libketama, weights as memory",
     "points are shares of all weights; ties are the C library's qsort", false,
     true, Names(), Names(), BuildPeer<Libketama>},
    {"libmemcached-ketama", "libmemcached 1.1.4, KETAMA",
     "no weights; 100 points of the key hash, not MD5; bytes from 0x80 on "
     "differ where char is unsigned",
     true, true, kHash, kAddress, BuildPeer<LibmemcachedKetama>},
    {"libmemcached-ketama-spy", "libmemcached 1.1.4, CONSISTENT_KETAMA_SPY",
     "names points as no spymemcached of today does", false, true, kSpyParams,
     kServer, BuildPeer<LibmemcachedKetamaSpy>},
    {"libmemcached-ketama-weighted", "libmemcached 1.1.4, KETAMA_WEIGHTED",
     kPointLoss, false, true, kHash, kServer,
     BuildPeer<LibmemcachedKetamaWeighted>},
    {"nginx-consistent", "nginx 1.22, hash KEY consistent",
     "spreads as unevenly as CRC-32 chains do", true, true, Names(), Names(),
     BuildPeer<NginxConsistent>},
    {"npm-hashring", "hashring 3.2.0 of npm", kTotals, false, true, kHashring,
     Names(), BuildPeer<NpmHashring>},
    {"spymemcached-ketama", "spymemcached 2.12.3, KetamaNodeLocator",
     "weights count points over all weights", false, true, kSpymemcached,
     kSpymemcachedNode, BuildPeer<SpymemcachedKetama>},
    {"twemproxy-ketama", "twemproxy 0.5.0, distribution ketama", kPointLoss,
     false, false, kTwemproxy, kTwemproxyNode, BuildPeer<TwemproxyKetama>},
    {"uhashring", "uhashring 2.1",
     "mode ketama counts points over all weights; a key at a point belongs to "
     "the next one",
     false, true, kMode, Names(), BuildPeer<Uhashring>},
};

}  // namespace
}  // namespace compat_internal

Status RegisterPeerSchemes() {
  if (Status refused = compat_internal::RegisterKeyHashers(); !refused.ok()) {
    return refused;
  }
  for (const Scheme& scheme : compat_internal::kSchemes) {
    if (Status refused = RegisterScheme(scheme); !refused.ok()) return refused;
  }
  return {};
}

}  // namespace clockwise
