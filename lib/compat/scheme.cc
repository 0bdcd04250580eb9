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
constexpr std::string_view kTokens[] = {"tokens"};
constexpr std::string_view kTableSize[] = {"table_size"};
constexpr std::string_view kHashType[] = {"hash_type"};
constexpr std::string_view kRingSize[] = {"ring_size"};
constexpr std::string_view kKatranNode[] = {"hash"};
constexpr std::string_view kFunction[] = {"function"};
constexpr std::string_view kSlots[] = {"slots"};

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

Result<Ring> AssembleRing(const Members& members, const PeerRing& points,
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
  return AssembleRing(members, points.value(), source);
}

// A placement that is no ring.
template <Result<PeerPlacement> (*kPlacementOf)(const Members&)>
Result<AnyPlacement> BuildOther(const Members& members, BlockSource* source) {
  auto made = kPlacementOf(members);
  if (!made.ok()) return made.status();
  return Assemble(members, std::move(made).value(), source);
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
    {"cassandra-murmur3", "Cassandra's Murmur3Partitioner, primary replicas",
     "tokens must be given; the empty key is at 0, as drivers have it", true,
     false, Names(), kTokens, BuildPeer<CassandraMurmur3>},
    {"envoy-maglev", "Envoy maglev",
     "a change moves some keys of survivors; hosts beyond the table's size "
     "have "
     "no slot",
     false, false, kTableSize, kEnvoyNode, nullptr, BuildOther<EnvoyMaglev>},
    {"envoy-ring-hash", "Envoy ring_hash", kTotals, false, true, kEnvoy,
     kEnvoyNode, BuildPeer<EnvoyRingHash>},
    {"groupcache", "groupcache consistenthash", kNoWeights, true, true,
     kReplicas, Names(), BuildPeer<Groupcache>},
    {"haproxy-consistent", "HAProxy 2.6 and 3.x, hash-type consistent",
     "the nearest point owns, on either side; ids equal modulo 2^20 share "
     "points",
     true, true, kHaproxy, kHaproxyNode, BuildPeer<HaproxyConsistent>},
    {"haproxy-map", "HAProxy 2.6 and 3.x, hash-type map-based",
     "a change moves most keys", false, true, kHashType, Names(), nullptr,
     BuildOther<HaproxyMap>},
    {"katran-maglev-1", "Katran's MaglevHash; keys are hashed as you choose",
     "a node of weight 0 still has slots; a change moves keys of survivors; "
     "takes each address's hash from you",
     false, true, kRingSize, kKatranNode, nullptr, BuildOther<KatranMaglev1>,
     true},
    {"katran-maglev-2", "Katran's MaglevHashV2; keys are hashed as you choose",
     "a change moves keys of survivors; takes each address's hash from you",
     false, true, kRingSize, kKatranNode, nullptr, BuildOther<KatranMaglev2>,
     true},
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
    {"libmemcached-modula", "libmemcached 1.1.4, MODULA",
     "weights are ignored, 0 too; a change moves nearly every key", false, true,
     kHash, kAddress, nullptr, BuildOther<LibmemcachedModula>},
    {"mcrouter-ch3", "mcrouter's furc_hash (Ch3), and Crc32",
     "no weights; nodes come and go at the end of the list", false, true, kHash,
     Names(), nullptr, BuildOther<McrouterCh3>},
    {"mcrouter-rendezvous", "mcrouter's Rendezvous",
     "no weights; the order of nodes counts in ties alone", true, true, Names(),
     Names(), nullptr, BuildOther<McrouterRendezvous>},
    {"mcrouter-wch3", "mcrouter's WeightedCh3, and weightedFurcHash",
     "weights from 0 to 1, and a node of weight 0 may own keys; needs the key, "
     "not its hash, of 1,000 bytes at most",
     false, true, kFunction, kWeight, nullptr, BuildOther<McrouterWch3>},
    {"mcrouter-weighted-rendezvous", "mcrouter's WeightedRendezvous",
     "weights from 0 to 1; with equal weights not the same as "
     "mcrouter-rendezvous",
     true, true, Names(), kWeight, nullptr,
     BuildOther<McrouterWeightedRendezvous>},
    {"nginx-consistent", "nginx 1.22, hash KEY consistent",
     "spreads as unevenly as CRC-32 chains do", true, true, Names(), Names(),
     BuildPeer<NginxConsistent>},
    {"nginx-hash", "nginx 1.22, hash KEY",
     "a change moves nearly every key; 15 bits of hash; nginx sends an empty "
     "key round",
     false, true, Names(), Names(), nullptr, BuildOther<NginxHash>},
    {"npm-hashring", "hashring 3.2.0 of npm", kTotals, false, true, kHashring,
     Names(), BuildPeer<NpmHashring>},
    {"redis-slots", "Redis 7 Cluster: CRC-16 slots, hash tags",
     "masters list their slots; where none does, as redis-cli cuts them", true,
     true, Names(), kSlots, nullptr, BuildOther<RedisSlots>},
    {"spymemcached-ketama", "spymemcached 2.12.3, KetamaNodeLocator",
     "weights count points over all weights", false, true, kSpymemcached,
     kSpymemcachedNode, BuildPeer<SpymemcachedKetama>},
    {"spymemcached-mod", "spymemcached 2.12.3, ArrayModNodeLocator",
     "no weights; a change moves nearly every key", false, true, kHash, Names(),
     nullptr, BuildOther<SpymemcachedMod>},
    {"twemproxy-ketama", "twemproxy 0.5.0, distribution ketama", kPointLoss,
     false, false, kTwemproxy, kTwemproxyNode, BuildPeer<TwemproxyKetama>},
    {"twemproxy-modula", "twemproxy 0.5.0, distribution modula",
     "a change moves nearly every key", false, false, kTwemproxy,
     kTwemproxyNode, nullptr, BuildOther<TwemproxyModula>},
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
