// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "simulate_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "table.h"
#include "text.h"

namespace clockwise::tool {
namespace {

using enum Table::Align;

std::string Percent(double percent) { return fmt::format("{:.1f}%", percent); }

std::string IdOf(const SimulateRun& run, NodeIndex node) {
  return Escaped(run.ring->node(node).id);
}

std::string StageNumber(const Stage& stage) {
  if (stage.event != Event::kFail) return std::to_string(stage.step);
  return fmt::format("{}.{}", stage.step, stage.round);
}

std::string Heading(const SimulateReport& report) {
  const SimulateRun& run = report.runs.front();
  const SimulationOptions& options = run.variant.options;
  std::string text =
      fmt::format("{} nodes at {}% of their capacity; {}",
                  run.stages.front().up, options.utilisation,
                  report.keys == 0 ? "the exact circle"
                                   : fmt::format("{} keys", report.keys));
  if (run.variant.is_cascade) {
    text += fmt::format("; a node above {}% fails", options.fail_at);
  }
  return text + "\n\n";
}

std::vector<std::string> StageRow(const SimulateRun& run, const Stage& stage) {
  const bool is_up = stage.up > 0;
  return {StageNumber(stage),
          Title(run, stage),
          std::to_string(stage.up),
          is_up ? Percent(stage.mean) : "-",
          is_up ? Percent(stage.peak_load) : "-",
          is_up ? IdOf(run, stage.peak) : "-",
          std::to_string(stage.above)};
}

// Of a long cascade the first `top` rounds and the last one.
std::string StageTable(const SimulateRun& run, uint64_t top) {
  Table table({{"step"},
               {"what happens"},
               {"up", kRight},
               {"mean", kRight},
               {"peak", kRight},
               {"node"},
               {"above 100%", kRight}});
  uint64_t skipped = 0;
  for (size_t i = 0; i < run.stages.size(); ++i) {
    const Stage& stage = run.stages[i];
    const bool is_last =
        i + 1 == run.stages.size() || run.stages[i + 1].event != Event::kFail;
    if (stage.round > top && !is_last) {
      ++skipped;
      continue;
    }
    if (skipped > 0) {
      table.AddRow(
          {"", fmt::format("{} more fail", skipped), "", "", "", "", ""});
      skipped = 0;
    }
    table.AddRow(StageRow(run, stage));
  }
  return table.ToString();
}

// Survivors by what they gained, the most first.
std::vector<NodeIndex> Heirs(const SimulateRun& run, const Stage& before,
                             const Stage& now) {
  std::vector<NodeIndex> heirs;
  for (const NodeIndex node : run.ring->slots_by_id()) {
    if (now.shares[node] > before.shares[node]) heirs.push_back(node);
  }
  std::ranges::stable_sort(heirs, std::greater<>(), [&](NodeIndex node) {
    return now.shares[node] - before.shares[node];
  });
  return heirs;
}

std::string HeirTable(const SimulateRun& run, const Stage& before,
                      const Stage& now, uint64_t top) {
  Table table(
      {{"heir"}, {"inherits", kRight}, {"had", kRight}, {"has", kRight}, {""}});
  const double lost = before.shares[now.node] - now.shares[now.node];
  const std::vector<NodeIndex> heirs = Heirs(run, before, now);
  const auto shown = static_cast<size_t>(std::min<uint64_t>(top, heirs.size()));
  for (size_t i = 0; i < shown; ++i) {
    const NodeIndex heir = heirs[i];
    const double part = (now.shares[heir] - before.shares[heir]) / lost;
    table.AddRow({IdOf(run, heir), Percent(part * 100),
                  Percent(before.loads[heir]), Percent(now.loads[heir]),
                  now.loads[heir] > 100 ? "above 100%" : ""});
  }
  std::string text = table.ToString();
  if (shown < heirs.size()) {
    text += fmt::format("and {} more\n", heirs.size() - shown);
  }
  return text;
}

// Who inherits what of a node that left by a step of the caller's.
std::string Inheritance(const SimulateRun& run, const Stage& before,
                        const Stage& now, uint64_t top) {
  const bool is_asked = now.event == Event::kKill ||
                        now.event == Event::kHalf || now.event == Event::kGone;
  if (!is_asked || now.up == 0) return "";
  const double lost = before.shares[now.node] - now.shares[now.node];
  std::string text =
      fmt::format("\nstep {}: {} and leaves {} of all load\n", now.step,
                  Title(run, now), Percent(lost * 100));
  return lost > 0 ? text + HeirTable(run, before, now, top) : text;
}

// The last stage of a step, or of its half-drain.
const Stage* Last(const SimulateRun& run, uint32_t step, bool is_half) {
  const Stage* last = nullptr;
  bool is_in_half = false;
  for (const Stage& stage : run.stages) {
    if (stage.event != Event::kFail) is_in_half = stage.event == Event::kHalf;
    if (stage.step == step && is_in_half == is_half) last = &stage;
  }
  return last;
}

std::string Cell(const SimulateRun& run, const Stage* stage) {
  if (stage == nullptr) return "-";
  const uint32_t fell = run.FellUntil(*stage);
  std::string text = stage->up == 0 ? "none left" : Percent(stage->peak_load);
  if (stage->above > 0) text += fmt::format(", {} above", stage->above);
  if (fell > 0) text += fmt::format(", {} fell", fell);
  if (stage->spilled > 0) {
    text += fmt::format(", {} spills", Percent(stage->spilled * 100));
  }
  return text;
}

void AddComparison(Table& table, const SimulateReport& report, uint32_t step,
                   bool is_half) {
  std::vector<std::string> row = {
      step == 0 ? "start"
                : fmt::format("{} {}{}", step, is_half ? "half of " : "",
                              Escaped(report.steps[step - 1].id))};
  bool is_any = false;
  for (const SimulateRun& run : report.runs) {
    const Stage* stage = Last(run, step, is_half);
    is_any |= stage != nullptr;
    row.push_back(Cell(run, stage));
  }
  if (is_any) table.AddRow(std::move(row));
}

std::string Comparison(const SimulateReport& report) {
  std::vector<Table::Column> columns = {{"peak after"}};
  for (const SimulateRun& run : report.runs) {
    columns.push_back({run.variant.name});
  }
  Table table(columns);
  for (uint32_t step = 0; step <= report.steps.size(); ++step) {
    AddComparison(table, report, step, /*is_half=*/true);
    AddComparison(table, report, step, /*is_half=*/false);
  }
  return '\n' + table.ToString();
}

std::string Verdict(const SimulateRun& run) {
  const Stage& end = run.end();
  const std::string fell =
      run.Fell() > 0 ? fmt::format("; {} fell in cascades", run.Fell()) : "";
  if (end.up == 0) return fmt::format("ALARM: no node is left{}\n", fell);
  const std::string peak = fmt::format("the most loaded of {} is at {}{}\n",
                                       end.up, Percent(end.peak_load), fell);
  if (end.above > 0) {
    return fmt::format("ALARM: {} above 100%; {}", end.above, peak);
  }
  return (run.IsAlarm() ? "ALARM: " : "ok: ") + peak;
}

}  // namespace

const char* EventName(Event event) {
  switch (event) {
    case Event::kStart:
      return "start";
    case Event::kKill:
      return "kill";
    case Event::kHalf:
      return "half-drain";
    case Event::kGone:
      return "gone";
    case Event::kFail:
      return "fail";
    case Event::kDownAlready:
      break;
  }
  return "down-already";
}

std::string Title(const SimulateRun& run, const Stage& stage) {
  if (stage.event == Event::kStart) return "start";
  const std::string id = IdOf(run, stage.node);
  switch (stage.event) {
    case Event::kHalf:
      return id + " gives half of its points";
    case Event::kGone:
      return id + " is drained";
    case Event::kFail:
      return fmt::format("{} fails at {}", id, Percent(stage.had));
    case Event::kDownAlready:
      return id + " is down already";
    default:
      return id + " is killed";
  }
}

std::string ToText(const SimulateReport& report, uint64_t top) {
  const SimulateRun& run = report.runs.front();
  std::string text = Heading(report) + StageTable(run, top);
  for (size_t i = 1; i < run.stages.size(); ++i) {
    text += Inheritance(run, run.stages[i - 1], run.stages[i], top);
  }
  if (report.runs.size() > 1) text += Comparison(report);
  return text + '\n' + Verdict(run);
}

}  // namespace clockwise::tool
