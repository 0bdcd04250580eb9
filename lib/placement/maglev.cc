// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/maglev.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <new>
#include <queue>
#include <utility>

#include "base/out_of_memory.h"
#include "placement/maglev_fill.h"
#include "placement/placed_nodes.h"

namespace clockwise {
namespace {

constexpr PlacementScheme kScheme = {.id = "maglev", .has_weights = true};

Status CheckTable(const MaglevOptions& options, size_t nodes) {
  const std::string size = std::to_string(options.table_size);
  if (options.table_size > kMaxTableSize) {
    return RefuseOptions(
        kScheme, options,
        "table_size " + size + "; at most " + std::to_string(kMaxTableSize));
  }
  if (!IsPrime(options.table_size)) {
    return RefuseOptions(kScheme, options,
                         "table_size " + size + " is not a prime");
  }
  if (nodes > options.table_size) {
    return {Code::kTooManyNodes,
            Title(kScheme.id, options.name) + ": " + std::to_string(nodes) +
                " nodes in a table of " + size + " slots; each needs one"};
  }
  return {};
}

std::vector<NodeIndex> Filled(const MaglevOptions& options,
                              std::span<const NodeView> nodes) {
  const uint32_t size = options.table_size;
  std::vector<NodeIndex> owners(size, kNoNode);
  if (nodes.empty()) return owners;
  double sum = 0;
  const auto weight_of = [](const NodeView& node) {
    return static_cast<double>(node.weight.thousandths());
  };
  for (const NodeView& node : nodes) sum += weight_of(node);
  std::vector<MaglevNode> filling;
  for (const NodeView& node : nodes) {
    const uint64_t offset = Xxh3_64(node.id, options.seed) % size;
    const uint64_t skip = Xxh3_64(node.id, options.seed + 1) % (size - 1) + 1;
    filling.push_back({static_cast<uint32_t>(offset),
                       static_cast<uint32_t>(skip), weight_of(node) / sum});
  }
  FillByWeight(filling, owners);
  return owners;
}

// Envoy's rounds.
class WeightedFill {
 public:
  WeightedFill(std::span<const MaglevNode> nodes, std::span<NodeIndex> owners)
      : fill_(owners) {
    const auto size = static_cast<uint32_t>(owners.size());
    for (const MaglevNode& node : nodes) {
      sum_ += node.weight;
      largest_ = std::max(largest_, node.weight);
      turns_.push_back({{node.offset, node.skip, size}, node.weight});
    }
  }

  void Run() {
    // Where most nodes sit out most rounds, finding those that do not would
    // take longer than filling: as long as one likes, with unlike weights.
    constexpr double kBusy = 16;
    const bool is_busy =
        sum_ * kBusy >= largest_ * static_cast<double>(turns_.size());
    is_busy ? RunAll() : RunByRound();
  }

 private:
  struct Turn {
    MaglevSteps steps;
    double weight;
    double taken = 0;  // slots times the largest weight
  };

  void Take(NodeIndex node) {
    turns_[node].taken += largest_;
    fill_.Take(node, turns_[node].steps);
  }

  static bool SitsOut(const Turn& turn, double round) {
    return round * turn.weight < turn.taken;
  }

  // Asks each node in each round.
  void RunAll() {
    for (double round = 1; !fill_.is_full(); ++round) {
      for (NodeIndex i = 0; i < turns_.size() && !fill_.is_full(); ++i) {
        if (!SitsOut(turns_[i], round)) Take(i);
      }
    }
  }

  // Asks each node in its next round only: the same turns in the same order.
  void RunByRound() {
    using Next = std::pair<double, NodeIndex>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
    for (NodeIndex i = 0; i < turns_.size(); ++i) queue.emplace(1, i);
    while (!fill_.is_full()) {
      const auto [round, i] = queue.top();
      queue.pop();
      Take(i);
      queue.emplace(NextRound(turns_[i], round + 1), i);
    }
  }

  // The first round from `round` on that the node does not sit out.
  static double NextRound(const Turn& turn, double round) {
    // The quotient is right to 1, so it is one step or two from there.
    round = std::max(round, std::floor(turn.taken / turn.weight) - 1);
    while (SitsOut(turn, round)) ++round;
    return round;
  }

  MaglevFill fill_;
  std::vector<Turn> turns_;
  double sum_ = 0;
  double largest_ = 0;
};

}  // namespace

bool IsPrime(uint32_t n) noexcept {
  if (n < 4) return n > 1;
  if (n % 2 == 0) return false;
  for (uint64_t d = 3; d * d <= n; d += 2) {
    if (n % d == 0) return false;
  }
  return true;
}

void FillByWeight(std::span<const MaglevNode> nodes,
                  std::span<NodeIndex> owners) {
  WeightedFill(nodes, owners).Run();
}

Result<Maglev> Maglev::Build(std::span<const Node> nodes,
                             const MaglevOptions& options,
                             BlockSource* source) try {
  const auto listed = ListNodes(kScheme, options, nodes);
  if (!listed.ok()) return listed.status();
  if (Status s = CheckTable(options, listed.value().size()); !s.ok()) return s;
  const SchemeParameter parameters[] = {
      {"table_size", std::to_string(options.table_size)}};
  auto placed = PlacedNodesMaker::Make(kScheme, options, listed.value(),
                                       parameters, source);
  if (!placed.ok()) return placed.status();
  detail::OwnerTable table(Filled(options, listed.value()),
                           placed.value().node_count(),
                           source != nullptr ? *source : DefaultBlockSource());
  if (!table.is_there()) {
    return Status(Code::kOutOfMemory,
                  Title(kScheme.id, options.name) + ": no memory for " +
                      std::to_string(options.table_size) + " slots");
  }
  return Maglev(std::move(placed).value(), std::move(table));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void Maglev::Owners(const uint64_t* hashes, size_t count,
                    NodeIndex* owners) const noexcept {
  table_.Owners(hashes, count, owners);
}

}  // namespace clockwise
