// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a SpreadIndex holds. Regions, zones, racks and nodes are numbered so
// that those of one region, zone or rack follow each other.
#pragma once

#include <cstdint>

#include "clockwise/node.h"

namespace clockwise::detail {

inline constexpr uint32_t kNoPlace = 0xFFFFFFFFu;

// Where a slot's node stands; kNoPlace throughout if it has no points.
struct Place {
  uint32_t region = kNoPlace;
  uint32_t zone = kNoPlace;
  uint32_t rack = kNoPlace;
};

// How many replicas a zone is to have.
struct ZoneQuota {
  uint32_t zone;  // kNoPlace: one that has no nodes
  uint32_t count;
};

// 16 to the 7th is above 2^27 points.
inline constexpr int kMaxSpreadLevels = 7;
inline constexpr uint32_t kSpreadFan = 16;

struct SpreadTables {
  uint32_t points = 0, slots = 0;
  uint32_t nodes = 0;  // that have points
  uint32_t regions = 0, zones = 0, racks = 0;
  uint32_t levels = 0;

  const Place* places = nullptr;  // by slot
  // The first zone of each region, and where the last one ends; and so on.
  const uint32_t* zones_of = nullptr;
  const uint32_t* racks_of = nullptr;
  const uint32_t* nodes_of = nullptr;   // of a rack, in `by_place`
  const NodeIndex* by_place = nullptr;  // slots, in order of their places
  // before[0][i]: the index of the point of the same node before point i, plus
  // `points`; without them if that lies past the end of the circle. So a walk
  // that began at point s and has come to i meets its node for the first time
  // if that is below s + points, or, once past the last point, below s.
  // before[l + 1][i]: the least of before[l][16 i] to [16 i + 15]. Each ends
  // with at least one of 0xFFFFFFFF, and has a multiple of 16.
  const uint32_t* before[kMaxSpreadLevels] = {};
};

// A predicate of nodes, without its type; none if `ask` is null.
struct Exclusion {
  bool (*ask)(const void* context, NodeIndex node) noexcept = nullptr;
  const void* context = nullptr;
};

}  // namespace clockwise::detail
