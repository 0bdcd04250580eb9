// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The groups of one peer, a mode each:
//
//   Owner/search:peer/scheme:envoy-ring-hash/mode:latency
//   Owner/route:ring/scheme:nginx-consistent/mode:batch/target:AVX2
//
// `search` is given hashes, `route` texts of 8 to 40 bytes, which each side
// hashes as the peer does. `peer` is a re-creation (peers/) of what the peer
// compiles; `ring` or `placement` what this library makes of the same members;
// `line_view` the typed view of a ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "modes.h"
#include "peer_case.h"
#include "rounds.h"
#include "target.h"

namespace clockwise::bench {

// The typed view of a ring of a width.
inline auto ViewOf(const Ring& ring, std::integral_constant<int, 32>) {
  return ring.line32().value();
}
inline auto ViewOf(const Ring& ring, std::integral_constant<int, 64>) {
  return ring.line64().value();
}

// From keys: `owner` answers one. In mode latency the last owner chooses the
// next key.
template <typename OwnerOf>
uint64_t RunRoutes(Mode mode, OwnerOf owner, const std::string_view* keys,
                   size_t first, size_t count) {
  const auto owner_of = [owner, keys](size_t i, NodeIndex last) {
    return owner(keys[(i ^ last) % kPeerKeys]);
  };
  return RunSingle(mode, owner_of, first, count);
}

// Lists the contenders of one group.
template <typename Peer>
class PeerLister {
  using Case = PeerCase<Peer>;

 public:
  explicit PeerLister(Mode mode) : mode_(mode) {}

  std::vector<Contender> Run() {
    if constexpr (!PeerOfKeys<Peer>) {
      Search("search:peer", ByPeer);
      is_batch() ? SearchBatches() : Searches();
    }
    Route("route:peer", ByPeer);
    is_batch() ? RouteBatches() : Route("route:" + Ours(), ByOurs);
    return std::move(list_);
  }

 private:
  static std::string Ours() { return PeerOfRing<Peer> ? "ring" : "placement"; }
  [[nodiscard]] bool is_batch() const { return mode_ == Mode::kBatch; }

  // Functions from a hash or a key to its owner.
  static auto ByPeer(const Case& c) {
    return [&c](auto asked) { return c.OwnerByPeer(asked); };
  }
  static auto ByOurs(const Case& c) {
    return [&ours = c.ours](auto asked) { return ours.Owner(asked); };
  }
  static auto ByView(const Case& c) {
    constexpr std::integral_constant<int, Case::kWidth> kWidth;
    return [view = ViewOf(c.ours, kWidth)](uint64_t hash) {
      return view.Owner(hash);
    };
  }

  void Searches() {
    Search("search:" + Ours(), ByOurs);
    if constexpr (PeerOfRing<Peer>) Search("search:line_view", ByView);
  }
  void SearchBatches() {
    Batches("search:" + Ours(), [](const Case& c) {
      return [&c](size_t i, size_t some, NodeIndex* owners) {
        c.ours.Owners(c.hashes.data() + i, some, owners);
      };
    });
  }
  void RouteBatches() {
    Batches("route:" + Ours(), [](const Case& c) {
      return [&c](size_t i, size_t some, NodeIndex* owners) {
        c.ours.Owners(c.keys() + i % kPeerKeys, some, owners);
      };
    });
  }

  // `pick(case)` gives a function from a hash to its owner. In mode latency the
  // last owner is xor-ed into the lowest bits of what the peer looks at.
  template <typename Pick>
  void Search(const std::string& name, Pick pick) {
    const auto run = [mode = mode_, pick](size_t first, size_t count) {
      const Case& c = PeerCaseOf<Peer>();
      const auto owner_of = [owner = pick(c), hashes = c.hashes.data()](
                                size_t i, NodeIndex last) {
        return owner(hashes[i] ^ last * Case::kUnit);
      };
      return RunSingle(mode, owner_of, first, count);
    };
    list_.push_back({name, run});
  }

  template <typename Pick>
  void Route(const std::string& name, Pick pick) {
    const auto run = [mode = mode_, pick](size_t first, size_t count) {
      const Case& c = PeerCaseOf<Peer>();
      return RunRoutes(mode, pick(c), c.keys(), first, count);
    };
    list_.push_back({name, run});
  }

  // `pick(case)` gives a function that answers a batch.
  template <typename Pick>
  void Batches(const std::string& name, Pick pick) {
    const auto run = [pick](size_t first, size_t count) {
      return RunBatches(pick(PeerCaseOf<Peer>()), first, count);
    };
    for (const int64_t target : Targets()) list_.push_back({name, run, target});
  }

  Mode mode_;
  std::vector<Contender> list_;
};

template <typename Peer>
void AddPeerGroups(std::vector<Group>& groups) {
  const std::string scheme = Peer::MembersOf().options.scheme;
  for (Mode mode : {Mode::kLatency, Mode::kIndependent, Mode::kBatch}) {
    groups.push_back({"scheme:" + scheme + "/mode:" + ModeName(mode),
                      QueriesOf<Peer>(), 4096, [] { PeerCaseOf<Peer>(); },
                      PeerLister<Peer>(mode).Run()});
  }
}

}  // namespace clockwise::bench
