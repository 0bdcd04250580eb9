// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A peer's own structure (peers/) beside the placement of its scheme, from the
// same members, all answers held against one another.
//
// A peer has MembersOf(), a constructor from Members, HashOf(key) and
// Owner(hash). One of a ring has Positions() too; one that needs the key itself
// has OwnerOfKey(key) instead of the other two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/compat.h"
#include "clockwise/members.h"
#include "clockwise/ring.h"
#include "clockwise/scheme.h"
#include "contenders.h"
#include "keys.h"
#include "rings.h"
#include "rounds.h"
#include "target.h"

namespace clockwise::bench {

// Few enough that they do not stream from memory, and too many to be learnt.
inline constexpr size_t kPeerKeys = size_t{1} << 16;

template <typename Peer>
concept PeerOfRing = requires(const Peer& peer) {
  peer.Positions();
};
template <typename Peer>
concept PeerOfKeys = requires(const Peer& peer, std::string_view key) {
  peer.OwnerOfKey(key);
};

// Hashes, too many to be learnt as well; they do stream.
inline constexpr size_t kPeerQueries = size_t{1} << 18;

// Queries of a pass: fewer of peers that look at every node.
template <typename Peer>
constexpr size_t QueriesOf() {
  if constexpr (requires { Peer::kItems; }) return Peer::kItems;
  return kPeerQueries;
}

// Bits that the peer's hashes have.
template <typename Peer>
constexpr int HashBitsOf() {
  if constexpr (requires { Peer::kHashBits; }) return Peer::kHashBits;
  return sizeof(typename Peer::Hash) * 8;
}

template <typename Peer>
class PeerCase {
 public:
  static constexpr int kWidth = sizeof(typename Peer::Hash) * 8;
  // The distance of neighbouring positions.
  static constexpr uint64_t kUnit = kWidth == 32 ? uint64_t{1} << 32 : 1;
  using Ours = std::conditional_t<PeerOfRing<Peer>, Ring, AnyPlacement>;

  PeerCase()
      : members(Peer::MembersOf()),
        ours(Built(members)),
        peer(members),
        hashes(Drawn()),
        texts(8, 40, kPeerKeys) {
    if constexpr (!PeerOfKeys<Peer>) {
      Check(hashes);
      CheckBatches(hashes);
    }
    if constexpr (PeerOfRing<Peer>) CheckEdges();
    Check(texts.keys());
    CheckBatches(texts.keys());
  }

  [[nodiscard]] NodeIndex OwnerByPeer(uint64_t hash) const {
    return peer.Owner(PositionOf<typename Peer::Hash>(hash));
  }
  [[nodiscard]] NodeIndex OwnerByPeer(std::string_view key) const {
    if constexpr (PeerOfKeys<Peer>) {
      return peer.OwnerOfKey(key);
    } else {
      return peer.Owner(Peer::HashOf(key));
    }
  }
  [[nodiscard]] const std::string_view* keys() const {
    return texts.keys().data();
  }

  Members members;
  Ours ours;
  Peer peer;
  std::vector<uint64_t> hashes;  // left-aligned
  TextKeys texts;

 private:
  static Ours Built(const Members& members) {
    const Status status = RegisterPeerSchemes();
    Require(status.ok(), status.message());
    if constexpr (PeerOfRing<Peer>) {
      return Take(BuildRing(members));
    } else {
      return Take(BuildPlacement(members));
    }
  }

  // Numbers of so many bits, in the low bits of the peer's hash.
  static std::vector<uint64_t> Drawn() {
    std::vector<uint64_t> drawn = Hashes(QueriesOf<Peer>());
    constexpr int kBits = HashBitsOf<Peer>();
    for (uint64_t& hash : drawn) hash = (hash >> (64 - kBits)) * kUnit;
    return drawn;
  }

  // Single answers against the peer's.
  template <typename T>
  void Check(const std::vector<T>& asked) const {
    for (const T& one : asked) {
      Require(ours.Owner(one) == OwnerByPeer(one), members.options.scheme);
    }
  }

  // What lies at an edge: of the circle, of an arc, and at the peer's own
  // points, which in HAProxy's ring are no edges.
  void CheckEdges() const {
    std::vector<uint64_t> edges = {0};
    for (size_t i = 0; i < ours.point_count(); ++i) {
      edges.push_back(ours.PositionAt(i));
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

  // Batches against single answers, which are the peer's.
  template <typename T>
  void CheckBatches(const std::vector<T>& asked) const {
    std::vector<NodeIndex> singles;
    for (const T& one : asked) singles.push_back(ours.Owner(one));
    std::vector<NodeIndex> owners(asked.size());
    for (const int64_t target : Targets()) {
      UseTarget(target);
      ours.Owners(asked.data(), asked.size(), owners.data());
      Require(owners == singles,
              members.options.scheme + ", batch, " + TargetName(target));
    }
  }
};

// Built when first asked for, and kept.
template <typename Peer>
const PeerCase<Peer>& PeerCaseOf() {
  static const PeerCase<Peer> kept;
  return kept;
}

}  // namespace clockwise::bench
