// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Random histories of nodes that join, leave, change weight, are ejected and
// readmitted, by a skip or by weight: no key moves between nodes that nothing
// happened to, and every walk ends after one turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "clockwise/clockwise.h"
#include "ring_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

const uint64_t kHistories = IsSanitized() ? 1000 : 20'000;
constexpr int kChanges = 12;
constexpr size_t kKeys = 100;
constexpr size_t kWalks = 3;

class History {
 public:
  explicit History(uint64_t seed) : random_(seed) {
    RingOptions options = WithVnodes(1 + random_() % 8);
    options.width = Below(2) == 0 ? 64 : 32;
    options.seed = seed;
    ring_.emplace(MakeRing(options, NumberedNodes("n", 0, 1 + Below(6))));
    next_id_ = 6;
    for (uint64_t& hash : hashes_) hash = random_();
  }

  void Run() {
    std::vector<int> owners = Owners();
    for (int i = 0; i < kChanges; ++i) {
      const int changed = Change();
      const std::vector<int> next = Owners();
      for (size_t k = 0; k < kKeys; ++k) {
        if (owners[k] == next[k]) continue;
        ++moved;
        ASSERT_TRUE(owners[k] == changed || next[k] == changed)
            << "from n" << owners[k] << " to n" << next[k] << " when n"
            << changed << " changed";
      }
      owners = next;
      CheckWalks();
    }
  }

  uint64_t moved = 0;
  uint64_t all_down = 0;

 private:
  int Below(int n) {
    return static_cast<int>(random_() % static_cast<uint64_t>(n));
  }

  [[nodiscard]] bool IsOut(NodeIndex slot) const { return is_out_[slot]; }
  auto Exclusion() const {
    return [this](NodeIndex slot) { return IsOut(slot); };
  }

  [[nodiscard]] int NumberOf(NodeIndex slot) const {
    return std::stoi(std::string(ring_->node(slot).id.substr(1)));
  }

  // Numbers of the first nodes that are not ejected; -1 where there is none.
  std::vector<int> Owners() {
    std::vector<int> numbers(ring_->slot_count());
    is_out_.assign(ring_->slot_count(), false);
    for (NodeIndex slot : ring_->slots_by_id()) {
      numbers[slot] = NumberOf(slot);
      is_out_[slot] = ejected_.count(numbers[slot]) != 0;
    }
    std::vector<int> owners;
    for (const uint64_t hash : hashes_) {
      owners.push_back(-1);
      for (NodeIndex slot : ring_->Clockwise(hash, Exclusion())) {
        owners.back() = numbers[slot];
        break;
      }
    }
    return owners;
  }

  // Returns the number of the one node that has changed.
  int Change() {
    const auto slots = ring_->slots_by_id();
    if (slots.empty() || (slots.size() < 10 && Below(4) == 0)) {
      const std::string id = "n" + std::to_string(next_id_);
      Build([&](RingBuilder& builder) { return builder.Add(MakeNode(id)); });
      return next_id_++;
    }
    const NodeIndex slot = slots[random_() % slots.size()];
    const int number = NumberOf(slot);
    const std::string id(ring_->node(slot).id);
    switch (Below(5)) {
      case 0:
        ejected_.insert(number);
        break;
      case 1:
        ejected_.erase(number);
        break;
      case 2:
        ejected_.erase(number);
        Build([&](RingBuilder& builder) { return builder.Remove(id); });
        break;
      default:
        // To 0 as well, which is an ejection by weight.
        const Weight weight =
            Weight::Thousandths(static_cast<uint64_t>(Below(5)) * 500);
        Build([&](RingBuilder& builder) {
          return builder.SetWeight(id, weight);
        });
    }
    return number;
  }

  template <typename Edit>
  void Build(Edit edit) {
    RingBuilder builder = RingBuilder::From(*ring_);
    const Status status = edit(builder);
    ASSERT_TRUE(status.ok()) << status.message();
    ring_ = MakeRing(builder);
  }

  // Each node at most once, all that have points and are in, and no other.
  void CheckWalks() {
    size_t in = 0;
    for (NodeIndex slot : ring_->slots_by_id()) {
      if (ring_->node(slot).points != 0 && !IsOut(slot)) ++in;
    }
    if (in == 0) ++all_down;
    for (size_t i = 0; i < kWalks; ++i) {
      std::set<NodeIndex> met;
      for (NodeIndex slot : ring_->Clockwise(hashes_[i], Exclusion())) {
        ASSERT_TRUE(met.insert(slot).second) << "met twice";
        ASSERT_FALSE(IsOut(slot));
      }
      ASSERT_EQ(met.size(), in);
    }
  }

  std::mt19937_64 random_;
  std::optional<Ring> ring_;
  std::set<int> ejected_;
  std::vector<bool> is_out_;  // by slot
  int next_id_ = 0;
  uint64_t hashes_[kKeys];
};

TEST(SurvivorHistoryTest, NoKeyMovesBetweenUnaffectedNodes) {
  uint64_t moved = 0;
  uint64_t all_down = 0;
  for (uint64_t seed = 1; seed <= kHistories; ++seed) {
    History history(seed);
    history.Run();
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    moved += history.moved;
    all_down += history.all_down;
  }
  std::cout << kHistories << " histories of " << kChanges
            << " changes: " << moved
            << " keys moved, none between unaffected nodes; " << all_down
            << " times all nodes were down\n";
  EXPECT_GT(moved, 100u * kHistories);
  EXPECT_GT(all_down, 0u);
}

}  // namespace
}  // namespace clockwise
