// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/assign_slots.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "clockwise/hash.h"

namespace clockwise {
namespace {

class Assignment {
 public:
  Assignment(std::span<const SlotNode> nodes, std::span<NodeIndex> owners)
      : nodes_(nodes), owners_(owners), held_(nodes.size()) {
    for (NodeIndex owner : owners) {
      if (owner != kNoNode) ++held_[owner];
    }
  }

  void Run() {
    SetQuotas();
    GiveUp();
    HandOut();
  }

 private:
  // The shares rounded down, then up where that is due.
  void SetQuotas() {
    uint64_t sum = 0;
    for (const SlotNode& node : nodes_) sum += node.weight;
    std::vector<uint64_t> remainders;
    uint64_t rest = owners_.size();
    for (const SlotNode& node : nodes_) {
      // Below 2^24 * 2^30.
      const uint64_t share = owners_.size() * node.weight;
      quotas_.push_back(static_cast<uint32_t>(share / sum));
      remainders.push_back(share % sum);
      rest -= share / sum;
    }
    for (NodeIndex i : InOrderOfRoundingUp(remainders)) {
      if (rest-- == 0) break;
      ++quotas_[i];
    }
  }

  // More nodes have a remainder than are rounded up, or none is.
  [[nodiscard]] std::vector<NodeIndex> InOrderOfRoundingUp(
      const std::vector<uint64_t>& remainders) const {
    std::vector<NodeIndex> order(nodes_.size());
    std::iota(order.begin(), order.end(), NodeIndex{0});
    std::erase_if(order, [&](NodeIndex i) { return remainders[i] == 0; });
    const auto rank = [&](NodeIndex i) {
      return std::tuple(held_[i] <= quotas_[i], ~remainders[i], i);
    };
    std::sort(order.begin(), order.end(),
              [&](NodeIndex a, NodeIndex b) { return rank(a) < rank(b); });
    return order;
  }

  // Frees what is above the quotas.
  void GiveUp() {
    using Kept = std::pair<uint64_t, uint32_t>;  // ~score, slot
    std::vector<std::vector<Kept>> slots(nodes_.size());
    for (uint32_t slot = 0; slot < owners_.size(); ++slot) {
      const NodeIndex i = owners_[slot];
      if (i == kNoNode || held_[i] <= quotas_[i]) continue;
      slots[i].emplace_back(~Fmix64(nodes_[i].hash ^ slot), slot);
    }
    for (NodeIndex i = 0; i < nodes_.size(); ++i) {
      if (held_[i] <= quotas_[i]) continue;
      std::sort(slots[i].begin(), slots[i].end());
      for (size_t k = quotas_[i]; k < slots[i].size(); ++k) {
        owners_[slots[i][k].second] = kNoNode;
      }
      held_[i] = quotas_[i];
    }
  }

  // Gives the free slots to nodes below their quotas.
  void HandOut() {
    std::vector<std::pair<uint64_t, NodeIndex>> takers;
    for (NodeIndex i = 0; i < nodes_.size(); ++i) {
      for (uint64_t j = held_[i]; j < quotas_[i]; ++j) {
        takers.emplace_back(Fmix64(nodes_[i].hash + j), i);
      }
    }
    std::sort(takers.begin(), takers.end());
    auto next = takers.begin();
    for (NodeIndex& owner : owners_) {
      if (owner == kNoNode) owner = (next++)->second;
    }
  }

  std::span<const SlotNode> nodes_;
  std::span<NodeIndex> owners_;
  std::vector<uint32_t> held_;    // slots of each node
  std::vector<uint32_t> quotas_;  // that it is to have
};

}  // namespace

void AssignSlots(std::span<const SlotNode> nodes, std::span<NodeIndex> owners) {
  Assignment(nodes, owners).Run();
}

}  // namespace clockwise
