// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "control/wanted_ring.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "clockwise/ring_builder.h"
#include "placement/build.h"

namespace clockwise {
namespace {

// Whether a change of `serving` gives what a full build gives.
bool IsChangeable(const Ring& serving, const RingOptions& options) {
  const RingOptions had = OptionsOf(serving);
  return options.scheme == kNativeScheme && had.scheme == kNativeScheme &&
         had.name == options.name && had.vnodes == options.vnodes &&
         had.width == options.width && had.seed == options.seed &&
         had.key_hash == options.key_hash && had.layout == options.layout &&
         had.max_points == options.max_points;
}

Status Change(const Ring& serving, const Members& wanted,
              RingBuilder& builder) {
  std::set<std::string_view> ids;
  for (const Node& node : wanted.nodes) {
    ids.insert(node.id);
    const Status status =
        builder.Contains(node.id) ? builder.Update(node) : builder.Add(node);
    if (!status.ok()) return status;
  }
  for (NodeIndex slot : serving.slots_by_id()) {
    const std::string_view id = serving.node(slot).id;
    if (ids.count(id) != 0) continue;
    if (Status status = builder.Remove(id); !status.ok()) return status;
  }
  return {};
}

Weight AtLevel(Weight weight, HealthLevel level) {
  if (level == 0 || weight.thousandths() == 0) return Weight::Whole(0);
  return Weight::Thousandths(
      std::max<uint64_t>(weight.thousandths() * level / kFullLevel, 1));
}

HealthLevel LevelOf(const HealthTracker* health, NodeIndex slot) {
  return health != nullptr ? health->LevelOf(slot) : kFullLevel;
}

}  // namespace

Result<Ring> BuildWanted(const Members& wanted, uint64_t epoch,
                         const Ring* serving) {
  if (serving == nullptr || !IsChangeable(*serving, wanted.options)) {
    Result<Ring> ring = BuildRing(wanted);
    if (!ring.ok() || epoch == ring.value().epoch()) return ring;
    return ring.value().Copy(epoch);
  }
  RingBuilder builder = RingBuilder::From(*serving);
  if (Status refused = Change(*serving, wanted, builder); !refused.ok()) {
    return refused;
  }
  return builder.Build(epoch);
}

bool IsReduced(const Ring& wanted, const HealthTracker* health) {
  const auto slots = wanted.slots_by_id();
  return std::any_of(slots.begin(), slots.end(), [&](NodeIndex slot) {
    return wanted.node(slot).points != 0 && LevelOf(health, slot) != kFullLevel;
  });
}

Result<Ring> BuildReduced(const Ring& wanted, const HealthTracker* health,
                          uint64_t local) {
  RingBuilder builder = RingBuilder::From(wanted);
  for (NodeIndex slot : wanted.slots_by_id()) {
    const NodeView node = wanted.node(slot);
    const Weight weight = AtLevel(node.weight, LevelOf(health, slot));
    if (weight == node.weight) continue;
    const Status status = builder.SetWeight(node.id, weight);
    if (!status.ok()) return status;
  }
  return builder.BuildLocal(wanted, local);
}

}  // namespace clockwise
