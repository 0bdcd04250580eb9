// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "simulate_report.h"

namespace clockwise::tool {
namespace {

using Json = nlohmann::ordered_json;

// Null where no node is meant.
Json IdOrNull(const SimulateRun& run, NodeIndex node) {
  if (node == kNoNode) return nullptr;
  return run.ring->node(node).id;
}

// Null where the stage kept no loads. `gained` only where the one before did.
Json NodesJson(const SimulateRun& run, const Stage* before,
               const Stage& stage) {
  if (stage.loads.empty()) return nullptr;
  const bool has_before = before != nullptr && !before->loads.empty();
  Json nodes = Json::array();
  for (const NodeIndex node : run.ring->slots_by_id()) {
    Json json = {{"id", run.ring->node(node).id},
                 {"load", stage.loads[node]},
                 {"share", stage.shares[node]}};
    if (has_before) json["gained"] = stage.shares[node] - before->shares[node];
    nodes.push_back(std::move(json));
  }
  return nodes;
}

Json StageJson(const SimulateRun& run, const Stage* before,
               const Stage& stage) {
  return {{"step", stage.step},
          {"round", stage.round},
          {"event", EventName(stage.event)},
          {"node", IdOrNull(run, stage.node)},
          {"had", stage.had},
          {"up", stage.up},
          {"mean", stage.mean},
          {"peak", stage.peak_load},
          {"peak_node", IdOrNull(run, stage.peak)},
          {"above", stage.above},
          {"spilled", stage.spilled},
          {"nodes", NodesJson(run, before, stage)}};
}

Json RunJson(const SimulateRun& run) {
  Json stages = Json::array();
  const Stage* before = nullptr;
  for (const Stage& stage : run.stages) {
    stages.push_back(StageJson(run, before, stage));
    before = &stage;
  }
  const uint32_t factor = run.variant.options.balance_factor;
  return {{"name", run.variant.name},
          {"vnodes", run.vnodes},
          {"balance_factor", factor == 0 ? Json() : Json(factor)},
          {"half_drain", run.variant.is_half_drain},
          {"fell", run.Fell()},
          {"alarm", run.IsAlarm()},
          {"stages", std::move(stages)}};
}

}  // namespace

std::string ToJson(const SimulateReport& report) {
  const Variant& first = report.runs.front().variant;
  Json json = {{"picture", "simulate"},
               {"keys", report.keys == 0 ? Json() : Json(report.keys)},
               {"utilisation", first.options.utilisation},
               {"cascade", first.is_cascade},
               {"fail_at", first.options.fail_at},
               {"alarm", report.runs.front().IsAlarm()},
               {"runs", Json::array()}};
  for (const SimulateRun& run : report.runs) {
    json["runs"].push_back(RunJson(run));
  }
  return json.dump(2) + '\n';
}

}  // namespace clockwise::tool
