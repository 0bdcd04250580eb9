// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a scheme of a peer is made of: one function, and a line in the table of
// scheme.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "clockwise/compat.h"
#include "compat/peer_placement.h"
#include "compat/peer_ring.h"

namespace clockwise::compat_internal {

// The schemes, one file a family (schemes/).
Result<PeerRing> LibmemcachedKetama(const Members& members);
Result<PeerRing> LibmemcachedKetamaWeighted(const Members& members);
Result<PeerRing> LibmemcachedKetamaSpy(const Members& members);
Result<PeerRing> Libketama(const Members& members);
Result<PeerRing> TwemproxyKetama(const Members& members);
Result<PeerRing> SpymemcachedKetama(const Members& members);
Result<PeerRing> NpmHashring(const Members& members);
Result<PeerRing> Uhashring(const Members& members);
Result<PeerRing> NginxConsistent(const Members& members);
Result<PeerRing> HaproxyConsistent(const Members& members);
// The servers' ids: their own, or their places from 1 on; where another has
// that, the next free one, and places go on from there.
Result<std::vector<uint32_t>> HaproxyPuids(const std::vector<Node>& nodes);
// Their points, before hashes are settled to the nearest.
Result<PeerRing> HaproxyPoints(const Members& members);
Result<PeerRing> EnvoyRingHash(const Members& members);
Result<PeerRing> Groupcache(const Members& members);
Result<PeerRing> ArticlePythonMd5(const Members& members);
Result<PeerRing> ArticleNodeFmix(const Members& members);
Result<PeerRing> ArticleGoCrc32(const Members& members);
Result<PeerRing> ArticleCppFnv1a(const Members& members);
Result<PeerRing> CassandraMurmur3(const Members& members);

// The share of all weights that each node has, in doubles as Envoy divides
// them.
Result<std::vector<double>> EnvoyShares(const Members& members);

Result<PeerPlacement> LibmemcachedModula(const Members& members);
Result<PeerPlacement> TwemproxyModula(const Members& members);
Result<PeerPlacement> SpymemcachedMod(const Members& members);
Result<PeerPlacement> NginxHash(const Members& members);
Result<PeerPlacement> HaproxyMap(const Members& members);
Result<PeerPlacement> EnvoyMaglev(const Members& members);
Result<PeerPlacement> KatranMaglev1(const Members& members);
Result<PeerPlacement> KatranMaglev2(const Members& members);
Result<PeerPlacement> RedisSlots(const Members& members);
Result<PeerPlacement> McrouterCh3(const Members& members);
Result<PeerPlacement> McrouterWch3(const Members& members);
Result<PeerPlacement> McrouterRendezvous(const Members& members);
Result<PeerPlacement> McrouterWeightedRendezvous(const Members& members);

}  // namespace clockwise::compat_internal
