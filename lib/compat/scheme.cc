// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/scheme.h"

#include <utility>

#include "compat/fields.h"
#include "compat/key_hashers.h"
#include "compat/warnings.h"

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
constexpr std::string_view kEnvoyNode[] = {"hash_key", "locality",
                                           "locality_weight"};
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
    "points, not 160, and a change of one weight moves keys of others; hashes "
    "other than md5 place bytes from 0x80 on elsewhere where char is unsigned";
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

// What else a ring's members may step into.
using WarnMore = void (*)(const Members&, Warnings&);
using Warn = void (*)(const Members&, const AnyPlacement&, Warnings&);

void WarnOfFloatsIfWeighted(const Members& members, Warnings& warnings) {
  const auto is_weighted = FlagParam(members, "weighted");
  if (is_weighted.ok() && is_weighted.value()) WarnOfFloats(members, warnings);
}

template <Result<PeerRing> (*kPointsOf)(const Members&), WarnMore kMore>
void WarnPeer(const Members& members, const AnyPlacement& built,
              Warnings& warnings) {
  const auto points = kPointsOf(members);
  if (!points.ok()) return;
  WarnOfRing(members, built, points.value(), warnings);
  if (kMore != nullptr) kMore(members, warnings);
}

// How a scheme is built, and warns.
struct Recipe {
  Result<Ring> (*build_ring)(const Members&, BlockSource*) = nullptr;
  Result<AnyPlacement> (*build_placement)(const Members&,
                                          BlockSource*) = nullptr;
  Warn warn = nullptr;
  bool takes_key_hash = false;
};

template <Result<PeerRing> (*kPointsOf)(const Members&),
          WarnMore kMore = nullptr>
constexpr Recipe Points() {
  return {.build_ring = BuildPeer<kPointsOf>,
          .warn = WarnPeer<kPointsOf, kMore>};
}

// The peer's key hash is none of ours: that of the members is taken.
constexpr bool kKeysAsChosen = true;

template <Result<PeerPlacement> (*kPlacementOf)(const Members&),
          Warn kWarn = nullptr, bool kTakesKeyHash = false>
constexpr Recipe Other() {
  return {.build_placement = BuildOther<kPlacementOf>,
          .warn = kWarn,
          .takes_key_hash = kTakesKeyHash};
}

constexpr Scheme Make(std::string_view id, std::string_view about,
                      std::string_view traps, bool is_monotone,
                      bool is_order_dependent, Names ring_params,
                      Names node_params, Recipe recipe) {
  return {id,
          about,
          traps,
          is_monotone,
          is_order_dependent,
          ring_params,
          node_params,
          recipe.build_ring,
          recipe.build_placement,
          recipe.takes_key_hash,
          recipe.warn};
}

// By id.
constexpr Scheme kSchemes[] = {
    Make("article-cpp-fnv1a", "std::map of FNV-1a-32 of \"node#i\"",
         "no weights; similar names cluster, since FNV-1a is not mixed", true,
         true, kVirtualNodes, Names(), Points<ArticleCppFnv1a>()),
    Make("article-go-crc32", "sorted CRC-32 of \"node#i\", in Go", kNoWeights,
         true, true, kReplicas, Names(), Points<ArticleGoCrc32>()),
    Make("article-node-fmix", "fmix32 of FNV-1a-32 of \"node#i\", in Node.js",
         "hashes UTF-16 code units, not bytes", true, true, kReplicas, kWeight,
         Points<ArticleNodeFmix>()),
    Make("article-python-md5", "8 bytes of MD5 of \"node#i\", in Python",
         "whole weights", true, true, kVnodes, Names(),
         Points<ArticlePythonMd5>()),
    Make("cassandra-murmur3",
         "Cassandra's Murmur3Partitioner, primary replicas",
         "tokens must be given; the empty key is at 0, as drivers have it",
         true, false, Names(), kTokens, Points<CassandraMurmur3>()),
    Make("envoy-maglev", "Envoy maglev",
         "a change moves some keys of survivors; hosts beyond the table's size "
         "have no slot",
         false, false, kTableSize, kEnvoyNode,
         Other<EnvoyMaglev, WarnOfNoSlots>()),
    Make("envoy-ring-hash", "Envoy ring_hash", kTotals, false, true, kEnvoy,
         kEnvoyNode, Points<EnvoyRingHash>()),
    Make("groupcache", "groupcache consistenthash", kNoWeights, true, true,
         kReplicas, Names(), Points<Groupcache>()),
    Make("haproxy-consistent", "HAProxy 2.6 and 3.x, hash-type consistent",
         "the nearest point owns, on either side; ids equal modulo 2^20 share "
         "points",
         true, true, kHaproxy, kHaproxyNode,
         Points<HaproxyConsistent, WarnOfPuids>()),
    Make("haproxy-map", "HAProxy 2.6 and 3.x, hash-type map-based",
         "a change moves most keys", false, true, kHashType, Names(),
         Other<HaproxyMap>()),
    Make(
        "katran-maglev-1", "Katran's MaglevHash; keys are hashed as you choose",
        "a node of weight 0 still has slots; a change moves keys of survivors; "
        "takes each address's hash from you",
        false, true, kRingSize, kKatranNode,
        Other<KatranMaglev1, WarnOfZeroWeights, kKeysAsChosen>()),
    Make("katran-maglev-2",
         "Katran's MaglevHashV2; keys are hashed as you choose",
         "a change moves keys of survivors; takes each address's hash from you",
         false, true, kRingSize, kKatranNode,
         Other<KatranMaglev2, nullptr, kKeysAsChosen>()),
    Make("libketama", "libketama, weights as memory",
         "points are shares of all weights; ties are the C library's qsort",
         false, true, Names(), Names(), Points<Libketama>()),
    Make("libmemcached-ketama", "libmemcached 1.1.4, KETAMA",
         "no weights; 100 points of the key hash, not MD5; bytes from 0x80 on "
         "differ where char is unsigned",
         true, true, kHash, kAddress, Points<LibmemcachedKetama>()),
    Make("libmemcached-ketama-spy", "libmemcached 1.1.4, CONSISTENT_KETAMA_SPY",
         "names points as no spymemcached of today does", false, true,
         kSpyParams, kServer,
         Points<LibmemcachedKetamaSpy, WarnOfFloatsIfWeighted>()),
    Make("libmemcached-ketama-weighted", "libmemcached 1.1.4, KETAMA_WEIGHTED",
         kPointLoss, false, true, kHash, kServer,
         Points<LibmemcachedKetamaWeighted, WarnOfFloats>()),
    Make("libmemcached-modula", "libmemcached 1.1.4, MODULA",
         "weights are ignored, 0 too; a change moves nearly every key; bytes "
         "from "
         "0x80 on differ where char is unsigned",
         false, true, kHash, kAddress,
         Other<LibmemcachedModula, WarnOfIgnoredWeights>()),
    Make("mcrouter-ch3", "mcrouter's furc_hash (Ch3), and Crc32",
         "no weights; nodes come and go at the end of the list", false, true,
         kHash, Names(), Other<McrouterCh3>()),
    Make("mcrouter-rendezvous", "mcrouter's Rendezvous",
         "no weights; the order of nodes counts in ties alone", true, true,
         Names(), Names(), Other<McrouterRendezvous>()),
    Make("mcrouter-wch3", "mcrouter's WeightedCh3, and weightedFurcHash",
         "weights from 0 to 1, and a node of weight 0 may own keys; needs the "
         "key, not its hash, of 1,000 bytes at most",
         false, true, kFunction, kWeight,
         Other<McrouterWch3, WarnOfZeroWeights>()),
    Make("mcrouter-weighted-rendezvous", "mcrouter's WeightedRendezvous",
         "weights from 0 to 1; with equal weights not the same as "
         "mcrouter-rendezvous",
         true, true, Names(), kWeight, Other<McrouterWeightedRendezvous>()),
    Make("nginx-consistent", "nginx 1.22, hash KEY consistent",
         "spreads as unevenly as CRC-32 chains do", true, true, Names(),
         Names(), Points<NginxConsistent>()),
    Make("nginx-hash", "nginx 1.22, hash KEY",
         "a change moves nearly every key; 15 bits of hash; nginx sends an "
         "empty key round",
         false, true, Names(), Names(), Other<NginxHash, WarnOfShortHash>()),
    Make("npm-hashring", "hashring 3.2.0 of npm", kTotals, false, true,
         kHashring, Names(), Points<NpmHashring>()),
    Make("redis-slots", "Redis 7 Cluster: CRC-16 slots, hash tags",
         "masters list their slots; where none does, as redis-cli cuts them",
         true, true, Names(), kSlots, Other<RedisSlots, WarnOfUnassigned>()),
    Make("spymemcached-ketama", "spymemcached 2.12.3, KetamaNodeLocator",
         "weights count points over all weights", false, true, kSpymemcached,
         kSpymemcachedNode,
         Points<SpymemcachedKetama, WarnOfFloatsIfWeighted>()),
    Make("spymemcached-mod", "spymemcached 2.12.3, ArrayModNodeLocator",
         "no weights; a change moves nearly every key", false, true, kHash,
         Names(), Other<SpymemcachedMod>()),
    Make("twemproxy-ketama", "twemproxy 0.5.0, distribution ketama", kPointLoss,
         false, false, kTwemproxy, kTwemproxyNode,
         Points<TwemproxyKetama, WarnOfFloats>()),
    Make(
        "twemproxy-modula", "twemproxy 0.5.0, distribution modula",
        "a change moves nearly every key; bytes from 0x80 on differ where char "
        "is unsigned",
        false, false, kTwemproxy, kTwemproxyNode, Other<TwemproxyModula>()),
    Make("uhashring", "uhashring 2.1",
         "mode ketama counts points over all weights; a key at a point belongs "
         "to the next one",
         false, true, kMode, Names(), Points<Uhashring>()),
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
