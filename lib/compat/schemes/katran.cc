// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Katran's Maglev tables, versions 1 and 2 (lib/MaglevHash.cpp,
// lib/MaglevHashV2.cpp).
#include <algorithm>
#include <string>

#include "compat/fields.h"
#include "compat/hash/murmur.h"
#include "compat/scheme.h"
#include "placement/maglev_fill.h"

namespace clockwise::compat_internal {
namespace {

// An endpoint's wishes. The product wraps at 32 bits before the remainder is
// taken, which counts in tables of more than 2^16 slots.
class Wishes {
 public:
  Wishes(uint64_t hash, uint32_t size)
      : offset_(static_cast<uint32_t>(Murmur3Pair(hash, 42, 0) % size)),
        skip_(static_cast<uint32_t>(
            Murmur3Pair(hash, 2718281828, 2307) % (size - 1) + 1)),
        size_(size) {}

  uint32_t Next() noexcept { return (offset_ + next_++ * skip_) % size_; }

 private:
  uint32_t offset_;
  uint32_t skip_;
  uint32_t size_;
  uint32_t next_ = 0;
};

struct Endpoint {
  size_t node;
  uint32_t weight;
  Wishes wishes;
};

// Katran takes the address's hash from a library of its own; it has to be told.
Result<uint64_t> HashOf(const Node& node) {
  const auto text = ParamOf(node.params, "hash");
  const auto hash = text ? ParseUnsigned(*text) : std::nullopt;
  if (hash) return *hash;
  return BadNodeParam(node, "hash", "the number that Katran hashes for it");
}

Result<std::vector<Endpoint>> EndpointsOf(const Members& members,
                                          uint32_t size) {
  std::vector<Endpoint> endpoints;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto weight = WholeWeight(members.nodes[i]);
    if (!weight.ok()) return weight.status();
    const auto hash = HashOf(members.nodes[i]);
    if (!hash.ok()) return hash.status();
    endpoints.push_back({i, weight.value(), Wishes(hash.value(), size)});
  }
  return endpoints;
}

// A table on its way to being full, of endpoints by their place in the list.
class Filling {
 public:
  explicit Filling(std::vector<NodeIndex>& owners) : fill_(owners) {}

  void Take(Endpoint& endpoint) {
    fill_.Take(static_cast<NodeIndex>(endpoint.node), endpoint.wishes);
  }
  [[nodiscard]] bool is_full() const { return fill_.is_full(); }

 private:
  MaglevFill fill_;
};

// In the first pass an endpoint takes as many slots in a row as it weighs; from
// then on each takes one, those of weight 0 too.
void FillVersion1(std::vector<Endpoint>& endpoints, Filling& filling) {
  while (!filling.is_full()) {
    for (Endpoint& endpoint : endpoints) {
      for (uint32_t k = 0; k < endpoint.weight && !filling.is_full(); ++k) {
        filling.Take(endpoint);
      }
      endpoint.weight = 1;
    }
  }
}

// In each pass an endpoint saves its weight, and pays the largest for a slot.
void FillVersion2(std::vector<Endpoint>& endpoints, Filling& filling) {
  uint64_t price = 0;
  for (const Endpoint& e : endpoints) {
    price = std::max<uint64_t>(price, e.weight);
  }
  std::vector<uint64_t> saved(endpoints.size());
  while (!filling.is_full()) {
    for (size_t i = 0; i < endpoints.size() && !filling.is_full(); ++i) {
      saved[i] += endpoints[i].weight;
      if (saved[i] < price) continue;
      saved[i] -= price;
      filling.Take(endpoints[i]);
    }
  }
}

Result<PeerPlacement> KatranMaglev(const Members& members, bool is_version_2) {
  const auto size = NumberParam(members, "ring_size", 65537, 2, 1u << 27);
  if (!size.ok()) return size.status();
  const auto slots = static_cast<uint32_t>(size.value());
  if (!IsPrime(slots)) {
    return BadParam("ring_size", std::to_string(slots), "a prime");
  }
  auto read = EndpointsOf(members, slots);
  if (!read.ok()) return read.status();
  std::vector<Endpoint>& endpoints = read.value();
  PeerPlacement table;
  if (endpoints.empty()) return table;
  table.owners.resize(slots);
  if (endpoints.size() == 1) return table;  // whatever it weighs
  Filling filling(table.owners);
  is_version_2 ? FillVersion2(endpoints, filling)
               : FillVersion1(endpoints, filling);
  return table;
}

}  // namespace

Result<PeerPlacement> KatranMaglev1(const Members& members) {
  return KatranMaglev(members, false);
}

Result<PeerPlacement> KatranMaglev2(const Members& members) {
  return KatranMaglev(members, true);
}

}  // namespace clockwise::compat_internal
