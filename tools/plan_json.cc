// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "plan_report.h"
#include "text.h"

namespace clockwise::tool {
namespace {

using Json = nlohmann::ordered_json;

// Whole numbers above 2^53 - 1 are texts, as in members files.
Json NumberJson(uint64_t value) {
  if (value >> 53 != 0) return std::to_string(value);
  return value;
}

Json IdOrNull(std::string_view id) {
  return id.empty() ? Json() : Json(std::string(id));
}

std::string ExactOf(HashCount hashes) {
  return ToDecimal(hashes) + '/' + ToDecimal(kWholeCircle);
}

Json PlacementJson(const AnyPlacement& placement) {
  Json json = {{"name", placement.name()},
               {"scheme", placement.scheme()},
               {"digest", ToHex(placement.digest())},
               {"nodes", placement.node_count()}};
  if (const Ring* ring = placement.ring()) {
    json["epoch"] = NumberJson(ring->epoch());
  }
  return json;
}

// Beside a share, if they were asked for.
void AddGuesses(const PlanReport& report, HashCount hashes, Json& json) {
  if (report.bytes) json["bytes"] = NumberJson(report.BytesOf(hashes));
  if (report.rate) json["seconds"] = NumberJson(report.SecondsOf(hashes));
}

Json NodesJson(const MigrationPlan& plan) {
  Json nodes = Json::array();
  for (const NodeChange& node : plan.nodes()) {
    nodes.push_back({{"id", node.id},
                     {"in_before", node.is_in_before},
                     {"in_after", node.is_in_after},
                     {"before", FractionOf(node.before)},
                     {"after", FractionOf(node.after)},
                     {"gained", FractionOf(node.gained)},
                     {"lost", FractionOf(node.lost)},
                     {"gained_exact", ExactOf(node.gained)},
                     {"lost_exact", ExactOf(node.lost)},
                     {"ranges_in", node.moves_in},
                     {"ranges_out", node.moves_out}});
  }
  return nodes;
}

Json PairsJson(const PlanReport& report) {
  const MigrationPlan& plan = *report.change->plan;
  Json pairs = Json::array();
  for (const PairChange& pair : plan.ByPair()) {
    Json json = {{"from", IdOrNull(plan.IdOf(pair.from))},
                 {"to", IdOrNull(plan.IdOf(pair.to))},
                 {"share", FractionOf(pair.hashes)},
                 {"share_exact", ExactOf(pair.hashes)},
                 {"ranges", pair.moves}};
    AddGuesses(report, pair.hashes, json);
    pairs.push_back(std::move(json));
  }
  return pairs;
}

Json RangeJson(const PlanReport& report, uint32_t number) {
  const MigrationPlan& plan = *report.change->plan;
  const Move& move = plan.moves()[number];
  Json json = {{"move", number},
               {"begin", Hex(move.begin)},
               {"end", Hex(move.end)},
               {"from", IdOrNull(plan.IdOf(move.from))},
               {"from_replica", move.from_replica},
               {"to", IdOrNull(plan.IdOf(move.to))},
               {"to_replica", move.to_replica},
               {"share", FractionOf(move.width())},
               {"share_exact", ExactOf(move.width())}};
  if (report.change->keys) {
    json["keys"] = NumberJson(report.change->keys->by_move[number]);
  }
  AddGuesses(report, move.width(), json);
  if (report.progress != nullptr) {
    json["done"] = report.progress->IsDone(number);
  }
  return json;
}

Json RangesJson(const PlanReport& report) {
  Json ranges = Json::array();
  const auto count = static_cast<uint32_t>(report.change->plan->moves().size());
  for (uint32_t i = 0; i < count; ++i) ranges.push_back(RangeJson(report, i));
  return ranges;
}

Json FlowJson(const NodeFlow& flow) {
  return {{"id", IdOrNull(flow.id)}, {"share", FractionOf(flow.hashes)}};
}

Json StepsJson(const PlanReport& report) {
  Json steps = Json::array();
  for (const RollingStep& step : report.steps) {
    Json json = {{"added", step.added},
                 {"changed", step.changed},
                 {"removed", step.removed},
                 {"share_moved", FractionOf(step.moved)},
                 {"share_moved_exact", ExactOf(step.moved)},
                 {"most_in", FlowJson(step.most_in)},
                 {"most_out", FlowJson(step.most_out)}};
    AddGuesses(report, step.moved, json);
    steps.push_back(std::move(json));
  }
  return steps;
}

void AddKeys(const KeyMoves& keys, Json& json) {
  json["keys"] = NumberJson(keys.keys);
  json["keys_moved"] = NumberJson(keys.moved);
  Json pairs = Json::array();
  for (const auto& [ids, count] : keys.by_pair) {
    pairs.push_back({{"from", IdOrNull(ids.first)},
                     {"to", IdOrNull(ids.second)},
                     {"keys", NumberJson(count)}});
  }
  json["keys_by_pair"] = std::move(pairs);
}

void AddExact(const PlanReport& report, Json& json) {
  const MigrationPlan& plan = *report.change->plan;
  json["replicas"] = plan.replicas();
  json["width"] = plan.width();
  json["seed"] = NumberJson(plan.seed());
  json["key_hash"] = KeyHashName(plan.key_hash());
  json["share_moved"] = FractionOf(plan.moved());
  json["share_moved_exact"] = ExactOf(plan.moved());
  json["percent_moved"] = FractionOf(plan.moved()) * 100;
  json["share_reordered"] = FractionOf(plan.reordered());
  AddGuesses(report, plan.moved(), json);
}

void AddPlan(const PlanReport& report, Json& json) {
  const bool is_before = report.order == JoinOrder::kBeforeJoin;
  json["order"] = is_before ? "before-join" : "after-join";
  json["phases"] = PhasesOf(report.order);
  if (report.rate) json["rate"] = NumberJson(*report.rate);
  if (!report.steps.empty()) json["steps"] = StepsJson(report);
  if (report.progress != nullptr) {
    json["done"] = report.progress->done_count();
    json["share_done"] = FractionOf(report.progress->done());
  }
}

}  // namespace

std::vector<std::string> PhasesOf(JoinOrder order) {
  if (order == JoinOrder::kBeforeJoin) return {"copy", "switch", "drop"};
  return {"switch", "warm"};
}

uint64_t PlanReport::BytesOf(HashCount hashes) const {
  return static_cast<uint64_t>(
      std::ceil(FractionOf(hashes) * static_cast<double>(*bytes)));
}

uint64_t PlanReport::SecondsOf(HashCount hashes) const {
  return static_cast<uint64_t>(
      std::ceil(FractionOf(hashes) * static_cast<double>(*bytes) /
                static_cast<double>(*rate)));
}

namespace {

Json DocumentOf(const PlanReport& report) {
  const Change& change = *report.change;
  Json json = {{"schema", 1},
               {"picture", report.is_plan ? "plan" : "diff"},
               {"before", PlacementJson(change.before)},
               {"after", PlacementJson(change.after)}};
  if (change.plan) AddExact(report, json);
  if (report.is_plan) AddPlan(report, json);
  if (change.keys) AddKeys(*change.keys, json);
  if (change.plan) {
    json["by_node"] = NodesJson(*change.plan);
    json["by_pair"] = PairsJson(report);
    json["ranges"] = RangesJson(report);
  }
  return json;
}

// Who owns each of kSlices equal parts of the circle, by the place in
// plan.nodes(); null where nobody does. Slices are finer than the eye sees, so
// the owner of their middle stands for each.
Json SlicesJson(const Ring& ring, const MigrationPlan& plan) {
  constexpr uint64_t kSlices = 1440;
  std::map<std::string_view, size_t> places;
  for (const NodeChange& node : plan.nodes()) {
    places.emplace(node.id, places.size());
  }
  Json slices = Json::array();
  for (uint64_t i = 0; i < kSlices; ++i) {
    const auto middle =
        static_cast<uint64_t>(kWholeCircle * (2 * i + 1) / (2 * kSlices));
    const uint64_t hash = ring.width() == 32 ? middle >> 32 : middle;
    const NodeIndex owner = ring.Owner(hash);
    slices.push_back(owner == kNoNode ? Json()
                                      : Json(places.at(ring.node(owner).id)));
  }
  return slices;
}

}  // namespace

std::string ToJson(const PlanReport& report) {
  return DocumentOf(report).dump(2) + '\n';
}

std::string ToPicture(const PlanReport& report) {
  const Change& change = *report.change;
  Json json = DocumentOf(report);
  json["circle"] = {{"before", SlicesJson(*change.before.ring(), *change.plan)},
                    {"after", SlicesJson(*change.after.ring(), *change.plan)}};
  return json.dump();
}

}  // namespace clockwise::tool
