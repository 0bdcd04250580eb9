// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "steer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "table.h"
#include "text.h"

namespace clockwise::tool {
namespace {

double Over(uint64_t part, uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// The most that a core has over the mean of the cores that are not drained.
double PeakToMean(const Ring& ring, const std::vector<uint64_t>& counts) {
  uint64_t cores = 0, sum = 0, most = 0;
  for (NodeIndex core : ring.slots_by_id()) {
    cores += ring.node(core).points != 0;
    sum += counts[core];
    most = std::max(most, counts[core]);
  }
  return Over(most * cores, sum);
}

std::string CoreTable(const SteerReport& report) {
  using enum Table::Align;
  Table table({{"core", kRight},
               {"packets", kRight},
               {"flows", kRight},
               {"share", kRight},
               {""}});
  for (NodeIndex core : report.ring.slots_by_id()) {
    const uint64_t packets = report.packets_by_core[core];
    const bool is_drained = report.ring.node(core).points == 0;
    table.AddRow({std::to_string(core), std::to_string(packets),
                  std::to_string(report.flows_by_core[core]),
                  fmt::format("{:.2f}%", 100 * Over(packets, report.packets)),
                  is_drained ? "drained" : ""});
  }
  return table.ToString();
}

nlohmann::ordered_json CoresJson(const SteerReport& report) {
  auto cores = nlohmann::ordered_json::array();
  for (NodeIndex core : report.ring.slots_by_id()) {
    const uint64_t packets = report.packets_by_core[core];
    cores.push_back({{"core", core},
                     {"drained", report.ring.node(core).points == 0},
                     {"packets", packets},
                     {"flows", report.flows_by_core[core]},
                     {"share", Over(packets, report.packets)}});
  }
  return cores;
}

}  // namespace

std::string ToText(const SteerReport& r) {
  return fmt::format(
      "{}: {} packets of {} flows{}; {} not IP, {} too short\n\n{}\n"
      "peak over mean: packets {:.3f}, flows {:.3f}\n"
      "steering: {:.1f} million packets a second, {:.2f} ns each\n"
      "  (hash and lookup of keys in memory, one thread, processor time;\n"
      "  without reading and parsing)\n",
      Escaped(r.source), r.packets, r.flows,
      r.is_symmetric ? ", both directions one" : "", r.not_ip, r.too_short,
      CoreTable(r), PeakToMean(r.ring, r.packets_by_core),
      PeakToMean(r.ring, r.flows_by_core), 1e3 / r.nanoseconds, r.nanoseconds);
}

std::string ToJson(const SteerReport& r) {
  const nlohmann::ordered_json json = {
      {"source", r.source},
      {"symmetric", r.is_symmetric},
      {"packets", r.packets},
      {"flows", r.flows},
      {"not_ip", r.not_ip},
      {"too_short", r.too_short},
      {"packets_peak_to_mean", PeakToMean(r.ring, r.packets_by_core)},
      {"flows_peak_to_mean", PeakToMean(r.ring, r.flows_by_core)},
      {"packets_per_second", 1e9 / r.nanoseconds},
      {"cores", CoresJson(r)},
  };
  // A file's name may be any bytes.
  return json.dump(2, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         '\n';
}

}  // namespace clockwise::tool
