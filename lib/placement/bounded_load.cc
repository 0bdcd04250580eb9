// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/bounded_load.h"

#include <algorithm>
#include <limits>
#include <new>
#include <string>

#include "base/out_of_memory.h"

namespace clockwise {
namespace {

__extension__ using Uint128 = unsigned __int128;

static_assert(uint64_t{kMaxBalanceFactor} * Weight::kMaxThousandths <
              uint64_t{1} << 46);
static_assert(uint64_t{100} * kMaxNodes * Weight::kMaxThousandths < uint64_t{1}
                                                                        << 57);

Status Check(std::span<const Weight> weights, const LoadTable& loads,
             uint32_t factor) {
  if (factor < 100 || factor > kMaxBalanceFactor) {
    return {Code::kInvalidOptions, "balance factor " + std::to_string(factor) +
                                       " %; 100 to " +
                                       std::to_string(kMaxBalanceFactor)};
  }
  if (weights.size() > loads.slot_count()) {
    return {Code::kTooManyNodes, std::to_string(weights.size()) +
                                     " slots; the load table has " +
                                     std::to_string(loads.slot_count())};
  }
  for (const Weight weight : weights) {
    if (weight.thousandths() > Weight::kMaxThousandths) {
      return {Code::kBadWeight,
              "weight " + weight.ToString() + "; at most 1000000"};
    }
  }
  return {};
}

// The number of `below` that 32 random bits draw.
size_t Draw(uint32_t random, size_t below) {
  return static_cast<size_t>(uint64_t{random} * below >> 32);
}

}  // namespace

// One request on its way: what it asks for, whom it met, who took it.
class Acquisition {
 public:
  Acquisition(const BoundedLoad& bounded, uint64_t in_flight,
              const AcquireOptions& options) noexcept
      : bounded_(bounded), options_(options), in_flight_(in_flight) {}

  [[nodiscard]] bool MayTake(NodeIndex node) const noexcept {
    return bounded_.HasShare(node) && !options_.is_excluded(node);
  }
  // Whether the node took the request.
  bool Try(NodeIndex node) noexcept {
    return MayTake(node) && TryEligible(node);
  }
  bool TryEligible(NodeIndex node) noexcept {
    load_ = bounded_.Claim(node, in_flight_);
    if (load_ == 0) {
      NoteFull(node);
      return false;
    }
    node_ = node;
    return true;
  }
  void NoteFull(NodeIndex node) noexcept {
    ++full_;
    if (options_.when_full == WhenFull::kLeastLoaded &&
        (least_loaded_ == kNoNode || IsLessLoaded(node, least_loaded_))) {
      least_loaded_ = node;
    }
  }
  // Whether the request would make a load by weight of `a` that is below that
  // of `b`.
  [[nodiscard]] bool IsLessLoaded(NodeIndex a, NodeIndex b) const noexcept {
    return (LoadOf(a) + 1) * bounded_.shares_[b] <
           (LoadOf(b) + 1) * bounded_.shares_[a];
  }

  // Tries the nodes clockwise, but for those of `tried`; where `is_owner_full`,
  // the first was tried as well.
  void Walk(const RingView& ring, uint64_t hash,
            std::span<const NodeIndex> tried, bool is_owner_full) noexcept;
  // Of the replicas that may take the request the nth, or the list's size.
  [[nodiscard]] size_t Eligible(std::span<const NodeIndex> replicas,
                                size_t nth) const noexcept;
  void TryTwo(std::span<const NodeIndex> replicas, uint64_t random) noexcept;

  // `has_nodes`: there was a node to ask.
  Ticket End(bool has_nodes) noexcept;

 private:
  [[nodiscard]] Uint128 LoadOf(NodeIndex node) const noexcept {
    return Line(node).count.load(std::memory_order_relaxed);
  }
  [[nodiscard]] detail::LoadLine& Line(NodeIndex node) const noexcept {
    return bounded_.lines_[node + size_t{1}];
  }

  const BoundedLoad& bounded_;
  const AcquireOptions& options_;
  const uint64_t in_flight_;
  uint64_t load_ = 0;
  NodeIndex node_ = kNoNode;
  NodeIndex least_loaded_ = kNoNode;
  uint32_t full_ = 0;
};

void Acquisition::Walk(const RingView& ring, uint64_t hash,
                       std::span<const NodeIndex> tried,
                       bool is_owner_full) noexcept {
  if (bounded_.total_weight() == 0) return;  // nobody can take it
  for (const NodeIndex node : ring.Clockwise(hash)) {
    if (is_owner_full) {
      is_owner_full = false;
      if (bounded_.HasShare(node)) NoteFull(node);
      continue;
    }
    if (std::find(tried.begin(), tried.end(), node) != tried.end()) continue;
    if (Try(node)) return;
  }
}

size_t Acquisition::Eligible(std::span<const NodeIndex> replicas,
                             size_t nth) const noexcept {
  size_t i = 0;
  for (; i < replicas.size(); ++i) {
    if (MayTake(replicas[i]) && nth-- == 0) break;
  }
  return i;
}

void Acquisition::TryTwo(std::span<const NodeIndex> replicas,
                         uint64_t random) noexcept {
  const auto eligible = static_cast<size_t>(
      std::count_if(replicas.begin(), replicas.end(),
                    [this](NodeIndex node) { return MayTake(node); }));
  if (eligible == 0) return;
  size_t first = Draw(static_cast<uint32_t>(random >> 32), eligible);
  size_t second = first;
  if (eligible > 1) {
    second = Draw(static_cast<uint32_t>(random), eligible - 1);
    if (second >= first) ++second;
  }
  if (second < first) std::swap(first, second);
  // A predicate that changes its mind meanwhile gives fewer.
  first = Eligible(replicas, first);
  second = Eligible(replicas, second);
  if (first < replicas.size() && second < replicas.size() &&
      IsLessLoaded(replicas[second], replicas[first])) {
    std::swap(first, second);
  }
  const auto try_at = [&](size_t i) {
    return i < replicas.size() && TryEligible(replicas[i]);
  };
  if (try_at(first) || (second != first && try_at(second))) return;
  for (size_t i = 0; i < replicas.size(); ++i) {
    if (i != first && i != second && Try(replicas[i])) return;
  }
}

Ticket Acquisition::End(bool has_nodes) noexcept {
  AcquireOutcome outcome = AcquireOutcome::kPlaced;
  if (node_ == kNoNode && least_loaded_ != kNoNode) {
    node_ = least_loaded_;
    load_ = Line(node_).count.fetch_add(1, std::memory_order_relaxed) + 1;
    outcome = AcquireOutcome::kOverCap;
  }
  if (node_ != kNoNode) {
    return {bounded_.lines_, node_, outcome, full_, in_flight_, load_};
  }
  Ticket::SubtractOne(bounded_.lines_[0]);
  outcome = full_ != 0  ? AcquireOutcome::kAllFull
            : has_nodes ? AcquireOutcome::kAllExcluded
                        : AcquireOutcome::kNoNodes;
  return {nullptr, kNoNode, outcome, full_, in_flight_, 0};
}

Result<BoundedLoad> BoundedLoad::Build(std::span<const Weight> weights,
                                       LoadTable& loads,
                                       const BoundedLoadOptions& options) try {
  if (Status status = Check(weights, loads, options.factor); !status.ok()) {
    return status;
  }
  std::vector<uint64_t> shares(weights.size());
  uint64_t total = 0;
  for (size_t slot = 0; slot < weights.size(); ++slot) {
    const uint64_t weight = weights[slot].thousandths();
    if (weight == 0 || options.is_ejected(static_cast<NodeIndex>(slot))) {
      continue;
    }
    shares[slot] = weight * options.factor;
    total += weight;
  }
  return BoundedLoad(loads.lines(), options.factor, 100 * total,
                     std::move(shares));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<BoundedLoad> BoundedLoad::Build(const Ring& ring, LoadTable& loads,
                                       const BoundedLoadOptions& options) try {
  std::vector<Weight> weights(ring.slot_count(), Weight::Whole(0));
  for (const NodeIndex slot : ring.slots_by_id()) {
    const NodeView node = ring.node(slot);
    if (node.points != 0) weights[slot] = node.weight;
  }
  return Build(weights, loads, options);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Ticket BoundedLoad::Spill(const RingView& ring, uint64_t hash,
                          uint64_t in_flight,
                          const AcquireOptions& options) const noexcept {
  Acquisition acquisition(*this, in_flight, options);
  acquisition.Walk(ring, hash, {}, /*is_owner_full=*/!options.is_excluded);
  return acquisition.End(ring.point_count() != 0);
}

Ticket BoundedLoad::Acquire(std::span<const NodeIndex> preferences,
                            const AcquireOptions& options) const noexcept {
  Acquisition acquisition(*this, Arrive(), options);
  for (const NodeIndex node : preferences) {
    if (acquisition.Try(node)) break;
  }
  return acquisition.End(!preferences.empty());
}

Ticket BoundedLoad::Acquire(std::span<const NodeIndex> preferences,
                            const RingView& ring, uint64_t hash,
                            const AcquireOptions& options) const noexcept {
  Acquisition acquisition(*this, Arrive(), options);
  for (const NodeIndex node : preferences) {
    if (acquisition.Try(node)) return acquisition.End(true);
  }
  acquisition.Walk(ring, hash, preferences, /*is_owner_full=*/false);
  return acquisition.End(!preferences.empty() || ring.point_count() != 0);
}

Ticket BoundedLoad::AcquireOfTwo(std::span<const NodeIndex> replicas,
                                 uint64_t random,
                                 const AcquireOptions& options) const noexcept {
  Acquisition acquisition(*this, Arrive(), options);
  acquisition.TryTwo(replicas, random);
  return acquisition.End(!replicas.empty());
}

uint64_t BoundedLoad::Cap(NodeIndex node, uint64_t in_flight) const noexcept {
  if (!HasShare(node)) return 0;
  const Uint128 cap =
      (Uint128{in_flight} * shares_[node] + whole_ - 1) / whole_;
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  return cap < kMost ? static_cast<uint64_t>(cap) : kMost;
}

}  // namespace clockwise
