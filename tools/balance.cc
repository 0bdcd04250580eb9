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

Balance::Balance(const AnyPlacement& placement) : placement_(placement) {
  const bool is_ring = placement.ring() != nullptr;
  for (NodeIndex slot : NodesById(placement)) {
    const NodeView node = placement.node(slot);
    const bool is_placed =
        is_ring ? node.points > 0 : node.weight.thousandths() > 0;
    if (is_placed) placed_.push_back(slot);
    total_ += static_cast<double>(node.weight.thousandths());
  }
  if (!is_ring) {
    AddCounts("sample keys", CountSample(placement));
    return;
  }
  Load circle;
  for (HashCount share : ExactShares(*placement.ring())) {
    circle.shares.push_back(ToFraction(share));
  }
  AddLoad(std::move(circle));
}

void Balance::AddKeys(std::vector<uint64_t> counts) {
  AddCounts("keys", std::move(counts));
}

void Balance::AddCounts(const char* what, std::vector<uint64_t> counts) {
  Load load;
  load.what = what;
  load.counts = std::move(counts);
  for (uint64_t count : load.counts) load.keys += static_cast<double>(count);
  for (uint64_t count : load.counts) {
    load.shares.push_back(static_cast<double>(count) / load.keys);
  }
  AddLoad(std::move(load));
}

double Balance::Due(NodeIndex slot) const {
  return static_cast<double>(placement_.node(slot).weight.thousandths()) /
         total_;
}

// The scatter of a ratio by chance: of where the points fell on the circle and,
// where `keys` were counted, of where so few keys fell.
double Balance::Deviation(NodeIndex slot, double keys) const {
  const Ring* ring = placement_.ring();
  const double of_circle =
      ring != nullptr
          ? ShareDeviation(ring->node(slot).points, ring->point_count())
          : 0;
  const double due = Due(slot);
  const double variance_of_keys = keys > 0 ? (1 - due) / (due * keys) : 0;
  return std::sqrt(of_circle * of_circle + variance_of_keys);
}

void Balance::AddLoad(Load load) {
  load.ratios.resize(load.shares.size());
  load.deviations.resize(load.shares.size());
  for (NodeIndex slot : placed_) {
    load.ratios[slot] = load.shares[slot] / Due(slot);
    load.deviations[slot] = Deviation(slot, load.keys);
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
  return {load.keys > 0 ? std::to_string(load.counts[slot]) : "",
          fmt::format("{:.3f}%", load.shares[slot] * 100),
          is_due ? fmt::format("{:.3f}x", load.ratios[slot]) : "",
          is_due ? fmt::format("±{:.3f}", load.deviations[slot]) : ""};
}

std::string Balance::NodeTable() const {
  using enum Table::Align;
  std::vector<Table::Column> columns = {
      {"node"}, {"weight", kRight}, {"due", kRight}};
  const bool is_ring = placement_.ring() != nullptr;
  if (is_ring) columns.push_back({"points", kRight});
  for (const Load& load : loads_) {
    const char* share = load.keys > 0 ? "share" : "circle";
    for (const char* heading : {"keys", share, "ratio", "by chance"}) {
      columns.push_back({heading, kRight});
    }
  }
  columns.push_back({""});
  Table table(columns);
  for (NodeIndex slot : NodesById(placement_)) {
    const NodeView node = placement_.node(slot);
    std::vector<std::string> cells = {Escaped(node.id), node.weight.ToString(),
                                      fmt::format("{:.3f}%", Due(slot) * 100)};
    if (is_ring) cells.push_back(std::to_string(node.points));
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
      load.keys > 0 ? fmt::format("{:.0f} {}", load.keys, load.what) : "circle";
  return fmt::format(
      "{}: peak {:.3f}x ({}), low {:.3f}x ({}); by chance the peak is about "
      "{:.2f}x\n",
      what, by_ratio(peak), Escaped(placement_.node(peak).id), by_ratio(low),
      Escaped(placement_.node(low).id), load.expected_peak);
}

std::string Balance::Verdict() const {
  const double peak = Peak();
  if (peak >= kAlarm) return "ALARM: a node is at 1.5x its due or more\n";
  if (peak >= kWarn) return "warn: a node is at 1.3x its due or more\n";
  return "ok: no node is at 1.3x its due\n";
}

}  // namespace clockwise::tool
