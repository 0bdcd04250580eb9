// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "tune_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "table.h"
#include "text.h"

namespace clockwise::tool {
namespace {

using enum Table::Align;
using Json = nlohmann::ordered_json;

double PeakByChance(const TuneReport& report, uint32_t vnodes) {
  return clockwise::PeakByChance(report.members.nodes, vnodes);
}

std::string Mark(const TuneReport& report, uint32_t vnodes) {
  if (vnodes == report.steady) return "from here on, these nodes";
  if (vnodes == report.by_chance) return "from here on, by chance";
  return vnodes == report.least ? "the least, these nodes" : "";
}

std::string SweepTable(const TuneReport& report) {
  Table table({{"vnodes", kRight},
               {"points", kRight},
               {"bytes", kRight},
               {"peak", kRight},
               {"low", kRight},
               {"deviation", kRight},
               {"peak by chance", kRight},
               {""}});
  for (const auto& [vnodes, bytes] : report.bytes) {
    const VnodesBalance& each = report.sweep[vnodes - 1];
    table.AddRow({std::to_string(vnodes), std::to_string(each.points),
                  std::to_string(bytes), fmt::format("{:.3f}x", each.peak),
                  fmt::format("{:.3f}x", each.low),
                  fmt::format("{:.3f}", each.deviation),
                  fmt::format("{:.2f}x", PeakByChance(report, vnodes)),
                  Mark(report, vnodes)});
  }
  return table.ToString();
}

std::string OfTheseNodes(const TuneReport& report) {
  const std::string wanted = report.wanted.ToString();
  const auto most = static_cast<uint32_t>(report.sweep.size());
  const std::string which =
      report.least == 0 ? fmt::format("no vnodes up to {} keep", most)
      : report.steady == 0
          ? fmt::format("{} vnodes do not keep", most)
          : fmt::format("{} vnodes, and all others up to {}, keep",
                        report.steady, most);
  std::string text = fmt::format("these nodes, this seed: {} the peak at {}x\n",
                                 which, wanted);
  if (report.least != report.steady) {
    text += fmt::format("    ({} do by luck, but some larger counts do not)\n",
                        report.least);
  }
  return text;
}

std::string OfOthers(const TuneReport& report) {
  const std::string wanted = report.wanted.ToString();
  if (report.by_chance == 0) {
    return fmt::format(
        "memberships to come: chance puts the peak of {} vnodes above {}x\n",
        kMaxVnodes, wanted);
  }
  return fmt::format(
      "memberships to come: {} vnodes; chance puts their peak at about {}x\n",
      report.by_chance, wanted);
}

Json NumberOrNull(uint32_t number) {
  return number == 0 ? Json() : Json(number);
}

// Some 16 of each octave, the first and the last one among them.
Json Curve(const TuneReport& report) {
  Json curve = Json::array();
  const auto most = static_cast<uint32_t>(report.sweep.size());
  for (uint32_t vnodes = 1; vnodes <= most;
       vnodes += std::max(1u, vnodes / 16)) {
    curve.push_back(
        {vnodes, report.sweep[vnodes - 1].peak, PeakByChance(report, vnodes)});
  }
  if (curve.back()[0] != most) {
    curve.push_back(
        {most, report.sweep.back().peak, PeakByChance(report, most)});
  }
  return curve;
}

}  // namespace

std::string ToText(const TuneReport& report) {
  const auto placed = std::ranges::count_if(
      report.members.nodes,
      [](const Node& node) { return node.weight.thousandths() > 0; });
  return fmt::format(
      "{} nodes; ratios of exact shares to what weights are "
      "due\n\n{}\n{}{}",
      placed, SweepTable(report), OfTheseNodes(report), OfOthers(report));
}

std::string ToJson(const TuneReport& report) {
  Json json = {
      {"picture", "tune"},
      {"wanted", static_cast<double>(report.wanted.thousandths()) / 1000},
      {"max_vnodes", report.sweep.size()},
      {"least", NumberOrNull(report.least)},
      {"steady", NumberOrNull(report.steady)},
      {"by_chance", NumberOrNull(report.by_chance)},
      {"sweep", Json::array()},
      {"curve", Curve(report)}};
  for (const auto& [vnodes, bytes] : report.bytes) {
    const VnodesBalance& each = report.sweep[vnodes - 1];
    json["sweep"].push_back({{"vnodes", vnodes},
                             {"points", each.points},
                             {"bytes", bytes},
                             {"peak", each.peak},
                             {"low", each.low},
                             {"deviation", each.deviation},
                             {"peak_by_chance", PeakByChance(report, vnodes)}});
  }
  return json.dump(2) + '\n';
}

}  // namespace clockwise::tool
