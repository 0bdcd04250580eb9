// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A snapshot as JSON.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "clockwise/metrics_snapshot.h"

namespace clockwise {
namespace {

using Json = nlohmann::ordered_json;

// Readers that keep doubles would round it.
Json NumberJson(uint64_t value) {
  if (value >> 53 != 0) return std::to_string(value);
  return value;
}

std::string HexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

void SetText(Json& json, const std::string& name, std::string_view bytes) {
  if (IsUtf8(bytes)) {
    json[name] = bytes;
  } else {
    json[name + "_hex"] = HexOf(bytes);
  }
}

Json LoadJson(const NodeMetrics::Load& load) {
  return {{"share", load.share},
          {"ratio", load.ratio},
          {"deviation", load.deviation},
          {"chance", load.verdict.chance},
          {"level", BalanceLevelName(load.verdict.level)},
          {"by_chance", load.verdict.is_by_chance}};
}

Json NodeJson(const NodeMetrics& node) {
  Json json = Json::object();
  SetText(json, "id", node.id);
  SetText(json, "zone", node.zone);
  json["weight"] = static_cast<double>(node.weight.thousandths()) / 1000;
  json["due"] = node.due.share;
  if (node.count) json["requests"] = NumberJson(*node.count);
  if (node.load) json["load"] = LoadJson(*node.load);
  if (node.health) {
    json["health"] = {
        {"state", HealthStateName(node.health->state)},
        {"level", static_cast<double>(node.health->level) / kFullLevel}};
  }
  if (node.in_flight) {
    json["in_flight"] = {{"requests", NumberJson(node.in_flight->requests)},
                         {"cap", NumberJson(node.in_flight->cap)}};
  }
  return json;
}

Json CountsJson(const Counts& counts) {
  Json json = {{"unowned", NumberJson(counts.unowned)},
               {"departed", NumberJson(counts.departed)},
               {"untracked", NumberJson(counts.untracked)},
               {"spilled", NumberJson(counts.spilled)},
               {"spills", NumberJson(counts.spills)}};
  for (size_t i = 0; i < kOutcomeCount; ++i) {
    const auto name = AcquireOutcomeName(static_cast<AcquireOutcome>(i));
    json["outcomes"][std::string(name)] = NumberJson(counts.outcomes[i]);
  }
  for (size_t i = 0; i < kDriftCount; ++i) {
    const auto name = DriftName(static_cast<Drift>(i));
    json["drifts"][std::string(name)] = NumberJson(counts.drifts[i]);
  }
  return json;
}

Json RouterJson(const RouterStats& stats) {
  Json json = {{"serving_epoch", NumberJson(stats.serving_epoch)},
               {"newest_epoch", NumberJson(stats.newest_epoch)},
               {"live", stats.live},
               {"published", NumberJson(stats.published)},
               {"held_back", NumberJson(stats.held_back)},
               {"replaced", NumberJson(stats.replaced)},
               {"unchanged", NumberJson(stats.unchanged)},
               {"refused", Json::object()}};
  for (size_t code = 1; code < kCodeCount; ++code) {
    const auto name = CodeName(static_cast<Code>(code));
    json["refused"][std::string(name)] = NumberJson(stats.refused[code]);
  }
  return json;
}

Json HealthJson(const HealthCounts& counts) {
  Json json = {{"panics", NumberJson(counts.panics)},
               {"changes", Json::array()}};
  for (size_t to = 0; to < kHealthStateCount; ++to) {
    for (size_t reason = 0; reason < kHealthReasonCount; ++reason) {
      const uint64_t count = counts.changes[to][reason];
      if (count == 0) continue;
      json["changes"].push_back(
          {{"state", HealthStateName(static_cast<HealthState>(to))},
           {"reason", HealthReasonName(static_cast<HealthReason>(reason))},
           {"count", NumberJson(count)}});
    }
  }
  return json;
}

Json HotKeysJson(const std::vector<HotKey>& keys) {
  Json json = Json::array();
  for (const HotKey& key : keys) {
    Json entry = Json::object();
    SetText(entry, "key", key.key);
    entry["size"] = key.size;
    entry["hash"] = ToHex(key.hash);
    entry["count"] = NumberJson(key.count);
    entry["error"] = NumberJson(key.error);
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace

std::string ToJson(const MetricsSnapshot& snapshot) {
  Json json = Json::object();
  SetText(json, "ring", snapshot.ring);
  SetText(json, "scheme", snapshot.scheme);
  json["epoch"] = NumberJson(snapshot.epoch);
  json["digest"] = ToHex(snapshot.digest);
  json["local"] = NumberJson(snapshot.local);
  json["base_digest"] = ToHex(snapshot.base_digest);
  json["nodes"] = Json::array();
  for (const NodeMetrics& node : snapshot.nodes) {
    json["nodes"].push_back(NodeJson(node));
  }
  if (snapshot.expected_peak) json["expected_peak"] = *snapshot.expected_peak;
  if (snapshot.counts) json["counts"] = CountsJson(*snapshot.counts);
  if (snapshot.in_flight) json["in_flight"] = NumberJson(*snapshot.in_flight);
  if (snapshot.router) json["router"] = RouterJson(*snapshot.router);
  if (snapshot.health) json["health"] = HealthJson(*snapshot.health);
  if (snapshot.hot_keys) json["hot_keys"] = HotKeysJson(*snapshot.hot_keys);
  return json.dump(2);
}

}  // namespace clockwise
