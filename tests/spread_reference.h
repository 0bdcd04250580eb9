// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Replicas by topology as the rule is written, on labels and slow.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ring_maker.h"

namespace clockwise {

using IsOut = std::function<bool(NodeIndex)>;
using Labels = std::vector<std::string>;

// What is asked of the reference; zones are {region, zone}.
struct ReferenceQuery {
  size_t count = 0;
  std::map<Labels, size_t> quotas = {};
  IsOut is_out = [](NodeIndex) { return false; };
};

// Nodes clockwise from `hash`, by the ring's points alone.
inline std::vector<NodeIndex> ReferenceNodes(const Ring& ring, uint64_t hash,
                                             const IsOut& is_out) {
  std::vector<NodeIndex> nodes;
  size_t first = 0;
  while (first < ring.point_count() && ring.PositionAt(first) < hash) ++first;
  for (size_t i = 0; i < ring.point_count(); ++i) {
    const NodeIndex node = ring.OwnerAt((first + i) % ring.point_count());
    const bool is_met =
        std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    if (!is_met && !is_out(node)) nodes.push_back(node);
  }
  return nodes;
}

struct ReferenceAnswer {
  std::vector<NodeIndex> nodes;
  bool is_filled = false;  // from zones beyond the quotas
};

inline ReferenceAnswer ReferenceSpread(const Ring& ring, uint64_t hash,
                                       const ReferenceQuery& query) {
  std::vector<NodeIndex> left = ReferenceNodes(ring, hash, query.is_out);
  std::map<Labels, size_t> use;
  ReferenceAnswer answer;
  const auto zone_of = [&](NodeIndex n) {
    return Labels{std::string(ring.node(n).region),
                  std::string(ring.node(n).zone)};
  };
  const auto take = [&](bool is_limited) {
    size_t best = left.size();
    std::tuple<size_t, size_t, size_t> least;
    for (size_t i = 0; i < left.size(); ++i) {
      Labels zone = zone_of(left[i]);
      if (is_limited) {
        const auto quota = query.quotas.find(zone);
        if (quota == query.quotas.end() || use[zone] >= quota->second) continue;
      }
      Labels rack = zone;
      rack.emplace_back(ring.node(left[i]).rack);
      const std::tuple cost(use[{zone[0]}], use[zone], use[rack]);
      if (best == left.size() || cost < least) {
        best = i;
        least = cost;
      }
    }
    if (best == left.size()) return false;
    Labels place = zone_of(left[best]);
    ++use[{place[0]}];
    ++use[place];
    place.emplace_back(ring.node(left[best]).rack);
    ++use[place];
    answer.nodes.push_back(left[best]);
    left.erase(left.begin() + static_cast<ptrdiff_t>(best));
    return true;
  };
  bool is_limited = !query.quotas.empty();
  while (answer.nodes.size() < query.count) {
    if (take(is_limited)) {
      answer.is_filled |= !is_limited && !query.quotas.empty();
    } else if (!std::exchange(is_limited, false)) {
      break;
    }
  }
  return answer;
}

// How many pairs of labels of the nodes' first `labels` kinds there are:
// whether two share a region (1), a zone (2), a rack (3).
inline bool ReferenceShares(const Ring& ring,
                            const std::vector<NodeIndex>& nodes,
                            size_t labels) {
  std::map<Labels, int> met;
  for (NodeIndex node : nodes) {
    const NodeView view = ring.node(node);
    Labels place{std::string(view.region), std::string(view.zone),
                 std::string(view.rack)};
    place.resize(labels);
    if (met[place]++ > 0) return true;
  }
  return false;
}

inline SpreadIndex MakeIndex(const Ring& ring) {
  auto index = SpreadIndex::Build(ring);
  EXPECT_TRUE(index.ok()) << index.status().message();
  return std::move(index).value();
}

inline SpreadPlan MakePlan(const SpreadIndex& index, const Ring& ring,
                           const SpreadPolicy& policy) {
  auto plan = index.Plan(ring, policy);
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return std::move(plan).value();
}

// Replicas of one lookup.
struct Spread {
  SpreadAnswer answer;
  std::vector<NodeIndex> nodes;
};

// As asked without scratch where the count allows.
template <typename Exclude = NoExclusion>
Spread SpreadOf(const SpreadIndex& index, const Ring& ring, uint64_t hash,
                const SpreadPlan& plan, const Exclude& is_out = {},
                SpreadScratch* scratch = nullptr) {
  Spread spread;
  spread.nodes.resize(std::min(plan.count(), ring.slot_count()));
  spread.answer =
      index.Replicas(ring, hash, plan, spread.nodes, is_out, scratch);
  spread.nodes.resize(spread.answer.count);
  return spread;
}

}  // namespace clockwise
