// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Shares against weights: who carries more than its due, and is it chance?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/ring.h"

namespace clockwise::tool {

// A ring's exact shares and, once keys were counted, theirs. The ring has
// points and must outlive it.
class Balance {
 public:
  // Ratios of a share to the share that the weight is due.
  static constexpr double kWarn = 1.3;
  static constexpr double kAlarm = 1.5;

  explicit Balance(const Ring& ring);

  // Adds how many keys each slot got; at least one in all.
  void AddKeys(std::vector<uint64_t> counts);

  // The largest ratio of any node.
  [[nodiscard]] double Peak() const;
  // A table of nodes and a verdict.
  [[nodiscard]] std::string ToString() const;

 private:
  // What each slot got of one measure.
  struct Load {
    double keys = 0;                 // counted; 0: the circle
    std::vector<double> shares;      // of 1
    std::vector<double> ratios;      // 0 where nothing is due
    std::vector<double> deviations;  // of the ratios, by chance alone
    double expected_peak = 1;        // likewise
  };

  void AddLoad(std::vector<double> shares, double keys);
  [[nodiscard]] double Due(NodeIndex slot) const;
  [[nodiscard]] double Deviation(NodeIndex slot, double keys) const;
  [[nodiscard]] std::string NodeTable() const;
  [[nodiscard]] std::vector<std::string> LoadCells(const Load& load,
                                                   NodeIndex slot) const;
  [[nodiscard]] std::string Mark(NodeIndex slot) const;
  [[nodiscard]] std::string LoadLine(const Load& load) const;
  [[nodiscard]] std::string Verdict() const;

  const Ring& ring_;
  std::vector<NodeIndex> placed_;  // slots that have points, by id
  double total_ = 0;               // thousandths of all weights
  std::vector<uint64_t> counts_;
  std::vector<Load> loads_;
};

}  // namespace clockwise::tool
