// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A cluster's control plane in virtual time: nodes flap, slow down and die in
// groups, owners send bursts, repeat themselves, go back, contradict themselves
// and empty the cluster; the clock steps by ten years; publishing lacks memory;
// the controller crashes and starts again from what it had written down.
//
// What holds at each step, of each ring that is published:
//
//  1. Epochs never fall, over restarts too; local counts rise within one.
//  2. One epoch has one base digest.
//  3. It is, by its digest, the ring that a full build gives of the wanted
//     nodes with each its level of its weight.
//  4. A key moves only from a node that lost points or to one that gained some.
//  5. Survivors keep their slots.
//  6. Ejections and half-drains take no more than their share of all weight,
//     or one node, however many fail.
//  7. What is wanted is published once `quiet` has passed, and no later than
//     `max_delay` and a step after the first change; never before.
//  8. One change of what is wanted is at most one epoch.
//
// And of what is refused:
//
//  9. Stale and contradicting epochs, losses of more than half of all weight,
//     and empty clusters are refused by their codes; nothing that serves
//     changes.
// 10. A ring that could not be published leaves the last good one.
//
// And of the end: after an hour without faults
//
// 11. every node is at its full weight, and the ring is the wanted one;
// 12. nothing is published any more.
//
// Each life is lived twice, and does the same, by a digest of all it did.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "clockwise/membership.h"
#include "ring_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;

const uint64_t kLives = IsSanitized() ? 20 : 500;
constexpr int kHours = 10;  // of each life; the last one is without faults
constexpr nanoseconds kStep = seconds(15);
constexpr int kKeys = 32;

HealthOptions Health(uint64_t seed) {
  HealthOptions options;
  options.interval = kStep;
  options.min_requests = 5;
  options.cool_down = seconds(30);
  options.max_ejected_percent = 30;
  options.seed = seed;
  options.max_slots = 64;
  return options;
}

MembershipOptions Options() {
  MembershipOptions options;
  options.quiet = seconds(20);
  options.max_delay = seconds(60);
  return options;
}

// What a node does to requests.
struct Conduct {
  uint32_t failures = 0;  // of 100
  bool is_slow = false;
};

class Life {
 public:
  explicit Life(uint64_t seed) : seed_(seed), random_(seed), hash_keys_(kKeys) {
    for (uint64_t& key : hash_keys_) key = random_();
    wanted_.options = WithVnodes(8);
    for (int i = 0; i < 8; ++i) Join();
    Start();
    Accept(membership_->Want(wanted_, now_));
  }

  // Returns a digest of all that was done.
  uint64_t Live() {
    const int steps = static_cast<int>(hours(kHours) / kStep);
    const int calm = static_cast<int>(hours(kHours - 1) / kStep);
    const int silent = steps - static_cast<int>(minutes(5) / kStep);
    uint64_t published = 0;
    for (int i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i) {
      if (i == calm) CalmDown();
      if (i < calm) Meddle();
      if (i == silent) published = published_;
      Serve();
      Step();
    }
    const auto nodes = serving_->slots_by_id();
    EXPECT_TRUE(std::all_of(nodes.begin(), nodes.end(), [&](NodeIndex slot) {
      return tracker_->LevelOf(slot) == kFullLevel;
    })) << "11";
    EXPECT_EQ(serving_->digest(), serving_->base_digest()) << "11";
    EXPECT_EQ(serving_->digest(), Rebuilt().digest()) << "11";
    EXPECT_EQ(published_, published) << "12";
    return story_;
  }

  [[nodiscard]] uint64_t published() const { return published_; }
  [[nodiscard]] uint64_t refused() const { return refused_; }
  [[nodiscard]] uint64_t restarts() const { return restarts_; }
  [[nodiscard]] uint64_t ejections() const { return ejections_; }

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool Percent(uint32_t chance) { return Below(100) < chance; }
  bool OneIn(uint32_t n) { return Below(n) == 0; }

  void Tell(uint64_t what) { story_ = (story_ ^ what) * 0x9E3779B97F4A7C15u; }

  // A controller that knows what the one before it had written down.
  void Start() {
    membership_.reset();
    tracker_.emplace(HealthTracker::Create(Health(seed_)).value());
    MembershipOptions options = Options();
    options.last_epoch = written_epoch_;
    options.last_digest = written_digest_;
    const auto publish = [this](Ring&& ring, const PublishOptions&) {
      return Publish(std::move(ring));
    };
    membership_.emplace(
        Membership::Create(options, publish, &*tracker_).value());
    has_restarted_ = true;
  }

  void Join() {
    Node node = MakeNode("node-" + std::to_string(next_id_++),
                         Weight::Thousandths(500 + Below(4) * 500));
    node.zone = std::string(1, static_cast<char>('a' + Below(3)));
    wanted_.nodes.push_back(node);
    conduct_[node.id] = {};
  }

  // Of the source of members: what it sends is expected to be taken.
  void Accept(const Status& status) {
    ASSERT_TRUE(status.ok()) << status.message();
    Tell(1);
    if (!first_change_) first_change_ = now_;
    last_change_ = now_;
    ++changes_;
  }
  void Refuse(const Status& status, Code code) {
    ASSERT_EQ(CodeName(status.code()), CodeName(code))
        << "9: " << status.message();
    Tell(2);
    ++refused_;
  }

  // Something happens, or not.
  void Meddle() {
    if (OneIn(40)) ChangeConduct();
    if (OneIn(30)) ChangeWanted(1 + Below(OneIn(4) ? 12 : 2));
    if (OneIn(40)) SendNonsense();
    if (OneIn(300)) now_ += hours(24 * 3650) * (Below(2) == 0 ? 1 : -1);
    if (OneIn(400)) Crash();
    lacks_memory_ = OneIn(lacks_memory_ ? 2 : 100);
  }

  void CalmDown() {
    for (auto& [id, conduct] : conduct_) conduct = {};
    lacks_memory_ = false;
    LookUpConduct();
  }

  void ChangeConduct() {
    MisbehaveOrNot();
    LookUpConduct();
  }

  void MisbehaveOrNot() {
    if (OneIn(10)) {  // a rack, a switch
      for (auto& [id, conduct] : conduct_) {
        if (Percent(70)) conduct.failures = 100;
      }
      return;
    }
    if (OneIn(5)) {  // and all is well again
      for (auto& [id, conduct] : conduct_) conduct = {};
      return;
    }
    Conduct& conduct = conduct_[wanted_.nodes[Below(Count())].id];
    conduct.failures = Percent(40) ? 0 : Percent(50) ? 100 : 60;
    conduct.is_slow = Percent(20);
  }

  [[nodiscard]] uint32_t Count() const {
    return static_cast<uint32_t>(wanted_.nodes.size());
  }

  // A burst; each change as whole members or by itself.
  void ChangeWanted(uint32_t times) {
    for (; times > 0; --times) {
      const Members before = wanted_;
      ChangeOnce();
      wanted_.epoch = 0;
      const Status status = membership_->Want(wanted_, now_);
      if (status.code() == Code::kSuspiciousChange) {
        EXPECT_GT(2 * WeightGone(wanted_), WeightOf(base_members_)) << "9";
        wanted_ = before;
        for (const Node& node : wanted_.nodes) conduct_.try_emplace(node.id);
        ++refused_;
        continue;
      }
      Accept(status);
      if (Percent(30)) now_ += milliseconds(Below(2000));
    }
  }

  void ChangeOnce() {
    const uint32_t kind = Below(10);
    if ((kind < 4 && Count() < 16) || Count() < 4) {
      Join();
    } else if (kind < 7) {
      const uint32_t i = Below(Count());
      conduct_.erase(wanted_.nodes[i].id);
      wanted_.nodes.erase(wanted_.nodes.begin() + i);
    } else {
      Node& node = wanted_.nodes[Below(Count())];
      node.weight = Weight::Thousandths(250 + Below(12) * 250);
      node.address = std::to_string(Below(1000));
    }
  }

  static uint64_t WeightOf(const Members& members) {
    uint64_t sum = 0;
    for (const Node& node : members.nodes) sum += node.weight.thousandths();
    return sum;
  }
  // Of the weight that serves, at full levels.
  [[nodiscard]] uint64_t WeightGone(const Members& members) const {
    uint64_t gone = 0;
    for (const Node& had : base_members_.nodes) {
      const auto at =
          std::find_if(members.nodes.begin(), members.nodes.end(),
                       [&](const Node& node) { return node.id == had.id; });
      const uint64_t has =
          at != members.nodes.end() ? at->weight.thousandths() : 0;
      if (has < had.weight.thousandths())
        gone += had.weight.thousandths() - has;
    }
    return gone;
  }

  void SendNonsense() {
    const uint64_t epoch = membership_->epoch();
    if (!serving_ || has_restarted_ || epoch < 2) return;
    Members members = wanted_;
    switch (Below(4)) {
      case 0:
        members.epoch = 1 + Below(static_cast<uint32_t>(epoch - 1));
        return Refuse(membership_->Want(members, now_), Code::kStaleEpoch);
      case 1:
        members.epoch = epoch;
        members.nodes.push_back(MakeNode("of another brain"));
        return Refuse(membership_->Want(members, now_), Code::kEpochConflict);
      case 2:
        members.nodes.clear();
        return Refuse(membership_->Want(members, now_, true),
                      Code::kBadMembers);
      default:
        members.nodes = {MakeNode("the only one")};
        return Refuse(membership_->Want(members, now_),
                      Code::kSuspiciousChange);
    }
  }

  void Crash() {
    Tell(3);
    ++restarts_;
    Start();
    first_change_.reset();
    // It reads the members that there are.
    wanted_.epoch = 0;
    Accept(membership_->Want(wanted_, now_));
  }

  // Requests of a step, as the ring and the nodes let them go.
  void Serve() {
    if (!serving_) return;
    for (uint32_t i = 0; i < 2 * Count(); ++i) {
      const NodeIndex node = serving_->Owner(random_());
      if (Percent(conduct_of_[node].failures)) {
        tracker_->Failed(node);
      } else {
        tracker_->Succeeded(node,
                            milliseconds(conduct_of_[node].is_slow ? 50 : 5));
      }
    }
  }

  // By slot. Of nodes that are gone no request is answered.
  void LookUpConduct() {
    if (!serving_) return;
    conduct_of_.assign(serving_->slot_count(), Conduct{100, false});
    for (NodeIndex slot : serving_->slots_by_id()) {
      const auto at = conduct_.find(std::string(serving_->node(slot).id));
      if (at != conduct_.end()) conduct_of_[slot] = at->second;
    }
  }

  void Step() {
    now_ += kStep;
    const uint64_t before = published_;
    const bool was_waiting = first_change_.has_value();
    // As the clock is seen that steps back.
    if (was_waiting) first_change_ = std::min(*first_change_, now_);
    if (was_waiting) last_change_ = std::min(last_change_, now_);
    const bool is_due = was_waiting && (now_ >= last_change_ + seconds(20) ||
                                        now_ >= *first_change_ + seconds(60));
    const bool lacked_memory = lacks_memory_;
    const uint64_t epoch = membership_->epoch();
    const MembershipReport report = membership_->Step(now_);
    bool has_taken = false;
    for (const HealthEvent& event : report.health.events) {
      Tell(event.node);
      Tell(static_cast<uint64_t>(event.to));
      if (event.to == HealthState::kEjected) ++ejections_;
      has_taken = has_taken || event.to == HealthState::kEjected ||
                  event.to == HealthState::kHalfDrained;
    }
    if (has_taken && membership_->epoch() == epoch) CheckTaken();
    if (lacked_memory) {
      EXPECT_EQ(published_, before) << "10";
      if (is_due && !report.status.ok()) first_change_ = last_change_ = now_;
      return;
    }
    EXPECT_TRUE(report.status.ok()) << report.status.message();
    EXPECT_LE(published_, before + 1) << "8";
    EXPECT_EQ(report.has_published, published_ == before + 1);
    if (!is_due) {
      EXPECT_EQ(membership_->Due().has_value(), was_waiting) << "7";
      return;
    }
    EXPECT_EQ(membership_->Due(), std::nullopt) << "7";
    first_change_.reset();
    changes_ = 0;
    base_members_ = wanted_;
    EXPECT_EQ(serving_->digest(), Rebuilt().digest()) << "3";
  }

  Status Publish(Ring&& ring) {
    if (lacks_memory_) return {Code::kOutOfMemory, "out of memory"};
    Tell(ring.epoch());
    Tell(ring.digest().low);
    if (serving_) CheckOrder(*serving_, ring);
    if (serving_ && !has_restarted_) CheckSlots(*serving_, ring);
    if (serving_) CheckKeys(*serving_, ring);
    serving_ = std::move(ring);
    LookUpConduct();
    has_restarted_ = false;
    written_epoch_ = serving_->epoch();
    written_digest_ = serving_->base_digest();
    ++published_;
    return {};
  }

  void CheckOrder(const Ring& last, const Ring& next) {
    EXPECT_GE(next.epoch(), last.epoch()) << "1";
    if (next.epoch() != last.epoch()) {
      EXPECT_GT(changes_, 0) << "8";
      return;
    }
    EXPECT_EQ(next.base_digest(), last.base_digest()) << "2";
    EXPECT_TRUE(has_restarted_ || next.local() > last.local()) << "1";
  }

  static void CheckSlots(const Ring& last, const Ring& next) {
    for (NodeIndex slot : next.slots_by_id()) {
      const NodeIndex was = last.Find(next.node(slot).id);
      EXPECT_TRUE(was == kNoNode || was == slot) << "5";
    }
  }

  void CheckKeys(const Ring& last, const Ring& next) const {
    const auto points = [](const Ring& ring, std::string_view id) {
      const NodeIndex slot = ring.Find(id);
      return slot != kNoNode ? ring.node(slot).points : 0;
    };
    for (const uint64_t hash : hash_keys_) {
      const std::string_view from = last.node(last.Owner(hash)).id;
      const std::string_view to = next.node(next.Owner(hash)).id;
      if (from == to) continue;
      EXPECT_TRUE(points(next, from) < points(last, from) ||
                  points(next, to) > points(last, to))
          << "4: " << from << " to " << to;
    }
  }

  // What is taken, after something was. The first node may be taken whatever it
  // weighs. Nodes that rise to their weight are no losses; healthy ones that
  // leave later make the share of those that are out a larger one.
  void CheckTaken() const {
    uint64_t all = 0;
    uint64_t taken = 0;
    int nodes = 0;
    const Ring& ring = *membership_->ring();
    for (NodeIndex slot : ring.slots_by_id()) {
      const uint64_t weight = ring.node(slot).weight.thousandths();
      const HealthState state = tracker_->StateOf(slot);
      all += weight;
      if (state == HealthState::kEjected) taken += weight;
      if (state == HealthState::kHalfDrained) taken += weight / 2;
      if (state == HealthState::kEjected ||
          state == HealthState::kHalfDrained) {
        ++nodes;
      }
    }
    EXPECT_TRUE(nodes == 1 || taken * 100 <= all * 30)
        << "6: " << taken << " of " << all;
  }

  // The ring of the wanted nodes at their levels, built at once.
  [[nodiscard]] Ring Rebuilt() const {
    std::vector<Node> nodes = wanted_.nodes;
    for (Node& node : nodes) {
      const HealthLevel level = tracker_->LevelOf(serving_->Find(node.id));
      const uint64_t at_level = node.weight.thousandths() * level / kFullLevel;
      node.weight =
          Weight::Thousandths(level == 0 ? 0 : std::max<uint64_t>(at_level, 1));
    }
    return MakeRing(wanted_.options, nodes);
  }

  const uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<uint64_t> hash_keys_;
  nanoseconds now_ = hours(24 * 365 * 40);

  Members wanted_;        // what the source of members says
  Members base_members_;  // what of it serves
  std::map<std::string, Conduct> conduct_;
  std::vector<Conduct> conduct_of_;
  uint32_t next_id_ = 0;
  std::optional<nanoseconds> first_change_;  // of those that wait
  nanoseconds last_change_{};
  int changes_ = 0;
  bool lacks_memory_ = false;

  uint64_t written_epoch_ = 0;
  Hash128 written_digest_ = {};
  std::optional<HealthTracker> tracker_;
  std::optional<Membership> membership_;
  std::optional<Ring> serving_;
  bool has_restarted_ = false;

  uint64_t story_ = 0;
  uint64_t published_ = 0;
  uint64_t refused_ = 0;
  uint64_t restarts_ = 0;
  uint64_t ejections_ = 0;
};

TEST(MembershipSimulationTest, WhateverHappensTheLastGoodRingServes) {
  uint64_t published = 0, refused = 0, restarts = 0, ejections = 0;
  for (uint64_t seed = 1; seed <= kLives; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Life life(seed);
    const uint64_t story = life.Live();
    if (HasFailure()) return;
    EXPECT_EQ(Life(seed).Live(), story) << "not repeatable";
    published += life.published();
    refused += life.refused();
    restarts += life.restarts();
    ejections += life.ejections();
  }
  std::cout << kLives * kHours << " hours twice: " << published
            << " rings published, " << ejections << " ejections, " << refused
            << " changes refused, " << restarts << " restarts\n";
  // The lives were not dull.
  EXPECT_GT(published, 50u * kLives);
  EXPECT_GT(ejections, 5u * kLives);
  EXPECT_GT(refused, 5u * kLives);
  EXPECT_GT(restarts, 1u * kLives);
}

}  // namespace
}  // namespace clockwise
