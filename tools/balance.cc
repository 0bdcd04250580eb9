// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "shares.h"
#include "table.h"
#include "text.h"

namespace clockwise::tool {

Balance::Balance(const Ring& ring) : ring_(ring) {
  for (NodeIndex slot : ring.slots_by_id()) {
    const NodeView node = ring.node(slot);
    if (node.points > 0) placed_.push_back(slot);
    total_ += static_cast<double>(node.weight.thousandths());
  }
  std::vector<double> shares;
  for (HashCount share : ExactShares(ring)) shares.push_back(ToFraction(share));
  AddLoad(std::move(shares), 0);
}

void Balance::AddKeys(std::vector<uint64_t> counts) {
  counts_ = std::move(counts);
  double keys = 0;
  for (uint64_t count : counts_) keys += static_cast<double>(count);
  std::vector<double> shares;
  for (uint64_t count : counts_) {
    shares.push_back(static_cast<double>(count) / keys);
  }
  AddLoad(std::move(shares), keys);
}

double Balance::Due(NodeIndex slot) const {
  return static_cast<double>(ring_.node(slot).weight.thousandths()) / total_;
}

// The scatter of a ratio by chance: of where the points fell on the circle and,
// where `keys` were counted, of where so few keys fell.
double Balance::Deviation(NodeIndex slot, double keys) const {
  const double of_circle =
      ShareDeviation(ring_.node(slot).points, ring_.point_count());
  const double due = Due(slot);
  const double variance_of_keys = keys > 0 ? (1 - due) / (due * keys) : 0;
  return std::sqrt(of_circle * of_circle + variance_of_keys);
}

void Balance::AddLoad(std::vector<double> shares, double keys) {
  Load load{keys, std::move(shares), {}, {}, 1};
  load.ratios.resize(load.shares.size());
  load.deviations.resize(load.shares.size());
  for (NodeIndex slot : placed_) {
    load.ratios[slot] = load.shares[slot] / Due(slot);
    load.deviations[slot] = Deviation(slot, keys);
  }
  load.expected_peak = ExpectedPeak(load.deviations);
  loads_.push_back(std::move(load));
}

double Balance::Peak() const {
  double peak = 0;
  for (const Load& load : loads_) {
    peak = std::max(peak, std::ranges::max(load.ratios));
  }
  return peak;
}

std::string Balance::ToString() const {
  std::string text = NodeTable() + '\n';
  for (const Load& load : loads_) text += LoadLine(load);
  return text + Verdict();
}

std::string Balance::Mark(NodeIndex slot) const {
  double ratio = 0;
  for (const Load& load : loads_) ratio = std::max(ratio, load.ratios[slot]);
  if (ratio >= kAlarm) return "ALARM";
  return ratio >= kWarn ? "warn" : "";
}

std::vector<std::string> Balance::LoadCells(const Load& load,
                                            NodeIndex slot) const {
  const bool is_due = load.deviations[slot] > 0 || load.ratios[slot] > 0;
  return {load.keys > 0 ? std::to_string(counts_[slot]) : "",
          fmt::format("{:.3f}%", load.shares[slot] * 100),
          is_due ? fmt::format("{:.3f}x", load.ratios[slot]) : "",
          is_due ? fmt::format("±{:.3f}", load.deviations[slot]) : ""};
}

std::string Balance::NodeTable() const {
  using enum Table::Align;
  std::vector<Table::Column> columns = {
      {"node"}, {"weight", kRight}, {"due", kRight}, {"points", kRight}};
  for (const Load& load : loads_) {
    const char* share = load.keys > 0 ? "share" : "circle";
    for (const char* heading : {"keys", share, "ratio", "by chance"}) {
      columns.push_back({heading, kRight});
    }
  }
  columns.push_back({""});
  Table table(columns);
  for (NodeIndex slot : ring_.slots_by_id()) {
    const NodeView node = ring_.node(slot);
    std::vector<std::string> cells = {Escaped(node.id), node.weight.ToString(),
                                      fmt::format("{:.3f}%", Due(slot) * 100),
                                      std::to_string(node.points)};
    for (const Load& load : loads_) {
      std::ranges::move(LoadCells(load, slot), std::back_inserter(cells));
    }
    cells.push_back(Mark(slot));
    table.AddRow(std::move(cells));
  }
  return table.ToString();
}

std::string Balance::LoadLine(const Load& load) const {
  const auto by_ratio = [&](NodeIndex slot) { return load.ratios[slot]; };
  const auto [low, peak] = std::ranges::minmax(placed_, {}, by_ratio);
  const std::string what =
      load.keys > 0 ? fmt::format("{:.0f} keys", load.keys) : "circle";
  return fmt::format(
      "{}: peak {:.3f}x ({}), low {:.3f}x ({}); by chance the peak is about "
      "{:.2f}x\n",
      what, by_ratio(peak), Escaped(ring_.node(peak).id), by_ratio(low),
      Escaped(ring_.node(low).id), load.expected_peak);
}

std::string Balance::Verdict() const {
  const double peak = Peak();
  if (peak >= kAlarm) return "ALARM: a node is at 1.5x its due or more\n";
  if (peak >= kWarn) return "warn: a node is at 1.3x its due or more\n";
  return "ok: no node is at 1.3x its due\n";
}

}  // namespace clockwise::tool
