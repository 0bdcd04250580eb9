// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A snapshot as a Prometheus page.
#include <array>
#include <string>
#include <string_view>

#include "clockwise/metrics_snapshot.h"
#include "control/exposition.h"
#include "control/node_families.h"

namespace clockwise {
namespace {

using Label = Exposition::Label;

std::string One(std::string_view name, std::string_view value) {
  return Exposition::Labels(std::array{Label{name, value}});
}

void WriteRing(Exposition& page, const MetricsSnapshot& snapshot) {
  page.Family("clockwise_ring_info", kGauge,
              "Always 1. The scheme and the digest of the ring that all hosts "
              "were given.");
  page.Sample(Exposition::Labels(
                  std::array{Label{"scheme", snapshot.scheme},
                             Label{"digest", ToHex(snapshot.base_digest)}}),
              uint64_t{1});
  page.Family("clockwise_ring_local", kGauge,
              "How often health changed the ring on this host alone, since its "
              "epoch.");
  page.Sample("", snapshot.local);
  page.Family("clockwise_ring_epoch", kGauge,
              "Epoch of the ring; 0: never published.");
  page.Sample("", snapshot.epoch);
}

void WriteCounts(Exposition& page, const Counts& counts) {
  page.Family("clockwise_other_requests_total", kCounter,
              "Requests that no node of the ring has: without an owner, of "
              "nodes that have left, of slots that are not tracked.");
  page.Sample(One("of", "unowned"), counts.unowned);
  page.Sample(One("of", "departed"), counts.departed);
  page.Sample(One("of", "untracked"), counts.untracked);
  page.Family("clockwise_bounded_requests_total", kCounter,
              "Requests under bounded loads, by outcome.");
  for (size_t i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<AcquireOutcome>(i);
    page.Sample(One("outcome", AcquireOutcomeName(outcome)),
                counts.outcomes[i]);
  }
  page.Family("clockwise_spilled_requests_total", kCounter,
              "Requests that a full node had turned away.");
  page.Sample("", counts.spilled);
  page.Family("clockwise_spills_total", kCounter,
              "Times that a full node turned a request away.");
  page.Sample("", counts.spills);
  page.Family("clockwise_peer_stamps_total", kCounter,
              "Stamps of peers, by what their ring is to this one.");
  for (size_t i = 0; i < kDriftCount; ++i) {
    page.Sample(One("drift", DriftName(static_cast<Drift>(i))),
                counts.drifts[i]);
  }
}

struct RouterFamily {
  std::string_view name, type, help;
  uint64_t RouterStats::*value;
};
constexpr RouterFamily kRouterFamilies[] = {
    {"clockwise_router_serving_epoch", kGauge,
     "Epoch of the ring that lookups read; 0: none yet.",
     &RouterStats::serving_epoch},
    {"clockwise_router_newest_epoch", kGauge,
     "Epoch of the ring that serves, or that waits to.",
     &RouterStats::newest_epoch},
    {"clockwise_router_published_total", kCounter, "Rings that came to serve.",
     &RouterStats::published},
    {"clockwise_router_held_back_total", kCounter,
     "Rings that waited for readers of older ones.", &RouterStats::held_back},
    {"clockwise_router_replaced_total", kCounter,
     "Rings that waited until a newer one came.", &RouterStats::replaced},
    {"clockwise_router_unchanged_total", kCounter,
     "Publishes of the ring that was there.", &RouterStats::unchanged},
};

void WriteRouter(Exposition& page, const RouterStats& stats) {
  for (const RouterFamily& family : kRouterFamilies) {
    page.Family(family.name, family.type, family.help);
    page.Sample("", stats.*family.value);
  }
  page.Family("clockwise_router_live_rings", kGauge,
              "Rings in memory, per copy.");
  page.Sample("", uint64_t{stats.live});
  page.Family("clockwise_router_refused_total", kCounter,
              "Publishes that were refused, by code.");
  for (size_t code = 1; code < kCodeCount; ++code) {
    page.Sample(One("code", CodeName(static_cast<Code>(code))),
                stats.refused[code]);
  }
}

void WriteHealth(Exposition& page, const HealthCounts& counts) {
  page.Family("clockwise_health_changes_total", kCounter,
              "Changes of nodes' states, by the state they came to and the "
              "reason; to ejected, and from it to returning.");
  for (size_t to = 0; to < kHealthStateCount; ++to) {
    for (size_t reason = 0; reason < kHealthReasonCount; ++reason) {
      page.Sample(
          Exposition::Labels(std::array{
              Label{"state", HealthStateName(static_cast<HealthState>(to))},
              Label{"reason",
                    HealthReasonName(static_cast<HealthReason>(reason))}}),
          counts.changes[to][reason]);
    }
  }
  page.Family("clockwise_health_panics_total", kCounter,
              "Evaluations that found too many nodes dead to eject any.");
  page.Sample("", counts.panics);
}

// By rank: a label of keys would be a series for each key that ever was hot.
void WriteHotKeys(Exposition& page, const std::vector<HotKey>& keys) {
  page.Family("clockwise_hot_key_requests", kGauge,
              "Counts of the hottest keys, by rank; upper bounds.");
  for (size_t i = 0; i < keys.size(); ++i) {
    page.Sample(One("rank", std::to_string(i + 1)), keys[i].count);
  }
  page.Family("clockwise_hot_key_error_requests", kGauge,
              "What these counts may be too high by.");
  for (size_t i = 0; i < keys.size(); ++i) {
    page.Sample(One("rank", std::to_string(i + 1)), keys[i].error);
  }
}

}  // namespace

std::string ToPrometheus(const MetricsSnapshot& snapshot) {
  Exposition page(std::array{Label{"ring", snapshot.ring}});
  WriteRing(page, snapshot);
  WriteNodeFamilies(page, snapshot);
  if (snapshot.expected_peak) {
    page.Family("clockwise_expected_peak_ratio", kGauge,
                "About the largest load ratio that chance alone explains.");
    page.Sample("", *snapshot.expected_peak);
  }
  if (snapshot.counts) WriteCounts(page, *snapshot.counts);
  if (snapshot.in_flight) {
    page.Family("clockwise_in_flight_requests", kGauge,
                "Requests in flight, those that arrive included.");
    page.Sample("", *snapshot.in_flight);
  }
  if (snapshot.router) WriteRouter(page, *snapshot.router);
  if (snapshot.health) WriteHealth(page, *snapshot.health);
  if (snapshot.hot_keys) WriteHotKeys(page, *snapshot.hot_keys);
  return std::move(page).Take();
}

}  // namespace clockwise
