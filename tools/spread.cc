// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "failure.h"

namespace clockwise::tool {
namespace {

Failure Misuse(std::string message) {
  return Failure(Exit::kMisuse, std::move(message));
}

// "eu/a" or, where a single region has the zone, "a"; then perhaps "/r1".
Locality ParseNear(const Ring& ring, const std::string& text) {
  const size_t slash = text.find('/');
  if (slash != std::string::npos) {
    Locality place{text.substr(0, slash), text.substr(slash + 1), ""};
    if (const size_t next = place.zone.find('/'); next != std::string::npos) {
      place.rack = place.zone.substr(next + 1);
      place.zone.resize(next);
    }
    for (NodeIndex slot : ring.slots_by_id()) {
      if (ring.node(slot).region == place.region) return place;
    }
    throw Failure(Exit::kRefused,
                  fmt::format("--near: no node in region '{}'", place.region));
  }
  std::optional<Locality> found;
  for (NodeIndex slot : ring.slots_by_id()) {
    const NodeView node = ring.node(slot);
    if (node.zone != text) continue;
    if (found && found->region != node.region) {
      throw Failure(
          Exit::kRefused,
          fmt::format(
              "--near: regions '{}' and '{}' have a zone '{}'; name the "
              "region as well, as in REGION/ZONE",
              found->region, node.region, text));
    }
    found = Locality{std::string(node.region), text, ""};
  }
  if (found) return *found;
  throw Failure(Exit::kRefused,
                fmt::format("--near: no node in zone '{}'", text));
}

const Ring* RingOf(const AnyPlacement& placement) {
  if (placement.ring() != nullptr) return placement.ring();
  throw Misuse(
      fmt::format("--spread: scheme {} is no ring", placement.scheme()));
}

SpreadPolicy PolicyOf(const SpreadArgs& args,
                      std::optional<uint64_t> replicas) {
  SpreadPolicy policy;
  policy.is_strict = args.is_strict;
  if (!args.zone_counts) {
    // Where none is wanted the owner still is.
    policy.count = static_cast<uint32_t>(
        std::clamp<uint64_t>(replicas.value_or(1), 1, 0xFFFFFFFFu));
    return policy;
  }
  auto counts = ParseZoneCounts(*args.zone_counts);
  if (!counts.ok()) {
    throw Misuse("--zone-counts: " + counts.status().message());
  }
  policy.zone_counts = std::move(counts).value();
  uint64_t sum = 0;
  for (const ZoneCount& zone : policy.zone_counts) sum += zone.count;
  if (replicas && *replicas != sum) {
    throw Misuse(fmt::format("--replicas {}: --zone-counts are {} in all",
                             *replicas, sum));
  }
  return policy;
}

}  // namespace

void AddSpreadOptions(CLI::App& app, SpreadArgs& args) {
  AddFlag(app, "--spread", args.is_asked,
          "Replicas by topology: each in the region, zone and rack "
          "that has the fewest of them");
  AddOption(app, "--zone-counts", args.zone_counts,
            "With --spread: so many replicas in each of these zones, none "
            "in others while they can have them; as in a=2,b=1 or "
            "eu/a=2,us/a=1")
      .Type("ZONE=N,...")
      .Needs("--spread");
}

void AddSpreadAnswerOptions(CLI::App& app, SpreadArgs& args) {
  AddOption(app, "--near", args.near,
            "With --spread: list the same replicas nearest to this place "
            "first, to read from")
      .Type("[REGION/]ZONE")
      .Needs("--spread");
  AddFlag(app, "--strict", args.is_strict,
          "With --spread: no answer, like no owner, where replicas are "
          "short, share a zone or miss their zone counts")
      .Needs("--spread");
}

Spreader::Spreader(const AnyPlacement& placement, const SpreadArgs& args,
                   std::optional<uint64_t> replicas, const SlotSet& excluded)
    : ring_(RingOf(placement)), excluded_(excluded) {
  SpreadPolicy policy = PolicyOf(args, replicas);
  index_ = ValueOf(SpreadIndex::Build(*ring_));
  plan_ = ValueOf(index_->Plan(*ring_, policy));
  wanted_ = args.zone_counts ? plan_->count() : replicas.value_or(1);
  if (args.near) {
    policy.near = ParseNear(*ring_, *args.near);
    near_plan_ = ValueOf(index_->Plan(*ring_, policy));
  }
  nodes_.resize(std::min(plan_->count(), ring_->slot_count()));
  if (plan_->count() > kMaxSpread) {
    scratch_ = ValueOf(SpreadScratch::Create(ring_->slot_count()));
  }
}

SpreadAnswer Spreader::Ask(uint64_t hash, const SpreadPlan& plan) {
  return index_->Replicas(
      *ring_, hash, plan, nodes_,
      [this](NodeIndex node) { return excluded_.Contains(node); },
      scratch_ ? &*scratch_ : nullptr);
}

Spreader::Found Spreader::Find(uint64_t hash) {
  const SpreadAnswer answer = Ask(hash, *plan_);
  Found found{{nodes_.data(), answer.count}, kNoNode, answer.is_relaxed};
  if (answer.count == 0) return found;
  found.owner = nodes_[0];
  if (near_plan_) Ask(hash, *near_plan_);
  return found;
}

}  // namespace clockwise::tool
