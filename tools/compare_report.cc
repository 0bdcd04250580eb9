// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "clockwise/balance.h"
#include "table.h"
#include "text.h"

namespace clockwise::tool {
namespace {

using enum Table::Align;
using Json = nlohmann::ordered_json;

std::string Percent(double share) {
  return fmt::format("{:.2f}%", share * 100);
}

std::string Ratio(double ratio) { return fmt::format("{:.3f}x", ratio); }

std::string MainTable(const CompareReport& report) {
  Table table({{"scheme"},
               {"peak", kRight},
               {"low", kRight},
               {"by chance", kRight},
               {"peak/mean", kRight},
               {"moved +1", kRight},
               {"moved -1", kRight},
               {"bytes", kRight},
               {"ns", kRight},
               {"ns in batches", kRight}});
  const bool is_removed = report.removed > 0;
  const auto removed = [&](double share) {
    return is_removed ? Percent(share) : "-";
  };
  table.AddRow({"for fair shares", Ratio(1), Ratio(1), "", "",
                Percent(report.least_added), removed(report.least_removed), "",
                "", ""});
  for (const CompareRow& row : report.rows) {
    table.AddRow({row.scheme, Ratio(row.peak), Ratio(row.low),
                  Ratio(row.by_chance), Ratio(row.peak_to_mean),
                  Percent(row.moved_by_adding), removed(row.moved_by_removing),
                  std::to_string(row.bytes),
                  fmt::format("{:.1f}", row.time.single),
                  fmt::format("{:.1f}", row.time.batch)});
  }
  return table.ToString();
}

std::string ViewTable(const CompareReport& report) {
  if (report.views < 2) return "";
  Table table({{"scheme"},
               {"owners of a key", kRight},
               {"at most", kRight},
               {"keys with several", kRight}});
  for (const CompareRow& row : report.rows) {
    table.AddRow({row.scheme, fmt::format("{:.4f}", row.mean_owners),
                  std::to_string(row.most_owners), Percent(row.disagreement)});
  }
  return fmt::format("\n{} views of the members:\n{}", report.views,
                     table.ToString());
}

Json RowJson(const CompareReport& report, const CompareRow& row) {
  Json json = {{"scheme", row.scheme},
               {"peak", row.peak},
               {"low", row.low},
               {"by_chance", row.by_chance},
               {"peak_to_mean", row.peak_to_mean},
               {"moved_by_adding", row.moved_by_adding},
               {"moved_by_removing",
                report.removed > 0 ? Json(row.moved_by_removing) : Json()},
               {"bytes", row.bytes},
               {"ns", row.time.single},
               {"ns_in_batches", row.time.batch}};
  if (report.views > 1) {
    json["owners_mean"] = row.mean_owners;
    json["owners_max"] = row.most_owners;
    json["disagreement"] = row.disagreement;
  }
  return json;
}

}  // namespace

CompareRow RowOf(const Contender& contender) {
  const AnyPlacement& placement = contender.placement();
  const std::vector<Due> dues = DuesOf(placement);
  const Balance balance = BalanceOf(dues, contender.counts());
  CompareRow row;
  row.scheme = placement.scheme();
  row.low = HUGE_VAL;
  double placed = 0;
  double owned = 0;
  for (size_t slot = 0; slot < dues.size(); ++slot) {
    if (!dues[slot].is_placed) continue;
    row.peak = std::max(row.peak, balance.ratios[slot]);
    row.low = std::min(row.low, balance.ratios[slot]);
    owned += static_cast<double>(contender.counts()[slot]);
    ++placed;
  }
  const auto most = static_cast<double>(std::ranges::max(contender.counts()));
  row.peak_to_mean = owned > 0 ? most * placed / owned : 0;
  if (placed == 0) row.low = 0;
  row.by_chance = balance.expected_peak;
  row.moved_by_adding = contender.MovedByAdding();
  row.moved_by_removing = contender.MovedByRemoving();
  row.bytes = placement.bytes();
  row.mean_owners = contender.MeanOwners();
  row.most_owners = contender.most_owners();
  row.disagreement = contender.Disagreement();
  return row;
}

std::string ToText(const CompareReport& report) {
  std::string text = fmt::format(
      "{} {}keys on {} nodes; one more of mean weight, and one less ({})\n\n{}",
      report.keys, report.is_made ? "made " : "", report.nodes,
      report.removed == 0   ? "none can go"
      : report.removed == 1 ? "the last"
                            : fmt::format("the mean of {}", report.removed),
      MainTable(report));
  text += ViewTable(report);
  for (const LeftOut& each : report.left_out) {
    text += fmt::format("\nleft out: {}: {}", each.scheme, Escaped(each.why));
  }
  if (!report.left_out.empty()) text += '\n';
  return text + fmt::format(
                    "\nns: CPU time of a lookup with the hash of its key, the "
                    "median of {} rounds;\nof this machine and this run.\n",
                    kTimedRounds);
}

std::string ToJson(const CompareReport& report) {
  Json json = {{"picture", "compare"},
               {"keys", report.keys},
               {"made", report.is_made},
               {"nodes", report.nodes},
               {"removed", report.removed},
               {"views", report.views},
               {"least_moved_by_adding", report.least_added},
               {"least_moved_by_removing",
                report.removed > 0 ? Json(report.least_removed) : Json()},
               {"schemes", Json::array()},
               {"left_out", Json::array()}};
  for (const CompareRow& row : report.rows) {
    json["schemes"].push_back(RowJson(report, row));
  }
  for (const LeftOut& each : report.left_out) {
    json["left_out"].push_back(
        {{"scheme", each.scheme}, {"why", Escaped(each.why)}});
  }
  return json.dump(2) + '\n';
}

}  // namespace clockwise::tool
