// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "shares.h"
#include "table.h"
#include "text.h"

namespace clockwise::tool {

BalanceReport::BalanceReport(const AnyPlacement& placement)
    : placement_(placement), dues_(DuesOf(placement)) {
  for (NodeIndex slot : NodesById(placement)) {
    if (dues_[slot].is_placed) placed_.push_back(slot);
  }
  if (placement.ring() == nullptr) {
    AddCounts("sample keys", CountSample(placement));
    return;
  }
  std::vector<double> shares;
  for (HashCount share : ExactShares(*placement.ring())) {
    shares.push_back(ToFraction(share));
  }
  Load circle;
  circle.balance = BalanceOf(dues_, std::move(shares), 0);
  loads_.push_back(std::move(circle));
}

void BalanceReport::AddKeys(std::vector<uint64_t> counts) {
  AddCounts("keys", std::move(counts));
}

void BalanceReport::AddCounts(const char* what, std::vector<uint64_t> counts) {
  Load load;
  load.what = what;
  for (uint64_t count : counts) load.keys += static_cast<double>(count);
  load.balance = BalanceOf(dues_, counts);
  load.counts = std::move(counts);
  loads_.push_back(std::move(load));
}

double BalanceReport::Peak() const {
  double peak = 0;
  for (const Load& load : loads_) {
    peak = std::max(peak, std::ranges::max(load.balance.ratios));
  }
  return peak;
}

std::string BalanceReport::ToString() const {
  std::string text = NodeTable() + '\n';
  for (const Load& load : loads_) text += LoadLine(load);
  return text + Verdict();
}

std::string BalanceReport::Mark(NodeIndex slot) const {
  double ratio = 0;
  for (const Load& load : loads_) {
    ratio = std::max(ratio, load.balance.ratios[slot]);
  }
  if (ratio >= kAlarmRatio) return "ALARM";
  return ratio >= kWarnRatio ? "warn" : "";
}

std::vector<std::string> BalanceReport::LoadCells(const Load& load,
                                                  NodeIndex slot) const {
  const double ratio = load.balance.ratios[slot];
  const double deviation = load.balance.deviations[slot];
  const bool is_due = deviation > 0 || ratio > 0;
  return {load.keys > 0 ? std::to_string(load.counts[slot]) : "",
          fmt::format("{:.3f}%", load.balance.shares[slot] * 100),
          is_due ? fmt::format("{:.3f}x", ratio) : "",
          is_due ? fmt::format("±{:.3f}", deviation) : ""};
}

std::string BalanceReport::NodeTable() const {
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
    std::vector<std::string> cells = {
        Escaped(node.id), node.weight.ToString(),
        fmt::format("{:.3f}%", dues_[slot].share * 100)};
    if (is_ring) cells.push_back(std::to_string(node.points));
    for (const Load& load : loads_) {
      std::ranges::move(LoadCells(load, slot), std::back_inserter(cells));
    }
    cells.push_back(Mark(slot));
    table.AddRow(std::move(cells));
  }
  return table.ToString();
}

std::string BalanceReport::LoadLine(const Load& load) const {
  const auto by_ratio = [&](NodeIndex slot) {
    return load.balance.ratios[slot];
  };
  const auto [low, peak] = std::ranges::minmax(placed_, {}, by_ratio);
  const std::string what =
      load.keys > 0 ? fmt::format("{:.0f} {}", load.keys, load.what) : "circle";
  return fmt::format(
      "{}: peak {:.3f}x ({}), low {:.3f}x ({}); by chance the peak is about "
      "{:.2f}x\n",
      what, by_ratio(peak), Escaped(placement_.node(peak).id), by_ratio(low),
      Escaped(placement_.node(low).id), load.balance.expected_peak);
}

std::string BalanceReport::Verdict() const {
  const double peak = Peak();
  if (peak >= kAlarmRatio) return "ALARM: a node is at 1.5x its due or more\n";
  if (peak >= kWarnRatio) return "warn: a node is at 1.3x its due or more\n";
  return "ok: no node is at 1.3x its due\n";
}

}  // namespace clockwise::tool
