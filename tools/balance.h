// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Shares against weights: who carries more than its due, and is it chance?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/any_placement.h"

namespace clockwise::tool {

// A ring's exact shares, or those of sample keys where there is no circle; and,
// once keys were counted, theirs. Some node of the placement has a weight, and
// it must outlive this.
class Balance {
 public:
  // Ratios of a share to the share that the weight is due.
  static constexpr double kWarn = 1.3;
  static constexpr double kAlarm = 1.5;

  explicit Balance(const AnyPlacement& placement);

  // Adds how many keys each slot got; at least one in all.
  void AddKeys(std::vector<uint64_t> counts);

  // The largest ratio of any node.
  [[nodiscard]] double Peak() const;
  // A table of nodes and a verdict.
  [[nodiscard]] std::string ToString() const;

 private:
  // What each slot got of one measure.
  struct Load {
    const char* what = "keys";       // were counted
    double keys = 0;                 // counted; 0: the circle
    std::vector<uint64_t> counts;    // of them
    std::vector<double> shares;      // of 1
    std::vector<double> ratios;      // 0 where nothing is due
    std::vector<double> deviations;  // of the ratios, by chance alone
    double expected_peak = 1;        // likewise
  };

  void AddCounts(const char* what, std::vector<uint64_t> counts);
  void AddLoad(Load load);
  [[nodiscard]] double Due(NodeIndex slot) const;
  [[nodiscard]] double Deviation(NodeIndex slot, double keys) const;
  [[nodiscard]] std::string NodeTable() const;
  [[nodiscard]] std::vector<std::string> LoadCells(const Load& load,
                                                   NodeIndex slot) const;
  [[nodiscard]] std::string Mark(NodeIndex slot) const;
  [[nodiscard]] std::string LoadLine(const Load& load) const;
  [[nodiscard]] std::string Verdict() const;

  const AnyPlacement& placement_;
  std::vector<NodeIndex> placed_;  // slots that are due something, by id
  double total_ = 0;               // thousandths of all weights
  std::vector<Load> loads_;
};

}  // namespace clockwise::tool
