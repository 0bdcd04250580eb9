// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/warnings.h"

#include <map>
#include <numeric>

#include "compat/fields.h"
#include "compat/scheme.h"
#include "compat/schemes/ketama.h"

namespace clockwise::compat_internal {
namespace {

std::string Quoted(const Node& node) { return "node '" + node.id + '\''; }

std::string WeightText(const Node& node) {
  const auto text = ParamOf(node.params, "weight");
  return "weight " + (text ? std::string(*text) : node.weight.ToString());
}

// Of a table of owners asked by hash mod size, who owns one of `hashes` of its
// first hashes.
std::vector<bool> OwnersOf(const AnyPlacement& built, uint64_t hashes) {
  std::vector<bool> owns(built.slot_count(), false);
  for (uint64_t hash = 0; hash < hashes; ++hash) {
    const NodeIndex owner = built.Owner(hash << (64 - built.width()));
    if (owner != kNoNode) owns[owner] = true;
  }
  return owns;
}

void WarnOfNoKeys(const Members& members, const AnyPlacement& built,
                  const std::vector<bool>& owns, const std::string& why,
                  Warnings& warnings) {
  for (const Node& node : members.nodes) {
    if (node.weight.thousandths() == 0 || owns[built.Find(node.id)]) continue;
    warnings.push_back(Quoted(node) + ": " + WeightText(node) + ", but " + why +
                       ": no key reaches it");
  }
}

}  // namespace

void WarnOfRing(const Members& members, const AnyPlacement& built,
                const PeerRing& points, Warnings& warnings) {
  std::vector<bool> owns(built.slot_count());
  for (NodeIndex slot = 0; slot < built.slot_count(); ++slot) {
    owns[slot] = built.node(slot).points > 0;
  }
  WarnOfNoKeys(members, built, owns, "gets no points", warnings);
  const uint64_t collisions = points.CountCollisions();
  if (collisions == 0) return;
  warnings.push_back(std::to_string(collisions) +
                     (collisions == 1 ? " point lies" : " points lie") +
                     " on another node's; the scheme's rule for ties decides");
}

void WarnOfFloats(const Members& members, Warnings& warnings) {
  const auto read = WholeWeights(members, UINT32_MAX);
  if (!read.ok()) return;
  const std::vector<uint32_t>& weights = read.value();
  const uint64_t sum = SumOf(weights);
  for (size_t i = 0; i < weights.size() && sum > 0; ++i) {
    const uint64_t counted = FloatGroups(weights[i], sum, weights.size());
    const uint64_t exact = 40 * weights.size() * uint64_t{weights[i]} / sum;
    if (counted == exact) continue;
    warnings.push_back(Quoted(members.nodes[i]) + ": floats give it " +
                       std::to_string(4 * counted) + " points, not the " +
                       std::to_string(4 * exact) + " of its exact share");
  }
}

void WarnOfPuids(const Members& members, Warnings& warnings) {
  if (ParamOf(members.options.params, "hash_key").value_or("id") != "id") {
    return;
  }
  constexpr uint64_t kCounted = uint64_t{1} << 20;
  const auto puids = HaproxyPuids(members.nodes);
  if (!puids.ok()) return;
  std::map<uint64_t, size_t> seen;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const uint32_t puid = puids.value()[i];
    const auto [there, is_new] = seen.emplace(puid % kCounted, i);
    if (is_new) continue;
    warnings.push_back(Quoted(members.nodes[i]) + ": its id " +
                       std::to_string(puid) + " equals that of '" +
                       members.nodes[there->second].id +
                       "' modulo 2^20: they share their points");
  }
}

void WarnOfNoSlots(const Members& members, const AnyPlacement& built,
                   Warnings& warnings) {
  const uint64_t slots =
      NumberParam(members, "table_size", 65537, 0, UINT64_MAX).value();
  WarnOfNoKeys(members, built, OwnersOf(built, slots),
               "has no slot of the table", warnings);
}

void WarnOfZeroWeights(const Members& members, const AnyPlacement& /*built*/,
                       Warnings& warnings) {
  for (const Node& node : members.nodes) {
    const auto weight = ExactWeight(node);
    if (!weight.ok() || weight.value() > 0) continue;
    warnings.push_back(Quoted(node) +
                       ": weight 0 does not drain it: keys still reach it");
  }
}

void WarnOfIgnoredWeights(const Members& members, const AnyPlacement& /*built*/,
                          Warnings& warnings) {
  for (const Node& node : members.nodes) {
    if (node.weight == Weight()) continue;
    warnings.push_back(Quoted(node) + ": " + WeightText(node) +
                       " is ignored: it is placed as if it were 1");
  }
}

void WarnOfShortHash(const Members& members, const AnyPlacement& built,
                     Warnings& warnings) {
  constexpr uint64_t kHashes = uint64_t{1} << 15;
  WarnOfNoKeys(members, built, OwnersOf(built, kHashes),
               "lies beyond the 32768 values of the hash", warnings);
}

void WarnOfUnassigned(const Members& /*members*/, const AnyPlacement& built,
                      Warnings& warnings) {
  uint32_t unassigned = 0;
  for (uint64_t slot = 0; slot < 16384; ++slot) {
    if (built.Owner(slot << 32) == kNoNode) ++unassigned;
  }
  if (unassigned == 0) return;
  warnings.push_back(std::to_string(unassigned) +
                     (unassigned == 1 ? " slot has" : " slots have") +
                     " no master: those keys have no owner");
}

}  // namespace clockwise::compat_internal
