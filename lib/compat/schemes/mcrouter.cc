// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// mcrouter's hash functions: Ch3, WeightedCh3, Crc32, Rendezvous and
// WeightedRendezvous (mcrouter/lib/).
#include "compat/hash/mcrouter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compat/fields.h"
#include "compat/hash/spooky.h"
#include "compat/rendezvous.h"
#include "compat/scheme.h"

namespace clockwise::compat_internal {
namespace {

constexpr int kTries = McrouterBits::kTries;

// From a key or its hash.
template <typename Key>
NodeIndex Drawn(Key key, size_t nodes) noexcept {
  return static_cast<NodeIndex>(Furc(McrouterBits(key), nodes));
}

class Ch3Rule final : public OwnerRule {
 public:
  explicit Ch3Rule(size_t nodes) : nodes_(nodes) {}
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept override {
    return nodes_ == 0 ? kNoNode : Drawn(hash, nodes_);
  }

 private:
  size_t nodes_;
};

// Of each node, how many of 2^32 draws take it.
using Odds = std::vector<uint64_t>;

class WeightedCh3Rule final : public OwnerRule {
 public:
  explicit WeightedCh3Rule(Odds odds) : odds_(std::move(odds)) {}
  [[nodiscard]] NodeIndex Owner(uint64_t /*hash*/) const noexcept override {
    return kNoNode;
  }
  [[nodiscard]] bool needs_key() const noexcept override { return true; }
  // Draws a node and whether it is taken; if it is not, draws again with the
  // digits of 0, 1, … behind the key, the last one first.
  [[nodiscard]] NodeIndex OwnerOfKey(std::string_view key,
                                     uint64_t hash) const noexcept override {
    if (odds_.empty() || key.size() > kMaxKey) return kNoNode;
    NodeIndex drawn = Drawn(hash, odds_.size());
    if (IsTaken(key, drawn)) return drawn;
    std::array<char, kMaxKey + 2> salted;
    std::copy(key.begin(), key.end(), salted.begin());
    for (int salt = 0; salt + 1 < kTries; ++salt) {
      size_t size = key.size();
      salted[size++] = static_cast<char>('0' + salt % 10);
      if (salt >= 10) salted[size++] = static_cast<char>('0' + salt / 10);
      const std::string_view again(salted.data(), size);
      drawn = Drawn(again, odds_.size());
      if (IsTaken(again, drawn)) return drawn;
    }
    return drawn;
  }
  [[nodiscard]] size_t bytes() const noexcept override {
    return odds_.size() * sizeof odds_[0];
  }

 private:
  // Four times what memcached takes; copied without a heap.
  static constexpr size_t kMaxKey = 1000;

  [[nodiscard]] bool IsTaken(std::string_view key,
                             NodeIndex drawn) const noexcept {
    return Spooky32(key, kSpookySeedMcrouter) < odds_[drawn];
  }

  Odds odds_;
};

// weightedFurcHash: one stream of bits for all draws.
class WeightedFurc {
 public:
  WeightedFurc(uint64_t hash, std::span<const uint64_t> odds) noexcept
      : bits_(hash),
        odds_(odds),
        width_(static_cast<size_t>(std::bit_width(odds.size() - 1))) {}

  // Of two nodes at least.
  NodeIndex Owner() noexcept {
    uint32_t draw = 0;
    for (int tries = 0; tries < kTries; ++tries) {
      const NodeIndex node = Draw();
      if (odds_[node] > UINT32_MAX) return node;
      draw = Bits32(at_);
      if (draw < odds_[node]) return node;
      begin_ = at_;
    }
    return static_cast<NodeIndex>(draw % odds_.size());
  }

 private:
  // As Furc, with the bits from `begin_` on.
  NodeIndex Draw() noexcept {
    size_t end = begin_ + width_;
    at_ = end;
    for (int tries = 0; tries < kTries; ++tries) {
      bool is_zero = false;
      while (!is_zero && !bits_.Bit(at_)) {
        is_zero = --end == begin_;
        if (!is_zero) at_ = end;
      }
      at_ += McrouterBits::kStride;
      if (is_zero) return 0;
      size_t number = 1;
      for (size_t i = begin_ + 1; i < end; ++i, at_ += McrouterBits::kStride) {
        number = number << 1 | (bits_.Bit(at_) ? 1 : 0);
      }
      if (number < odds_.size()) return static_cast<NodeIndex>(number);
    }
    return 0;
  }

  // 32 bits from bit `at` on.
  uint32_t Bits32(size_t at) noexcept {
    const size_t shift = at % 64;
    uint64_t bits = bits_.Word(at / 64) >> shift;
    if (shift > 32) bits |= bits_.Word(at / 64 + 1) << (64 - shift);
    return static_cast<uint32_t>(bits);
  }

  McrouterBits bits_;
  std::span<const uint64_t> odds_;
  size_t width_;
  size_t begin_ = 0;
  size_t at_ = 0;
};

class WeightedFurcRule final : public OwnerRule {
 public:
  explicit WeightedFurcRule(Odds odds) : odds_(std::move(odds)) {}
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept override {
    if (odds_.size() <= 1) return odds_.empty() ? kNoNode : 0;
    return WeightedFurc(hash, odds_).Owner();
  }
  [[nodiscard]] size_t bytes() const noexcept override {
    return odds_.size() * sizeof odds_[0];
  }

 private:
  Odds odds_;
};

// The nodes say which of them is best (compat/rendezvous.h).
class RendezvousRule final : public OwnerRule {
 public:
  explicit RendezvousRule(const std::vector<uint64_t>& hashes)
      : nodes_(hashes) {}
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept override {
    return nodes_.Best(hash);
  }
  void Owners(const uint64_t* hashes, size_t count,
              NodeIndex* owners) const noexcept override {
    nodes_.Best(hashes, count, owners);
  }
  [[nodiscard]] bool has_replicas() const noexcept override { return true; }
  // Each time the best of those that are worse than the last.
  size_t Replicas(uint64_t hash, size_t count,
                  NodeIndex* nodes) const noexcept override {
    count = std::min(count, nodes_.size());
    for (size_t n = 0; n < count; ++n) {
      nodes[n] = n == 0 ? nodes_.Best(hash) : BestAfter(nodes[n - 1], hash);
    }
    return count;
  }
  [[nodiscard]] size_t bytes() const noexcept override {
    return nodes_.bytes();
  }

 private:
  // The best node of those that come after `before`.
  [[nodiscard]] NodeIndex BestAfter(NodeIndex before,
                                    uint64_t hash) const noexcept {
    const double bound = nodes_.Score(before, hash);
    NodeIndex best = kNoNode;
    double most = -1;
    for (NodeIndex i = 0; i < nodes_.size(); ++i) {
      const double score = nodes_.Score(i, hash);
      const bool is_after = score < bound || (score == bound && i < before);
      if (is_after && score >= most) best = i, most = score;
    }
    return best;
  }

  RendezvousNodes nodes_;
};

struct WeightedNode {
  uint64_t hash;
  double weight;
};

// The largest weight / -ln u owns, the logarithm being the C library's as it is
// mcrouter's; of equal ones the first. Where all are 0, the first node.
class WeightedRendezvousRule final : public OwnerRule {
 public:
  explicit WeightedRendezvousRule(std::vector<WeightedNode> nodes)
      : nodes_(std::move(nodes)) {}
  // -ln u >= 1 - u, so no score exceeds weight / (1 - u). Where that is below
  // the best by more than all roundings together, 2^-40 of it, the logarithm is
  // not needed.
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept override {
    constexpr int64_t kOne = int64_t{1} << 53;
    constexpr double kMinus53 = 1.0 / kOne;
    constexpr double kAlmostMinus53 = kMinus53 * (1.0 - 1.0 / 1099511627776.0);
    if (nodes_.empty()) return kNoNode;
    NodeIndex best = 0;
    double most = 0;
    double limit = 0;  // weights below limit * 2^53 (1 - u) are passed over
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const auto bits = static_cast<int64_t>(
          McrouterScore(nodes_[i].hash, hash) & (kOne - 1));
      if (nodes_[i].weight < limit * static_cast<double>(kOne - bits)) continue;
      const double u = static_cast<double>(bits) * kMinus53;
      const double score = nodes_[i].weight * (1.0 / -std::log(u));
      if (score <= most) continue;
      best = static_cast<NodeIndex>(i);
      most = score;
      limit = most * kAlmostMinus53;
    }
    return best;
  }
  [[nodiscard]] size_t bytes() const noexcept override {
    return nodes_.size() * sizeof nodes_[0];
  }

 private:
  std::vector<WeightedNode> nodes_;
};

// From 0 to 1.
Result<double> WeightOf(const Node& node) {
  const auto weight = ExactWeight(node);
  if (!weight.ok() || weight.value() <= 1) return weight;
  return Status(Code::kBadWeight, "node '" + node.id + "': weight " +
                                      node.weight.ToString() +
                                      "; mcrouter has 0 to 1");
}

// `one`: the odds of weight 1.
Result<Odds> OddsOf(const Members& members, uint64_t one) {
  Odds odds;
  for (const Node& node : members.nodes) {
    const auto weight = WeightOf(node);
    if (!weight.ok()) return weight.status();
    odds.push_back(weight.value() == 1
                       ? one
                       : static_cast<uint64_t>(weight.value() * UINT32_MAX));
  }
  return odds;
}

uint64_t NameHash(const Node& node) {
  return Murmur2_64(node.id, kMurmurSeedMcrouter);
}

}  // namespace

Result<PeerPlacement> McrouterCh3(const Members& members) {
  const auto hash = HashParam(members, "hash", "mcrouter", "ch3");
  if (!hash.ok()) return hash.status();
  if (Status s = CheckNoWeights(members); !s.ok()) return s;
  if (hash.value() == PeerHash::kCrc31) {
    return OneSlotEach(members, hash.value(), true);
  }
  if (hash.value() != PeerHash::kMurmur2_64Mcrouter) {
    return BadParam("hash", "rendezvous", "ch3 or crc32");
  }
  PeerPlacement placement{.key_hash = hash.value()};
  placement.rule = std::make_unique<Ch3Rule>(members.nodes.size());
  return placement;
}

Result<PeerPlacement> McrouterWch3(const Members& members) {
  const std::string_view function =
      ParamOf(members.options.params, "function").value_or("weighted_ch3");
  PeerPlacement placement{.key_hash = PeerHash::kMurmur2_64Mcrouter};
  if (function == "weighted_ch3") {
    auto odds = OddsOf(members, UINT32_MAX);
    if (!odds.ok()) return odds.status();
    placement.rule = std::make_unique<WeightedCh3Rule>(std::move(odds).value());
  } else if (function == "weighted_furc") {
    auto odds = OddsOf(members, uint64_t{1} << 32);
    if (!odds.ok()) return odds.status();
    placement.rule =
        std::make_unique<WeightedFurcRule>(std::move(odds).value());
  } else {
    return BadParam("function", function, "weighted_ch3 or weighted_furc");
  }
  return placement;
}

Result<PeerPlacement> McrouterRendezvous(const Members& members) {
  if (Status s = CheckNoWeights(members); !s.ok()) return s;
  std::vector<uint64_t> nodes;
  for (const Node& node : members.nodes) nodes.push_back(NameHash(node));
  PeerPlacement placement{.key_hash = PeerHash::kMurmur2_64Rendezvous};
  placement.rule = std::make_unique<RendezvousRule>(nodes);
  return placement;
}

Result<PeerPlacement> McrouterWeightedRendezvous(const Members& members) {
  std::vector<WeightedNode> nodes;
  for (const Node& node : members.nodes) {
    const auto weight = WeightOf(node);
    if (!weight.ok()) return weight.status();
    nodes.push_back({NameHash(node), weight.value()});
  }
  PeerPlacement placement{.key_hash = PeerHash::kMurmur2_64Rendezvous};
  placement.rule = std::make_unique<WeightedRendezvousRule>(std::move(nodes));
  return placement;
}

}  // namespace clockwise::compat_internal
