// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Policies: read from text, and made ready for a ring.
#include <algorithm>
#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "base/parse_unsigned.h"
#include "clockwise/spread.h"

namespace clockwise {
namespace {

using detail::kNoPlace;
using detail::Place;
using detail::SpreadTables;
using detail::ZoneQuota;

Status Refused(std::string message) {
  return Status(Code::kInvalidOptions, std::move(message));
}

std::string Title(const ZoneCount& zone) {
  return "zone '" + (zone.region ? *zone.region + "/" : "") + zone.zone + "'";
}

Status CheckCount(const ZoneCount& zone) {
  if (zone.count >= 1 && zone.count <= kMaxNodes) return {};
  return Refused(Title(zone) + ": a count of " + std::to_string(zone.count) +
                 ", not 1 to " + std::to_string(kMaxNodes));
}

bool IsSame(const ZoneCount& a, const ZoneCount& b) {
  return a.zone == b.zone && a.region == b.region;
}

// "eu/a=2".
Result<ZoneCount> ParseZoneCount(std::string_view text) {
  const size_t equals = text.rfind('=');
  const auto count = equals == std::string_view::npos
                         ? std::nullopt
                         : ParseUnsigned(text.substr(equals + 1));
  if (!count) {
    return Refused("'" + std::string(text) +
                   "' is not a zone and its count, as in a=2 or eu/a=2");
  }
  ZoneCount zone;
  std::string_view label = text.substr(0, equals);
  if (label.find('=') != std::string_view::npos) {
    return Refused("'" + std::string(text) + "' has two '='");
  }
  if (const size_t slash = label.find('/'); slash != std::string_view::npos) {
    zone.region.emplace(label.substr(0, slash));
    label.remove_prefix(slash + 1);
  }
  if (label.find('/') != std::string_view::npos) {
    return Refused("'" + std::string(text) + "' has two '/'");
  }
  zone.zone = label;
  zone.count = static_cast<uint32_t>(
      std::min<uint64_t>(*count, uint64_t{kMaxNodes} + 1));
  if (Status status = CheckCount(zone); !status.ok()) return status;
  return zone;
}

// A zone of the ring, as one of its nodes has it.
NodeView NodeIn(const Ring& ring, const SpreadTables& t, uint32_t zone) {
  return ring.node(t.by_place[t.nodes_of[t.racks_of[zone]]]);
}

Result<uint32_t> FindZone(const Ring& ring, const SpreadTables& t,
                          const ZoneCount& wanted) {
  uint32_t found = kNoPlace;
  for (uint32_t zone = 0; zone < t.zones; ++zone) {
    const NodeView node = NodeIn(ring, t, zone);
    if (node.zone != wanted.zone) continue;
    if (wanted.region && node.region != *wanted.region) continue;
    if (found != kNoPlace) {
      return Refused(Title(wanted) + ": regions '" +
                     std::string(NodeIn(ring, t, found).region) + "' and '" +
                     std::string(node.region) +
                     "' have one; name the region as well");
    }
    found = zone;
  }
  return found;
}

// Where a reader stands; kNoPlace from the first label on that no node has.
Place PlaceOf(const Ring& ring, const SpreadTables& t, const Locality& labels) {
  Place place;
  for (NodeIndex slot : std::span(t.by_place, t.nodes)) {
    const NodeView node = ring.node(slot);
    if (node.region != labels.region) continue;
    place.region = t.places[slot].region;
    if (node.zone != labels.zone) continue;
    place.zone = t.places[slot].zone;
    if (node.rack == labels.rack) place.rack = t.places[slot].rack;
  }
  return place;
}

}  // namespace

Result<std::vector<ZoneCount>> ParseZoneCounts(std::string_view text) {
  std::vector<ZoneCount> zones;
  while (true) {
    const size_t comma = text.find(',');
    auto zone = ParseZoneCount(text.substr(0, comma));
    if (!zone.ok()) return zone.status();
    for (const ZoneCount& other : zones) {
      if (IsSame(other, zone.value())) {
        return Refused(Title(other) + " is given twice");
      }
    }
    zones.push_back(std::move(zone).value());
    if (comma == std::string_view::npos) return zones;
    text.remove_prefix(comma + 1);
  }
}

Result<SpreadPlan> SpreadIndex::Plan(const Ring& ring,
                                     const SpreadPolicy& policy) const try {
  if (ring.point_count() != tables_.points ||
      ring.slot_count() != tables_.slots) {
    return Refused("the index was built from another ring");
  }
  SpreadPlan plan;
  uint64_t sum = 0;
  for (size_t i = 0; i < policy.zone_counts.size(); ++i) {
    const ZoneCount& wanted = policy.zone_counts[i];
    if (Status status = CheckCount(wanted); !status.ok()) return status;
    const auto zone = FindZone(ring, tables_, wanted);
    if (!zone.ok()) return zone.status();
    for (size_t j = 0; j < i; ++j) {
      const uint32_t other = plan.quotas_[j].zone;
      if (IsSame(policy.zone_counts[j], wanted) ||
          (other == zone.value() && other != kNoPlace)) {
        return Refused(Title(wanted) + " is given twice");
      }
    }
    plan.quotas_.push_back({zone.value(), wanted.count});
    sum += wanted.count;
  }
  if (!plan.quotas_.empty() && policy.count != 0 && policy.count != sum) {
    return Refused("zone counts of " + std::to_string(sum) + " in all, but " +
                   std::to_string(policy.count) + " replicas");
  }
  if (sum > 0xFFFFFFFFu) return Refused("zone counts above 2^32 in all");
  plan.count_ =
      plan.quotas_.empty() ? policy.count : static_cast<uint32_t>(sum);
  plan.apart_ = policy.apart;
  plan.is_strict_ = policy.is_strict;
  plan.is_near_ = policy.near.has_value();
  if (plan.is_near_) plan.near_ = PlaceOf(ring, tables_, *policy.near);
  return plan;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
