// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The other schemes of peers, rings and none, against the structures that the
// peers themselves ask (peer_groups.h).
#include <vector>

#include "peer_groups.h"
#include "peers/haproxy_map.h"
#include "peers/libketama.h"
#include "peers/maglev_tables.h"
#include "peers/mcrouter.h"
#include "peers/modula.h"
#include "peers/nginx_hash.h"
#include "peers/redis.h"
#include "peers/sorted_keys.h"
#include "peers/sorted_objects.h"
#include "peers/spymemcached.h"
#include "peers/twemproxy.h"
#include "rounds.h"

namespace clockwise::bench {
namespace {

template <typename... Peers>
std::vector<Group> GroupsOf() {
  std::vector<Group> groups;
  (AddPeerGroups<Peers>(groups), ...);
  return groups;
}

std::vector<Group> Groups() {
  return GroupsOf<LibketamaRing, TwemproxyRing, SpymemcachedTree,
                  NpmHashringRing, GroupcacheRing, UhashringRing, CassandraRing,
                  ArticleGoRing, ArticlePythonRing, ArticleNodeRing,
                  LibmemcachedModula, TwemproxyModula, NginxHash,
                  HaproxyMapTable, EnvoyMaglevTable, KatranTable,
                  RedisSlotTable, McrouterCh3, McrouterWeightedCh3,
                  McrouterRendezvous, McrouterWeightedRendezvous>();
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Owner", Groups());
}
