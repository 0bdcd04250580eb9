// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/metrics_snapshot.h"

#include <unordered_map>
#include <utility>

namespace clockwise {
namespace {

// Takes the count of each node of the ring, and what is recent of it, from
// `all`; the others' counts are departed.
std::vector<uint64_t> TakeCounts(Counts& all, std::vector<NodeMetrics>& nodes) {
  std::unordered_map<std::string_view, size_t> places;
  for (size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes[i].id, i);
  std::vector<uint64_t> recent(nodes.size(), 0);
  for (const NodeCount& node : all.nodes) {
    const auto place = places.find(node.id);
    if (place == places.end()) {
      all.departed = detail::AddSaturating(all.departed, node.count);
      continue;
    }
    nodes[place->second].count = node.count;
    recent[place->second] = node.recent;
  }
  return recent;
}

size_t CountPlaced(const std::vector<Due>& dues) {
  return static_cast<size_t>(std::ranges::count_if(
      dues, [](const Due& due) { return due.is_placed; }));
}

}  // namespace

void HealthCounts::Add(const HealthReport& report) noexcept {
  if (report.is_panic) panics = detail::AddSaturating(panics, 1);
  for (const HealthEvent& event : report.events) {
    const auto to = static_cast<size_t>(event.to);
    const auto reason = static_cast<size_t>(event.reason);
    uint64_t& count = changes.at(to).at(reason);
    count = detail::AddSaturating(count, 1);
  }
}

MetricsSnapshot MetricsSnapshot::Of(const Ring& ring) {
  MetricsSnapshot snapshot;
  snapshot.ring = ring.name();
  snapshot.scheme = ring.scheme();
  snapshot.epoch = ring.epoch();
  snapshot.digest = ring.digest();
  snapshot.local = ring.local();
  snapshot.base_digest = ring.base_digest();
  const std::vector<Due> dues = DuesOf(ring);
  for (NodeIndex slot : ring.slots_by_id()) {
    const NodeView node = ring.node(slot);
    NodeMetrics& metrics = snapshot.nodes.emplace_back();
    metrics.id = node.id;
    metrics.zone = node.zone;
    metrics.slot = slot;
    metrics.weight = node.weight;
    metrics.due = dues[slot];
  }
  return snapshot;
}

void MetricsSnapshot::AddCounts(Counts all) {
  const std::vector<uint64_t> recent = TakeCounts(all, nodes);
  counts = std::move(all);
  std::vector<Due> dues;
  for (const NodeMetrics& node : nodes) dues.push_back(node.due);
  const size_t placed = CountPlaced(dues);
  const bool has_any =
      std::ranges::any_of(recent, [](uint64_t count) { return count > 0; });
  if (counts->digest != digest || placed == 0 || !has_any) return;
  const Balance balance = BalanceOf(dues, recent);
  expected_peak = balance.expected_peak;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!dues[i].is_placed) continue;
    const double ratio = balance.ratios[i];
    const double deviation = balance.deviations[i];
    nodes[i].load = {balance.shares[i], ratio, deviation,
                     Judge(ratio, deviation, placed)};
  }
}

void MetricsSnapshot::AddHealth(const HealthTracker& tracker) {
  for (NodeMetrics& node : nodes) {
    if (!node.due.is_placed) continue;
    node.health = {tracker.StateOf(node.slot), tracker.LevelOf(node.slot)};
  }
}

void MetricsSnapshot::AddLoads(const BoundedLoad& bounded,
                               const LoadTable& loads) {
  const uint64_t total = loads.total();
  in_flight = total;
  for (NodeMetrics& node : nodes) {
    const uint64_t cap =
        bounded.Cap(node.slot, detail::AddSaturating(total, 1));
    if (cap > 0) node.in_flight = {loads.load(node.slot), cap};
  }
}

}  // namespace clockwise
