// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Random histories of bounded loads against a plain model: requests come and
// go while nodes join, leave, change weight, are ejected and readmitted.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "bounded_load_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

using Outcome = AcquireOutcome;
__extension__ using Uint128 = unsigned __int128;

const int kHistories = IsSanitized() ? 1500 : 25'000;
constexpr int kSteps = 40;
constexpr NodeIndex kSlots = 10;

// What bounded loads mean, written down plainly.
struct Model {
  uint32_t factor = 125;
  std::vector<uint64_t> weights;  // by slot; 0: no node, or ejected
  std::vector<uint64_t> loads = std::vector<uint64_t>(kSlots);
  uint64_t total = 0;

  [[nodiscard]] Uint128 TotalWeight() const {
    Uint128 sum = 0;
    for (const uint64_t weight : weights) sum += weight;
    return sum;
  }
  [[nodiscard]] Uint128 Cap(NodeIndex node, uint64_t m) const {
    const Uint128 whole = 100 * TotalWeight();
    return (Uint128{factor} * m * weights[node] + whole - 1) / whole;
  }

  struct Answer {
    NodeIndex node = kNoNode;
    Outcome outcome = Outcome::kNoNodes;
    uint32_t spills = 0;
    uint64_t in_flight = 0, load = 0;
    bool operator==(const Answer&) const = default;
  };

  // The first of `order` that has room, or what `when_full` says.
  Answer Acquire(const std::vector<NodeIndex>& order, uint64_t excluded,
                 WhenFull when_full) {
    Answer answer;
    answer.in_flight = total + 1;
    std::vector<NodeIndex> full;
    for (const NodeIndex node : order) {
      if (node >= weights.size() || weights[node] == 0) continue;
      if ((excluded >> node & 1) != 0) continue;
      if (loads[node] + 1 <= Cap(node, total + 1)) {
        answer.spills = static_cast<uint32_t>(full.size());
        return Place(node, Outcome::kPlaced, answer);
      }
      full.push_back(node);
    }
    answer.spills = static_cast<uint32_t>(full.size());
    if (!full.empty() && when_full == WhenFull::kLeastLoaded) {
      return Place(LeastLoaded(full), Outcome::kOverCap, answer);
    }
    answer.outcome = !full.empty()   ? Outcome::kAllFull
                     : order.empty() ? Outcome::kNoNodes
                                     : Outcome::kAllExcluded;
    return answer;
  }

  // The first of those that no other is below.
  [[nodiscard]] NodeIndex LeastLoaded(
      const std::vector<NodeIndex>& nodes) const {
    return *std::min_element(nodes.begin(), nodes.end(),
                             [&](NodeIndex a, NodeIndex b) {
                               return Uint128{loads[a] + 1} * weights[b] <
                                      Uint128{loads[b] + 1} * weights[a];
                             });
  }

  Answer Place(NodeIndex node, Outcome outcome, Answer answer) {
    answer.node = node;
    answer.outcome = outcome;
    answer.load = ++loads[node];
    ++total;
    return answer;
  }
};

Model::Answer AnswerOf(const Ticket& ticket) {
  return {ticket.node(), ticket.outcome(), ticket.spills(), ticket.in_flight(),
          ticket.load()};
}

class History {
 public:
  explicit History(uint64_t seed)
      : random_(seed), loads_(Built(LoadTable::Create(kSlots))) {
    RingOptions options = WithVnodes(1 + Below(4));
    options.width = Below(2) == 0 ? 64 : 32;
    ring_.emplace(MakeRing(options, {}));
    for (uint32_t i = Below(6); i > 0; --i) Join();
    Rebuild();
  }

  void Run() {
    for (int step = 0; step < kSteps; ++step) {
      Step();
      for (NodeIndex slot = 0; slot < kSlots; ++slot) {
        ASSERT_EQ(loads_.load(slot), model_.loads[slot]);
      }
      ASSERT_EQ(loads_.total(), model_.total);
      ASSERT_EQ(SumOf(loads_), model_.total);
    }
    for (auto& [ticket, node] : tickets_) ticket.Release();
    ASSERT_EQ(SumOf(loads_) + loads_.total(), 0u);
  }

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  Weight RandomWeight() {
    return Below(3) == 0 ? Weight::Thousandths(1 + Below(9))
                         : Weight::Whole(Below(5));
  }

  void Step() {
    switch (Below(24)) {
      case 0:
        return Join();
      case 1:
        return Leave();
      case 2:
        return Reweigh();
      case 3:
      case 4:
        ejected_ ^= uint64_t{1} << Below(kSlots);
        return Rebuild();
      case 5:
        model_.factor = Below(3) == 0 ? 100 : 100 + Below(150);
        return Rebuild();
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
      case 11:
        return Release();
      case 12:
        return AcquireOfTwo();
      default:
        return Acquire();
    }
  }

  void Change(const RingBuilder& builder) {
    ring_.emplace(MakeRing(builder));
    Rebuild();
  }
  void Join() {
    if (ring_->node_count() == kSlots) return;
    RingBuilder builder = RingBuilder::From(*ring_);
    const Node node = MakeNode("n" + std::to_string(++joined_), RandomWeight());
    ids_.push_back(node.id);
    weights_[node.id] = node.weight;
    ASSERT_TRUE(builder.Add(node).ok());
    Change(builder);
  }
  void Leave() {
    if (ids_.empty()) return;
    const size_t at = Below(static_cast<uint32_t>(ids_.size()));
    RingBuilder builder = RingBuilder::From(*ring_);
    ASSERT_TRUE(builder.Remove(ids_[at]).ok());
    weights_.erase(ids_[at]);
    ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(at));
    Change(builder);
  }
  void Reweigh() {
    if (ids_.empty()) return;
    const std::string& id = ids_[Below(static_cast<uint32_t>(ids_.size()))];
    weights_[id] = Weight::Thousandths(Below(4) * 777);
    RingBuilder builder = RingBuilder::From(*ring_);
    ASSERT_TRUE(builder.SetWeight(id, weights_[id]).ok());
    Change(builder);
  }
  void Rebuild() {
    const auto is_ejected = [this](NodeIndex node) {
      return (ejected_ >> node & 1) != 0;
    };
    bounded_.emplace(Built(BoundedLoad::Build(
        *ring_, loads_, {.factor = model_.factor, .is_ejected = is_ejected})));
    model_.weights.assign(kSlots, 0);
    for (const auto& [id, weight] : weights_) {
      const NodeIndex slot = ring_->Find(id);
      if (!is_ejected(slot)) model_.weights[slot] = weight.thousandths();
    }
  }

  // Distinct owners of the points from the hash on.
  [[nodiscard]] std::vector<NodeIndex> RingOrder(uint64_t hash) const {
    const size_t points = ring_->point_count();
    if (ring_->width() == 32) hash = hash >> 32 << 32;
    size_t first = 0;
    while (first < points && ring_->PositionAt(first) < hash) ++first;
    std::vector<NodeIndex> order;
    for (size_t i = 0; i < points; ++i) {
      const NodeIndex node = ring_->OwnerAt((first + i) % points);
      if (std::find(order.begin(), order.end(), node) == order.end()) {
        order.push_back(node);
      }
    }
    return order;
  }

  std::vector<NodeIndex> RandomList() {
    std::vector<NodeIndex> list(kSlots);
    for (NodeIndex i = 0; i < kSlots; ++i) list[i] = i;
    std::shuffle(list.begin(), list.end(), random_);
    list.resize(Below(5));
    return list;
  }

  void Acquire() {
    const uint64_t hash = random_();
    const uint64_t excluded = Below(2) == 0 ? 0 : random_() & random_() & 0x3FF;
    const auto is_excluded = [=](NodeIndex node) {
      return (excluded >> node & 1) != 0;
    };
    AcquireOptions options;
    if (excluded != 0 || Below(4) == 0) options.is_excluded = is_excluded;
    if (Below(4) == 0) options.when_full = WhenFull::kLeastLoaded;
    std::vector<NodeIndex> order = RandomList();
    Ticket ticket;
    switch (Below(4)) {
      case 0:
        ticket = bounded_->Acquire(order, options);
        break;
      case 1: {
        ticket = bounded_->Acquire(order, *ring_, hash, options);
        for (const NodeIndex node : RingOrder(hash)) {
          if (std::find(order.begin(), order.end(), node) == order.end()) {
            order.push_back(node);
          }
        }
        break;
      }
      default:
        ticket = bounded_->Acquire(*ring_, hash, options);
        order = RingOrder(hash);
    }
    ASSERT_EQ(AnswerOf(ticket),
              model_.Acquire(order, excluded, options.when_full));
    Keep(std::move(ticket));
  }

  // The draw decides which two; that the rest is right does not depend on it.
  void AcquireOfTwo() {
    std::vector<NodeIndex> list = RandomList();
    Ticket ticket = bounded_->AcquireOfTwo(list, random_());
    std::erase_if(list, [&](NodeIndex n) { return model_.weights[n] == 0; });
    const bool has_room = std::any_of(list.begin(), list.end(), [&](auto n) {
      return model_.loads[n] + 1 <= model_.Cap(n, model_.total + 1);
    });
    ASSERT_EQ(ticket.outcome() == Outcome::kPlaced, has_room);
    if (!ticket) return;
    ASSERT_NE(std::find(list.begin(), list.end(), ticket.node()), list.end());
    if (list.size() == 2 && ticket.spills() == 0) {
      ASSERT_EQ(ticket.node(), model_.LeastLoaded(list));
    }
    ASSERT_LE(ticket.load(), model_.Cap(ticket.node(), ticket.in_flight()));
    model_.Place(ticket.node(), Outcome::kPlaced, {});
    Keep(std::move(ticket));
  }

  void Keep(Ticket ticket) {
    const NodeIndex node = ticket.node();
    if (ticket) tickets_.emplace_back(std::move(ticket), node);
  }
  void Release() {
    if (tickets_.empty()) return;
    const size_t at = Below(static_cast<uint32_t>(tickets_.size()));
    std::swap(tickets_[at], tickets_.back());
    --model_.loads[tickets_.back().second];
    --model_.total;
    tickets_.pop_back();
  }

  std::mt19937_64 random_;
  LoadTable loads_;
  std::optional<Ring> ring_;
  std::optional<BoundedLoad> bounded_;
  Model model_;
  uint64_t ejected_ = 0;  // a bit for each slot
  int joined_ = 0;
  std::vector<std::string> ids_;
  std::map<std::string, Weight> weights_;
  std::vector<std::pair<Ticket, NodeIndex>> tickets_;
};

TEST(BoundedLoadHistoryTest, AnswersAsThePlainModel) {
  for (int seed = 0; seed < kHistories; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    History history(static_cast<uint64_t>(seed));
    history.Run();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace clockwise
