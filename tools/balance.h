// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Shares against weights (clockwise/balance.h), as a page to read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/balance.h"

namespace clockwise::tool {

// A ring's exact shares, or those of sample keys where there is no circle; and,
// once keys were counted, theirs. Some node of the placement has a weight, and
// it must outlive this.
class BalanceReport {
 public:
  explicit BalanceReport(const AnyPlacement& placement);

  // Adds how many keys each slot got; at least one in all.
  void AddKeys(std::vector<uint64_t> counts);

  // The largest ratio of any node.
  [[nodiscard]] double Peak() const;
  // A table of nodes and a verdict.
  [[nodiscard]] std::string ToString() const;

 private:
  // What each slot got of one measure.
  struct Load {
    const char* what = "keys";     // were counted
    double keys = 0;               // counted; 0: the circle
    std::vector<uint64_t> counts;  // of them
    Balance balance = {};
  };

  void AddCounts(const char* what, std::vector<uint64_t> counts);
  [[nodiscard]] std::string NodeTable() const;
  [[nodiscard]] std::vector<std::string> LoadCells(const Load& load,
                                                   NodeIndex slot) const;
  [[nodiscard]] std::string Mark(NodeIndex slot) const;
  [[nodiscard]] std::string LoadLine(const Load& load) const;
  [[nodiscard]] std::string Verdict() const;

  const AnyPlacement& placement_;
  std::vector<NodeIndex> placed_;  // slots that are due something, by id
  std::vector<Due> dues_;          // by slot
  std::vector<Load> loads_;
};

}  // namespace clockwise::tool
