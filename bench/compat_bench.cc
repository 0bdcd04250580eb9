// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings of peers, against the structure that the peer itself searches
// (peer_groups.h). `libmemcached` is the library itself, given keys.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "modes.h"
#include "peer_groups.h"
#include "peers/envoy.h"
#include "peers/haproxy.h"
#include "peers/libmemcached.h"
#include "peers/map.h"
#include "peers/nginx.h"
#include "rounds.h"

#ifdef CLOCKWISE_BENCH_LIBMEMCACHED
#include "peers/libmemcached_library.h"
#endif

namespace clockwise::bench {
namespace {

#ifdef CLOCKWISE_BENCH_LIBMEMCACHED
const LibmemcachedLibrary& Library() {
  static const LibmemcachedLibrary kept(LibmemcachedRing::MembersOf());
  return kept;
}

// Builds, and holds all answers against one another.
void Prepare() {
  const auto& c = PeerCaseOf<LibmemcachedRing>();
  for (const std::string_view key : c.texts.keys()) {
    Require(c.ours.Owner(key) == Library().Owner(key), "libmemcached");
  }
}

// The library as a contender of a group of its re-creation.
void AddLibrary(Group& group, Mode mode) {
  const auto run = [mode](size_t first, size_t count) {
    const auto owner = [&library = Library()](std::string_view key) {
      return library.Owner(key);
    };
    return RunRoutes(mode, owner, PeerCaseOf<LibmemcachedRing>().keys(), first,
                     count);
  };
  group.contenders.push_back({"route:libmemcached", run});
  group.prepare = Prepare;
}
#endif

void AddLibmemcached(std::vector<Group>& groups) {
  [[maybe_unused]] const size_t first = groups.size();
  AddPeerGroups<LibmemcachedRing>(groups);
#ifdef CLOCKWISE_BENCH_LIBMEMCACHED
  AddLibrary(groups[first], Mode::kLatency);
  AddLibrary(groups[first + 1], Mode::kIndependent);
  AddLibrary(groups[first + 2], Mode::kBatch);
#endif
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  AddPeerGroups<EnvoyRing>(groups);
  AddLibmemcached(groups);
  AddPeerGroups<NginxRing>(groups);
  AddPeerGroups<HaproxyRing>(groups);
  AddPeerGroups<ArticleMap>(groups);
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
#ifndef CLOCKWISE_BENCH_LIBMEMCACHED
  std::cerr << "built without libmemcached: its own rows are left out\n";
#endif
  return Main(argc, argv, "Owner", Groups());
}
