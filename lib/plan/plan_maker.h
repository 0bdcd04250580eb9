// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Turns the arcs of two rings into moves.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "clockwise/plan.h"

namespace clockwise {

// The holders of an arc, in order.
struct Holders {
  std::array<uint32_t, kMaxPlanReplicas> nodes;  // of the plan
  uint32_t count = 0;

  [[nodiscard]] bool Contains(uint32_t node) const noexcept;
};

// Moves lie in lanes in which none overlaps another: one for each replica that
// a node can become, and after those one for each that a node ceases to be
// while nobody takes its place.
class PlanMaker {
 public:
  // May throw std::bad_alloc, here and below.
  PlanMaker(const Ring& before, const Ring& after, uint32_t replicas);

  // False where there are too many moves.
  bool Run();
  [[nodiscard]] MigrationPlan End() &&;

 private:
  void AddNodes();
  // Of the arc that ends at `end` and belongs to this point.
  [[nodiscard]] Holders HoldersOf(const Ring& ring,
                                  const std::vector<uint32_t>& numbers,
                                  size_t point, uint64_t end) const;
  void TakeArc(uint64_t begin, uint64_t end, const Holders& a,
               const Holders& b);
  void TakeChanges(uint64_t begin, uint64_t end, const Holders& a,
                   const Holders& b);
  void Extend(uint32_t lane, const Move& move);
  void JoinOverTheEnd();
  void FillBuckets();
  void Count(const Move& move);

  const Ring& before_;
  const Ring& after_;
  MigrationPlan plan_;
  std::vector<uint32_t> in_before_, in_after_;  // by slot: the plan's node
  std::vector<HashCount> had_, has_;  // by the plan's node, close together
  std::vector<std::vector<Move>> lanes_;
};

}  // namespace clockwise
