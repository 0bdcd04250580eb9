// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Maglev tables of 65,537 slots: Envoy's OriginalMaglevTable, of shared
// pointers to hosts, and Katran's, of numbers.
//
// Left out, in Envoy's favour: the pointer is not copied with the answer, so
// that no reference is counted. Katran's size is known when it is compiled,
// which makes multiplications of its division; its packets have hashes of 32
// bits, its keys here of 64.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/hash.h"
#include "compat/hash/murmur.h"
#include "hash/xxh_inline.h"
#include "members.h"

namespace clockwise::bench {

inline constexpr uint32_t kMaglevSlots = 65537;

// What a node wishes: slot (offset + skip * n) mod size for n = 0, 1, ….
// `Number` is what the peer computes it in.
template <typename Number>
struct MaglevWishes {
  Number Next() { return (offset + skip * next++) % kMaglevSlots; }

  Number offset;
  Number skip;
  Number next = 0;
};

// Of equal weights: nodes take turns, each the first slot that is free.
template <typename Number>
std::vector<NodeIndex> FilledMaglev(std::vector<MaglevWishes<Number>> nodes) {
  std::vector<NodeIndex> slots(kMaglevSlots, kNoNode);
  for (uint32_t taken = 0; taken < kMaglevSlots; ++taken) {
    const auto turn = static_cast<NodeIndex>(taken % nodes.size());
    Number slot = nodes[turn].Next();
    while (slots[slot] != kNoNode) slot = nodes[turn].Next();
    slots[slot] = turn;
  }
  return slots;
}

class EnvoyMaglevTable {
 public:
  using Hash = uint64_t;

  static Members MembersOf() { return PeerMembers("envoy-maglev"); }

  explicit EnvoyMaglevTable(const Members& members) {
    std::vector<MaglevWishes<uint64_t>> wishes;
    std::vector<std::shared_ptr<const Host>> hosts;
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      const std::string& name = members.nodes[i].id;
      const auto hash = [&name](uint64_t seed) {
        return hash_internal::Xxh64Inline(name.data(), name.size(), seed);
      };
      wishes.push_back(
          {hash(0) % kMaglevSlots, hash(1) % (kMaglevSlots - 1) + 1});
      hosts.push_back(std::make_shared<const Host>(Host{i}));
    }
    for (const NodeIndex i : FilledMaglev(wishes)) table_.push_back(hosts[i]);
    size_ = table_.size();
  }

  static Hash HashOf(std::string_view key) {
    return hash_internal::Xxh64Inline(key.data(), key.size(), 0);
  }
  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    return table_[hash % size_]->number;
  }

 private:
  struct Host {
    NodeIndex number;
  };

  std::vector<std::shared_ptr<const Host>> table_;
  uint64_t size_ = 0;
};

class KatranTable {
 public:
  using Hash = uint64_t;

  static Members MembersOf() {
    Members members = PeerMembers("katran-maglev-2");
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      members.nodes[i].params["hash"] = std::to_string(AddressHash(i));
    }
    return members;
  }

  explicit KatranTable(const Members& members) {
    std::vector<MaglevWishes<uint32_t>> wishes;
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      const auto mixed = [i](uint64_t number, uint64_t seed) {
        return compat_internal::Murmur3Pair(AddressHash(i), number, seed);
      };
      wishes.push_back({static_cast<uint32_t>(mixed(42, 0) % kMaglevSlots),
                        static_cast<uint32_t>(
                            mixed(2718281828, 2307) % (kMaglevSlots - 1) + 1)});
    }
    for (const NodeIndex i : FilledMaglev(wishes)) {
      table_.push_back(static_cast<int>(i));
    }
  }

  // This library's, where the members do not choose another.
  static Hash HashOf(std::string_view key) { return Xxh3_64(key); }
  [[nodiscard]] NodeIndex Owner(Hash hash) const {
    return static_cast<NodeIndex>(table_[hash % kMaglevSlots]);
  }

 private:
  static uint64_t AddressHash(NodeIndex i) { return Fmix64(i + 1); }

  std::vector<int> table_;
};

}  // namespace clockwise::bench
