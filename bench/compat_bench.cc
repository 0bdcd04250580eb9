// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings of peers, against the structure that the peer itself searches:
//
//   Owner/search:peer/scheme:envoy-ring-hash/mode:latency
//   Owner/route:ring/scheme:nginx-consistent/mode:batch/target:AVX2
//
// `search` is given hashes, `route` texts of 8 to 40 bytes, which each side
// hashes as the peer does. `peer` is a re-creation (peers/) of what the peer
// compiles, made from the same members as `ring`, the ring of the scheme;
// `line_view` is the typed view of that, and `libmemcached` the library itself.
#include <iostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "clockwise/compat.h"
#include "clockwise/members.h"
#include "contenders.h"
#include "keys.h"
#include "modes.h"
#include "peers/envoy.h"
#include "peers/haproxy.h"
#include "peers/libmemcached.h"
#include "peers/map.h"
#include "peers/nginx.h"
#include "rings.h"
#include "rounds.h"
#include "target.h"

#ifdef CLOCKWISE_BENCH_LIBMEMCACHED
#include "peers/libmemcached_library.h"
#endif

namespace clockwise::bench {
namespace {

// Few enough that they do not stream from memory, and too many to be learnt.
constexpr size_t kKeys = size_t{1} << 16;

Ring BuiltRing(const Members& members) {
  const Status status = RegisterPeerSchemes();
  Require(status.ok(), status.message());
  return Take(BuildRing(members));
}

template <typename Peer>
class Case {
 public:
  static constexpr int kWidth = sizeof(typename Peer::Hash) * 8;
  // The distance of neighbouring positions.
  static constexpr uint64_t kUnit = kWidth == 32 ? uint64_t{1} << 32 : 1;

  Case()
      : members(Peer::MembersOf()),
        ring(BuiltRing(members)),
        peer(members),
        hashes(Hashes(kQueries)),
        texts(8, 40, kKeys) {
    Check(hashes);
    CheckEdges();
    CheckKeys();
    CheckBatches();
  }

  [[nodiscard]] NodeIndex OwnerByPeer(uint64_t hash) const {
    return peer.Owner(PositionOf<typename Peer::Hash>(hash));
  }
  [[nodiscard]] NodeIndex OwnerByPeer(std::string_view key) const {
    return peer.Owner(Peer::HashOf(key));
  }
  [[nodiscard]] const std::string_view* keys() const {
    return texts.keys().data();
  }

  Members members;
  Ring ring;
  Peer peer;
  std::vector<uint64_t> hashes;
  TextKeys texts;

 private:
  void Check(const std::vector<uint64_t>& asked) const {
    for (const uint64_t hash : asked) {
      Require(ring.Owner(hash) == OwnerByPeer(hash),
              members.options.scheme + ", hash " + std::to_string(hash));
    }
  }

  // What lies at an edge: of the circle, of an arc, and at the peer's own
  // points, which in HAProxy's ring are no edges.
  void CheckEdges() const {
    std::vector<uint64_t> edges = {0};
    for (size_t i = 0; i < ring.point_count(); ++i) {
      edges.push_back(ring.PositionAt(i));
    }
    for (const uint64_t position : peer.Positions()) {
      edges.push_back(position * kUnit);
    }
    std::vector<uint64_t> asked;
    for (const uint64_t at : edges) {
      asked.insert(asked.end(), {at - kUnit, at, at + kUnit});
    }
    Check(asked);
  }

  void CheckKeys() const {
    for (const std::string_view key : texts.keys()) {
      Require(ring.Owner(key) == OwnerByPeer(key),
              members.options.scheme + ", key " + std::string(key));
    }
  }

  // Against single answers, which are the peer's.
  void CheckBatches() const {
    for (const int64_t target : Targets()) {
      UseTarget(target);
      CheckBatch(hashes);
      CheckBatch(texts.keys());
    }
  }
  template <typename T>
  void CheckBatch(const std::vector<T>& asked) const {
    std::vector<NodeIndex> owners(asked.size());
    ring.Owners(asked.data(), asked.size(), owners.data());
    for (size_t i = 0; i < asked.size(); ++i) {
      Require(owners[i] == ring.Owner(asked[i]),
              members.options.scheme + ", batch");
    }
  }
};

// Built when first asked for, and kept.
template <typename Peer>
const Case<Peer>& CaseOf() {
  static const Case<Peer> kept;
  return kept;
}

// The typed view of a ring of a width.
auto ViewOf(const Ring& ring, std::integral_constant<int, 32>) {
  return ring.line32().value();
}
auto ViewOf(const Ring& ring, std::integral_constant<int, 64>) {
  return ring.line64().value();
}

#ifdef CLOCKWISE_BENCH_LIBMEMCACHED
const LibmemcachedLibrary& Library() {
  static const LibmemcachedLibrary kept(LibmemcachedRing::MembersOf());
  return kept;
}
#endif

// Builds, and holds all answers against one another.
template <typename Peer>
void Prepare() {
  [[maybe_unused]] const Case<Peer>& c = CaseOf<Peer>();
#ifdef CLOCKWISE_BENCH_LIBMEMCACHED
  if constexpr (std::is_same_v<Peer, LibmemcachedRing>) {
    for (const std::string_view key : c.texts.keys()) {
      Require(c.ring.Owner(key) == Library().Owner(key), "libmemcached");
    }
  }
#endif
}

// Lists the contenders of one group.
template <typename Peer>
class Lister {
  using CaseType = Case<Peer>;

 public:
  explicit Lister(Mode mode) : mode_(mode) {}

  std::vector<Contender> Run() {
    const bool is_batch = mode_ == Mode::kBatch;
    Search("search:peer", ByPeer);
    is_batch ? SearchBatches() : Searches();
    Route("route:peer", ByPeer);
    AddLibrary();
    is_batch ? RouteBatches() : Route("route:ring", ByRing);
    return std::move(list_);
  }

 private:
  // Functions from a hash or a key to its owner.
  static auto ByPeer(const CaseType& c) {
    return [&c](auto asked) { return c.OwnerByPeer(asked); };
  }
  static auto ByRing(const CaseType& c) {
    return [&ring = c.ring](auto asked) { return ring.Owner(asked); };
  }
  static auto ByView(const CaseType& c) {
    constexpr std::integral_constant<int, CaseType::kWidth> kWidth;
    return [view = ViewOf(c.ring, kWidth)](uint64_t hash) {
      return view.Owner(hash);
    };
  }

  void Searches() {
    Search("search:ring", ByRing);
    Search("search:line_view", ByView);
  }
  void SearchBatches() {
    Batches("search:ring", [](const CaseType& c) {
      return [&c](size_t i, size_t some, NodeIndex* owners) {
        c.ring.Owners(c.hashes.data() + i, some, owners);
      };
    });
  }
  void RouteBatches() {
    Batches("route:ring", [](const CaseType& c) {
      return [&c](size_t i, size_t some, NodeIndex* owners) {
        c.ring.Owners(c.keys() + i % kKeys, some, owners);
      };
    });
  }

  // libmemcached itself, where there is one.
  void AddLibrary() {
#ifdef CLOCKWISE_BENCH_LIBMEMCACHED
    if constexpr (std::is_same_v<Peer, LibmemcachedRing>) {
      Route("route:libmemcached", [](const CaseType&) {
        return [&library = Library()](std::string_view key) {
          return library.Owner(key);
        };
      });
    }
#endif
  }

  // `pick(case)` gives a function from a hash to its owner.
  template <typename Pick>
  void Search(const std::string& name, Pick pick) {
    Single(name, [pick](const CaseType& c) {
      return [owner = pick(c), hashes = c.hashes.data()](
                 size_t i, NodeIndex last) { return owner(hashes[i] ^ last); };
    });
  }

  // From a key. In mode latency the last owner chooses the next one.
  template <typename Pick>
  void Route(const std::string& name, Pick pick) {
    Single(name, [pick](const CaseType& c) {
      return [owner = pick(c), keys = c.keys()](size_t i, NodeIndex last) {
        return owner(keys[(i ^ last) % kKeys]);
      };
    });
  }

  template <typename Pick>
  void Single(const std::string& name, Pick pick) {
    const auto run = [mode = mode_, pick](size_t first, size_t count) {
      return RunSingle(mode, pick(CaseOf<Peer>()), first, count);
    };
    list_.push_back({name, run});
  }

  // `pick(case)` gives a function that answers a batch.
  template <typename Pick>
  void Batches(const std::string& name, Pick pick) {
    const auto run = [pick](size_t first, size_t count) {
      return RunBatches(pick(CaseOf<Peer>()), first, count);
    };
    for (const int64_t target : Targets()) list_.push_back({name, run, target});
  }

  Mode mode_;
  std::vector<Contender> list_;
};

template <typename Peer>
void AddGroups(std::vector<Group>& groups) {
  for (Mode mode : {Mode::kLatency, Mode::kIndependent, Mode::kBatch}) {
    groups.push_back({"scheme:" + Peer::MembersOf().options.scheme +
                          "/mode:" + ModeName(mode),
                      kQueries, 4096, Prepare<Peer>, Lister<Peer>(mode).Run()});
  }
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  AddGroups<EnvoyRing>(groups);
  AddGroups<LibmemcachedRing>(groups);
  AddGroups<NginxRing>(groups);
  AddGroups<HaproxyRing>(groups);
  AddGroups<ArticleMap>(groups);
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
