// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings of cores, built as any other ring.
#include "clockwise/steer.h"

#include <cstdio>
#include <utility>

#include "clockwise/ring_builder.h"

namespace clockwise {
namespace {

Status CheckOptions(const SteerOptions& options) {
  if (options.cores < 1 || options.cores > kMaxCores) {
    return {Code::kInvalidOptions, "cores " + std::to_string(options.cores) +
                                       "; 1 to " + std::to_string(kMaxCores)};
  }
  const size_t weights = options.weights.size();
  if (weights != 0 && weights != options.cores) {
    return {Code::kInvalidOptions, std::to_string(weights) + " weights for " +
                                       std::to_string(options.cores) +
                                       " cores; one each, or none"};
  }
  return {};
}

RingOptions ToRingOptions(const SteerOptions& options) {
  RingOptions ring;
  ring.vnodes = options.vnodes;
  ring.width = options.width;
  ring.seed = options.seed;
  ring.key_hash = options.key_hash;
  return ring;
}

Result<Ring> BuildWithPoints(const RingBuilder& builder, uint64_t epoch,
                             BlockSource* source) {
  Result<Ring> ring = builder.Build(epoch, source);
  if (ring.ok() && ring.value().point_count() == 0) {
    return Status(Code::kBadWeight, "no core would have a weight above 0");
  }
  return ring;
}

}  // namespace

std::string CoreId(uint32_t core) {
  // As many digits as the highest core has, so that ids ascend as numbers do
  // and builders, which number nodes by id, give a core its own number.
  static_assert(kMaxCores <= 100'000);
  char id[16];
  std::snprintf(id, sizeof(id), "core-%05u", core);
  return id;
}

Result<Ring> BuildSteering(const SteerOptions& options, uint64_t epoch,
                           BlockSource* source) {
  if (Status status = CheckOptions(options); !status.ok()) return status;
  Result<RingBuilder> builder = RingBuilder::Create(ToRingOptions(options));
  if (!builder.ok()) return builder.status();
  for (uint32_t core = 0; core < options.cores; ++core) {
    Node node;
    node.id = CoreId(core);
    if (!options.weights.empty()) node.weight = options.weights[core];
    if (Status status = builder.value().Add(node); !status.ok()) return status;
  }
  return BuildWithPoints(builder.value(), epoch, source);
}

Result<Ring> SetCoreWeight(const Ring& ring, uint32_t core, Weight weight,
                           uint64_t epoch, BlockSource* source) {
  const std::string id = CoreId(core);
  RingBuilder builder = RingBuilder::From(ring);
  if (!builder.Contains(id)) {
    return Status(Code::kUnknownNode, "no core " + std::to_string(core) + " (" +
                                          id + ") in this ring");
  }
  if (Status status = builder.SetWeight(id, weight); !status.ok()) {
    return status;
  }
  return BuildWithPoints(builder, epoch, source);
}

Result<Ring> DrainCore(const Ring& ring, uint32_t core, uint64_t epoch,
                       BlockSource* source) {
  return SetCoreWeight(ring, core, Weight::Whole(0), epoch, source);
}

}  // namespace clockwise
