// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/rendezvous.h"

#include <algorithm>
#include <array>
#include <new>

#include "base/align.h"
#include "base/out_of_memory.h"
#include "placement/placed_nodes.h"
#include "placement/weighted_score.h"
#include "search/best_score.h"

namespace clockwise {
namespace {

constexpr PlacementScheme kScheme = {.id = "rendezvous", .has_weights = true};

bool HaveEqualWeights(std::span<const NodeView> nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&](const NodeView& node) {
    return node.weight == nodes[0].weight;
  });
}

size_t Padded(size_t nodes) { return RoundUp(nodes, kScorePadding); }

// | pre_mixed[padded] | weights[nodes], where they differ |
Block Tabulated(const PlacementOptions& options,
                std::span<const NodeView> nodes, bool has_weights,
                BlockSource& source) {
  const size_t padded = std::max(Padded(nodes.size()), kScorePadding);
  Block block = Block::Acquire(
      source, (padded + (has_weights ? nodes.size() : 0)) * sizeof(uint64_t));
  if (block.data() == nullptr) return block;
  auto* pre_mixed = static_cast<uint64_t*>(block.data());
  for (size_t i = 0; i < nodes.size(); ++i) {
    pre_mixed[i] = PreMix(Xxh3_64(nodes[i].id, options.seed));
  }
  const uint64_t first = nodes.empty() ? 0 : pre_mixed[0];
  std::fill(pre_mixed + nodes.size(), pre_mixed + padded, first);
  if (!has_weights) return block;
  auto* weights = reinterpret_cast<double*>(pre_mixed + padded);
  for (size_t i = 0; i < nodes.size(); ++i) {
    weights[i] = static_cast<double>(nodes[i].weight.thousandths());
  }
  return block;
}

// A node with its score, a larger one before a smaller one.
template <typename Score>
struct Ranked {
  Score score;
  NodeIndex node;

  [[nodiscard]] bool IsBefore(const Ranked& other) const {
    return score > other.score || (score == other.score && node < other.node);
  }
};

// Keeps the first `want` of those it is given, in order.
template <typename Score, size_t kMost>
class Ranking {
 public:
  explicit Ranking(size_t want) : want_(want) {}

  void Add(const Ranked<Score>& ranked) {
    if (held_ == want_ && !ranked.IsBefore(ranks_[held_ - 1])) return;
    size_t i = held_ == want_ ? held_ - 1 : held_++;
    for (; i > 0 && ranked.IsBefore(ranks_[i - 1]); --i) {
      ranks_[i] = ranks_[i - 1];
    }
    ranks_[i] = ranked;
  }
  [[nodiscard]] std::span<const Ranked<Score>> held() const {
    return {ranks_.data(), held_};
  }

 private:
  size_t want_;
  size_t held_ = 0;
  std::array<Ranked<Score>, kMost> ranks_;
};

// The best `count` of all nodes, some at a time: each turn looks at those that
// come after the last one of the turn before.
template <typename ScoreOf>
void BestNodes(uint32_t all, size_t count, NodeIndex* nodes, ScoreOf score_of) {
  using Score = decltype(score_of(0));
  constexpr size_t kSome = 16;
  Ranked<Score> last{};
  for (size_t found = 0; found < count;) {
    Ranking<Score, kSome> ranking(std::min(kSome, count - found));
    for (NodeIndex i = 0; i < all; ++i) {
      const Ranked<Score> ranked = {score_of(i), i};
      if (found == 0 || last.IsBefore(ranked)) ranking.Add(ranked);
    }
    for (const Ranked<Score>& ranked : ranking.held()) {
      nodes[found++] = ranked.node;
      last = ranked;
    }
  }
}

}  // namespace

Rendezvous::Rendezvous(PlacedNodes&& nodes, Block&& block,
                       bool has_weights) noexcept
    : KeyLookups(std::move(nodes)),
      block_(std::move(block)),
      pre_mixed_(static_cast<const uint64_t*>(block_.data())),
      weights_(has_weights ? reinterpret_cast<const double*>(
                                 pre_mixed_ + Padded(node_count()))
                           : nullptr) {}

Result<Rendezvous> Rendezvous::Build(std::span<const Node> nodes,
                                     const PlacementOptions& options,
                                     BlockSource* source) try {
  const auto listed = ListNodes(kScheme, options, nodes);
  if (!listed.ok()) return listed.status();
  auto placed =
      PlacedNodesMaker::Make(kScheme, options, listed.value(), {}, source);
  if (!placed.ok()) return placed.status();
  const bool has_weights = !HaveEqualWeights(listed.value());
  Block block = Tabulated(options, listed.value(), has_weights,
                          source != nullptr ? *source : DefaultBlockSource());
  if (block.data() == nullptr) {
    return Status(Code::kOutOfMemory, Title(kScheme.id, options.name) +
                                          ": no memory for the hashes of " +
                                          std::to_string(nodes.size()) +
                                          " nodes");
  }
  return Rendezvous(std::move(placed).value(), std::move(block), has_weights);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

NodeIndex Rendezvous::Owner(uint64_t hash) const noexcept {
  if (has_equal_weights()) {
    return BestScore({pre_mixed_, node_count()}, hash);
  }
  return BestWeighted({pre_mixed_, weights_, node_count()}, hash);
}

void Rendezvous::Owners(const uint64_t* hashes, size_t count,
                        NodeIndex* owners) const noexcept {
  if (has_equal_weights()) {
    return BestScores({pre_mixed_, node_count()}, hashes, count, owners);
  }
  const WeightedNodes nodes = {pre_mixed_, weights_, node_count()};
  for (size_t i = 0; i < count; ++i) owners[i] = BestWeighted(nodes, hashes[i]);
}

size_t Rendezvous::Replicas(uint64_t hash, size_t count,
                            NodeIndex* nodes) const noexcept {
  count = std::min<size_t>(count, node_count());
  const uint64_t key = PreMix(hash);
  if (has_equal_weights()) {
    BestNodes(node_count(), count, nodes,
              [&](NodeIndex i) { return ScoreOf(key ^ pre_mixed_[i]); });
  } else {
    const WeightedNodes all = {pre_mixed_, weights_, node_count()};
    BestNodes(node_count(), count, nodes,
              [&](NodeIndex i) { return WeightedScore(all, i, key); });
  }
  return count;
}

}  // namespace clockwise
