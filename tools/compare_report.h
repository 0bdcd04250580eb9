// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Schemes side by side, for a person and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare_run.h"
#include "compare_time.h"

namespace clockwise::tool {

// What one scheme did with the keys.
struct CompareRow {
  std::string scheme;
  double peak = 0;          // the largest ratio of a node's share to its due
  double low = 0;           // the smallest
  double peak_to_mean = 0;  // of the counts of nodes, whatever their weights
  double by_chance = 0;     // about the peak that points and keys explain
  double moved_by_adding = 0;
  double moved_by_removing = 0;
  size_t bytes = 0;
  LookupTime time;
  double mean_owners = 1;  // of a key, in all views
  uint32_t most_owners = 1;
  double disagreement = 0;  // share of keys
};

struct LeftOut {
  std::string scheme;
  std::string why;
};

struct CompareReport {
  uint64_t keys = 0;
  bool is_made = false;  // the keys
  size_t nodes = 0;      // that have a weight
  size_t removed = 0;
  size_t views = 1;
  double least_added = 0;
  double least_removed = 0;
  std::vector<CompareRow> rows;
  std::vector<LeftOut> left_out;
};

// All of a row but `time`. At least one key was counted.
CompareRow RowOf(const Contender& contender);

std::string ToText(const CompareReport& report);

// One JSON document, on which the picture is drawn as well.
std::string ToJson(const CompareReport& report);

}  // namespace clockwise::tool
