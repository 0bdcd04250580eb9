// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "table.h"
#include "text.h"

namespace clockwise::tool {
namespace {

using enum Table::Align;

std::string Percent(HashCount hashes) {
  return fmt::format("{:.4f}%", FractionOf(hashes) * 100);
}

std::string IdOrDash(std::string_view id) {
  return id.empty() ? "-" : Escaped(id);
}

std::string Duration(uint64_t seconds) {
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) {
    return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  }
  return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

// Cells of guesses; empty where there are none.
void AddGuesses(const PlanReport& report, HashCount hashes,
                std::vector<std::string>& row) {
  row.push_back(report.bytes ? std::to_string(report.BytesOf(hashes)) : "");
  row.push_back(report.rate ? Duration(report.SecondsOf(hashes)) : "");
}

std::string Heading(const PlanReport& report) {
  const Change& change = *report.change;
  std::string text =
      fmt::format("{} nodes become {}\n", change.before.node_count(),
                  change.after.node_count());
  if (!change.plan) return text;
  const MigrationPlan& plan = *change.plan;
  text += fmt::format("{} of the circle moves, in {} range{}: {}/{}\n",
                      Percent(plan.moved()), plan.moves().size(),
                      plan.moves().size() == 1 ? "" : "s",
                      ToDecimal(plan.moved()), ToDecimal(kWholeCircle));
  if (plan.replicas() > 1) {
    text += fmt::format(
        "{} replicas; of {} the nodes are the same in another order\n",
        plan.replicas(), Percent(plan.reordered()));
  }
  if (report.bytes) {
    text += fmt::format("about {} bytes", report.BytesOf(plan.moved()));
    if (report.rate) {
      text += fmt::format(", {} one range after the other",
                          Duration(report.SecondsOf(plan.moved())));
    }
    text += '\n';
  }
  return text;
}

std::string KeyLine(const KeyMoves& keys) {
  return fmt::format(
      "{} of {} keys get another owner: {:.4f}%\n", keys.moved, keys.keys,
      100 * static_cast<double>(keys.moved) / static_cast<double>(keys.keys));
}

std::string NodeTable(const MigrationPlan& plan) {
  Table table({{"node"},
               {"before", kRight},
               {"after", kRight},
               {"gains", kRight},
               {"loses", kRight},
               {"ranges in", kRight},
               {"ranges out", kRight}});
  size_t still = 0;
  for (const NodeChange& node : plan.nodes()) {
    if (node.moves_in + node.moves_out == 0) {
      ++still;
      continue;
    }
    table.AddRow({Escaped(node.id), Percent(node.before), Percent(node.after),
                  Percent(node.gained), Percent(node.lost),
                  std::to_string(node.moves_in),
                  std::to_string(node.moves_out)});
  }
  std::string text = '\n' + table.ToString();
  if (still > 0) text += fmt::format("and {} that stay as they are\n", still);
  return text;
}

// Keys that move by each pair of nodes, as any replica.
std::map<std::pair<uint32_t, uint32_t>, uint64_t> KeysByPair(
    const Change& change) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> keys;
  if (!change.keys) return keys;
  const auto moves = change.plan->moves();
  for (size_t i = 0; i < moves.size(); ++i) {
    keys[{moves[i].from, moves[i].to}] += change.keys->by_move[i];
  }
  return keys;
}

std::string PairTable(const PlanReport& report) {
  const Change& change = *report.change;
  const MigrationPlan& plan = *change.plan;
  Table table({{"from"},
               {"to"},
               {"moves", kRight},
               {"ranges", kRight},
               {"keys", kRight},
               {"bytes", kRight},
               {"time", kRight}});
  auto keys = KeysByPair(change);
  auto pairs = plan.ByPair();
  if (report.is_plan && report.order == JoinOrder::kAfterJoin) {
    std::ranges::stable_sort(pairs, {}, &PairChange::to);  // who fetches what
  }
  for (const PairChange& pair : pairs) {
    std::vector<std::string> row = {
        IdOrDash(plan.IdOf(pair.from)), IdOrDash(plan.IdOf(pair.to)),
        Percent(pair.hashes), std::to_string(pair.moves),
        change.keys ? std::to_string(keys[{pair.from, pair.to}]) : ""};
    AddGuesses(report, pair.hashes, row);
    table.AddRow(std::move(row));
  }
  return '\n' + table.ToString();
}

std::string KeyTable(const KeyMoves& keys) {
  Table table({{"from"}, {"to"}, {"keys", kRight}});
  for (const auto& [ids, count] : keys.by_pair) {
    table.AddRow(
        {IdOrDash(ids.first), IdOrDash(ids.second), std::to_string(count)});
  }
  return '\n' + table.ToString();
}

std::string ReplicaOrDash(uint32_t replica) {
  return replica == 0 ? "-" : std::to_string(replica);
}

std::string RangeTable(const PlanReport& report) {
  const Change& change = *report.change;
  const MigrationPlan& plan = *change.plan;
  const bool is_one = plan.replicas() == 1;
  Table table({{"range", kRight},
               {"after"},
               {"up to"},
               {"from"},
               {"as", kRight},
               {"to"},
               {"as", kRight},
               {"share", kRight},
               {"keys", kRight},
               {"bytes", kRight},
               {"time", kRight},
               {"done"}});
  for (uint32_t i = 0; i < plan.moves().size(); ++i) {
    const Move& move = plan.moves()[i];
    std::vector<std::string> row = {
        std::to_string(i),
        Hex(move.begin),
        Hex(move.end),
        IdOrDash(plan.IdOf(move.from)),
        is_one ? "" : ReplicaOrDash(move.from_replica),
        IdOrDash(plan.IdOf(move.to)),
        is_one ? "" : ReplicaOrDash(move.to_replica),
        fmt::format("{:.6f}%", FractionOf(move.width()) * 100),
        change.keys ? std::to_string(change.keys->by_move[i]) : ""};
    AddGuesses(report, move.width(), row);
    const bool is_done =
        report.progress != nullptr && report.progress->IsDone(i);
    row.push_back(is_done ? "done" : "");
    table.AddRow(std::move(row));
  }
  return '\n' + table.ToString();
}

std::string Flow(const NodeFlow& flow) {
  if (flow.id.empty()) return "-";
  return fmt::format("{} {}", Escaped(flow.id), Percent(flow.hashes));
}

std::string NodesOf(const RollingStep& step) {
  std::string text;
  const auto add = [&text](char sign, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
      text += fmt::format("{}{}{}", text.empty() ? "" : " ", sign, Escaped(id));
    }
  };
  add('+', step.added);
  add('~', step.changed);
  add('-', step.removed);
  return text;
}

std::string StepTable(const PlanReport& report) {
  Table table({{"step", kRight},
               {"nodes"},
               {"moves", kRight},
               {"most in", kRight},
               {"most out", kRight},
               {"bytes", kRight},
               {"time", kRight}});
  HashCount moved = 0;
  for (size_t i = 0; i < report.steps.size(); ++i) {
    const RollingStep& step = report.steps[i];
    moved += step.moved;
    std::vector<std::string> row = {std::to_string(i + 1), NodesOf(step),
                                    Percent(step.moved), Flow(step.most_in),
                                    Flow(step.most_out)};
    AddGuesses(report, step.moved, row);
    table.AddRow(std::move(row));
  }
  return fmt::format("\n{}{} moves in all steps together\n", table.ToString(),
                     Percent(moved));
}

std::string OrderLine(JoinOrder order) {
  return order == JoinOrder::kBeforeJoin
             ? "before the join: copy each range, switch, then drop it where "
               "it was\n"
             : "after the join: switch, then each node fetches what it got\n";
}

std::string ProgressLine(const PlanReport& report) {
  if (report.progress == nullptr) return "";
  const PlanProgress& progress = *report.progress;
  return fmt::format("{} of {} ranges are done, {} of the circle\n",
                     progress.done_count(), report.change->plan->moves().size(),
                     Percent(progress.done()));
}

}  // namespace

std::string ToText(const PlanReport& report) {
  const Change& change = *report.change;
  std::string text = Heading(report);
  if (report.is_plan) text += OrderLine(report.order) + ProgressLine(report);
  if (change.keys) text += KeyLine(*change.keys);
  if (!change.plan) {
    return text + (change.keys->moved > 0 ? KeyTable(*change.keys) : "");
  }
  if (!report.steps.empty()) text += StepTable(report);
  if (change.plan->moves().empty()) return text;
  text += NodeTable(*change.plan) + PairTable(report);
  return report.lists_ranges ? text + RangeTable(report) : text;
}

}  // namespace clockwise::tool
