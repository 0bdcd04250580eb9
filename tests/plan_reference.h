// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What moves between two rings, found hash by hash: no arc, no merging.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "clockwise/plan.h"

namespace clockwise {

// A node that gets a hash from another: id and replica of each; "" and 0 where
// there is none. Ids are views of the rings or of the plan.
using Change =
    std::tuple<std::string_view, uint32_t, std::string_view, uint32_t>;
using Changes = std::vector<Change>;  // ascending
using Ids = std::vector<std::string_view>;

// The first `count` distinct nodes at or after `hash`, straight from the list
// of points.
inline Ids HoldersByScan(const Ring& ring, uint64_t hash, size_t count) {
  const uint64_t low = ring.width() == 32 ? 0xFFFFFFFF : 0;
  const size_t points = ring.point_count();
  size_t first = 0;
  while (first < points && (ring.PositionAt(first) | low) < hash) ++first;
  Ids ids;
  for (size_t i = 0; i < points && ids.size() < count; ++i) {
    const auto id = ring.node(ring.OwnerAt((first + i) % points)).id;
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  return ids;
}

// Those of `list` that are not in `other`, with their replica numbers.
inline std::vector<std::pair<std::string_view, uint32_t>> NotIn(
    const Ids& list, const Ids& other) {
  std::vector<std::pair<std::string_view, uint32_t>> only;
  for (uint32_t i = 0; i < list.size(); ++i) {
    if (std::find(other.begin(), other.end(), list[i]) == other.end()) {
      only.emplace_back(list[i], i + 1);
    }
  }
  return only;
}

inline Changes ChangesByScan(const Ring& before, const Ring& after,
                             uint64_t hash, size_t replicas) {
  const Ids a = HoldersByScan(before, hash, replicas);
  const Ids b = HoldersByScan(after, hash, replicas);
  auto gone = NotIn(a, b);
  auto came = NotIn(b, a);
  const size_t count = std::max(gone.size(), came.size());
  gone.resize(count);
  came.resize(count);
  Changes changes;
  for (size_t i = 0; i < count; ++i) {
    changes.emplace_back(gone[i].first, gone[i].second, came[i].first,
                         came[i].second);
  }
  std::sort(changes.begin(), changes.end());
  return changes;
}

inline Change ChangeOf(const MigrationPlan& plan, const Move& move) {
  return {plan.IdOf(move.from), move.from_replica, plan.IdOf(move.to),
          move.to_replica};
}

// Those of all moves that have the hash.
inline Changes ChangesByPlan(const MigrationPlan& plan, uint64_t hash) {
  const uint64_t unused = plan.width() == 32 ? 0xFFFFFFFF : 0;
  Changes changes;
  for (const Move& move : plan.moves()) {
    if (move.Contains(hash & ~unused)) changes.push_back(ChangeOf(plan, move));
  }
  std::sort(changes.begin(), changes.end());
  return changes;
}

// The last hashes that points of either ring own.
inline std::vector<uint64_t> EndsByScan(const Ring& before, const Ring& after) {
  std::set<uint64_t> ends;
  for (const Ring* ring : {&before, &after}) {
    const uint64_t low = ring->width() == 32 ? 0xFFFFFFFF : 0;
    for (size_t i = 0; i < ring->point_count(); ++i) {
      ends.insert(ring->PositionAt(i) | low);
    }
  }
  return {ends.begin(), ends.end()};
}

// Whether a hash is found by MoveOf in just the moves that have it.
inline void ExpectFound(const MigrationPlan& plan, uint64_t hash,
                        const Changes& changes) {
  for (uint32_t replica = 1; replica <= plan.replicas(); ++replica) {
    const uint32_t move = plan.MoveOf(hash, replica);
    const auto is_it = [&](const Change& c) {
      return std::get<3>(c) == replica;
    };
    const auto it = std::find_if(changes.begin(), changes.end(), is_it);
    ASSERT_EQ(move == kNoMove, it == changes.end()) << hash;
    if (move == kNoMove) continue;
    ASSERT_EQ(ChangeOf(plan, plan.moves()[move]), *it);
  }
}

// Nodes have what they had and gained, less what they lost; and all is held.
inline void ExpectBalanced(const MigrationPlan& plan, const Ring& before,
                           const Ring& after) {
  HashCount had = 0, has = 0;
  for (const NodeChange& node : plan.nodes()) {
    ASSERT_TRUE(node.before - node.lost + node.gained == node.after) << node.id;
    had += node.before;
    has += node.after;
  }
  const auto all = [&](const Ring& ring) {
    return kWholeCircle * HoldersByScan(ring, 0, plan.replicas()).size();
  };
  ASSERT_TRUE(had == all(before) && has == all(after));
}

// Moves that differ in their ranges alone do not touch: they would be one.
inline void ExpectMerged(const MigrationPlan& plan) {
  std::set<std::pair<uint64_t, Change>> begins;
  for (const Move& move : plan.moves()) {
    begins.emplace(move.begin, ChangeOf(plan, move));
  }
  for (const Move& move : plan.moves()) {
    if (move.begin == move.end) continue;
    ASSERT_FALSE(begins.contains({move.end, ChangeOf(plan, move)}));
  }
}

// Holds the plan against what each hash of the circle says. Returns how many
// arcs were looked at.
inline size_t ExpectPlanIsExact(const MigrationPlan& plan, const Ring& before,
                                const Ring& after) {
  const std::vector<uint64_t> ends = EndsByScan(before, after);
  HashCount moved = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const uint64_t begin = i == 0 ? ends.back() : ends[i - 1];
    const HashCount width =
        ends.size() == 1 ? kWholeCircle : HashCount{ends[i] - begin};
    const Changes changes =
        ChangesByScan(before, after, ends[i], plan.replicas());
    moved += width * changes.size();
    for (const uint64_t hash : {begin + 1, ends[i]}) {
      EXPECT_EQ(ChangesByPlan(plan, hash), changes) << hash;
      ExpectFound(plan, hash, changes);
    }
  }
  EXPECT_TRUE(moved == plan.moved());
  ExpectBalanced(plan, before, after);
  ExpectMerged(plan);
  return ends.size();
}

}  // namespace clockwise
