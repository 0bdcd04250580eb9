// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <new>
#include <random>
#include <string>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/compat_attempts.h"
#include "clockwise/scheme.h"
#include "compat/fields.h"
#include "compat/scheme.h"

namespace clockwise {
namespace {

Status RefuseFactor(uint32_t factor, const std::string& limits) {
  return {Code::kInvalidOptions,
          "balance factor " + std::to_string(factor) + " %; " + limits};
}

Status RefuseScheme(const Members& members, const std::string& wanted) {
  return {Code::kInvalidOptions, "scheme '" + members.options.scheme +
                                     "' has no bounded load; " + wanted +
                                     " has"};
}

// Requests that may be in flight with one more, times the factor.
uint64_t Allowed(const InFlight& in_flight, uint32_t factor) noexcept {
  return ((in_flight.total + 1) * factor + 99) / 100;
}

}  // namespace

Result<HaproxyBoundedLoad> HaproxyBoundedLoad::Build(const Members& members,
                                                     uint32_t factor) try {
  if (members.options.scheme != "haproxy-consistent") {
    return RefuseScheme(members, "haproxy-consistent");
  }
  if (factor <= 100 || factor > 65536) {
    return RefuseFactor(factor, "101 to 65536");
  }
  auto placement = BuildPlacement(members);
  if (!placement.ok()) return placement.status();
  HaproxyBoundedLoad built(std::move(placement).value(), factor);
  const auto points = compat_internal::HaproxyPoints(members);
  if (!points.ok()) return points.status();
  built.capacities_.resize(members.nodes.size());
  // By the numbers of nodes; the sums run in the order of the list.
  uint64_t before = 0;
  std::vector<NodeIndex> numbers;
  for (const Node& node : members.nodes) {
    const NodeIndex number = built.placement_.Find(node.id);
    const uint64_t weight = 16 * (node.weight.thousandths() / 1000);
    built.capacities_[number] = {weight, before};
    before += weight;
    numbers.push_back(number);
  }
  built.total_weight_ = before;
  for (const compat_internal::PeerPoint& point :
       points.value().SortedPoints()) {
    built.points_.push_back(
        {static_cast<uint32_t>(point.position >> 32), numbers[point.node]});
  }
  return built;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

// Shares are cut so that all of them together are what is allowed.
bool HaproxyBoundedLoad::IsFree(NodeIndex node,
                                const InFlight& in_flight) const noexcept {
  const uint64_t allowed = Allowed(in_flight, factor_);
  const uint64_t whole = allowed / total_weight_;
  const uint64_t rest = allowed % total_weight_;
  const auto [weight, before] = capacities_[node];
  const uint64_t slots = weight * whole +
                         (before + weight) * rest / total_weight_ -
                         before * rest / total_weight_;
  return in_flight.of_node[node] < std::max<uint64_t>(slots, 1);
}

NodeIndex HaproxyBoundedLoad::Pick(std::string_view key,
                                   const InFlight& in_flight) const noexcept {
  const uint64_t hash = placement_.HashOf(key);
  const NodeIndex owner = placement_.Owner(hash);
  if (owner == kNoNode || IsFree(owner, in_flight)) return owner;
  const auto at = static_cast<uint32_t>(hash >> 32);
  const auto next = std::lower_bound(
      points_.begin(), points_.end(), at,
      [](const Point& p, uint32_t position) { return p.position < position; });
  const size_t ahead =
      next == points_.end() ? 0 : static_cast<size_t>(next - points_.begin());
  const size_t behind = ahead > 0 ? ahead - 1 : points_.size() - 1;
  const uint32_t back = at - points_[behind].position;
  const uint32_t forward = points_[ahead].position - at;
  size_t point = back <= forward ? behind : ahead;
  // One that is free there is, since the factor is above 100; unless the caller
  // counts wrong, when one turn ends it.
  for (size_t i = 0; i < points_.size(); ++i) {
    if (IsFree(points_[point].node, in_flight)) return points_[point].node;
    if (++point == points_.size()) point = 0;
  }
  return owner;
}

Result<EnvoyBoundedLoad> EnvoyBoundedLoad::Build(const Members& members,
                                                 uint32_t factor) try {
  if (members.options.scheme != "envoy-ring-hash" &&
      members.options.scheme != "envoy-maglev") {
    return RefuseScheme(members, "envoy-ring-hash or envoy-maglev");
  }
  if (factor < 100) return RefuseFactor(factor, "100 or more");
  auto placement = BuildPlacement(members);
  if (!placement.ok()) return placement.status();
  EnvoyBoundedLoad built(std::move(placement).value(), factor);
  const auto shares = compat_internal::EnvoyShares(members);
  if (!shares.ok()) return shares.status();
  built.shares_.resize(members.nodes.size());
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    if (!(shares.value()[i] > 0)) continue;
    const NodeIndex node = built.placement_.Find(members.nodes[i].id);
    built.hosts_.push_back({node, shares.value()[i]});
    built.shares_[node] = shares.value()[i];
  }
  return built;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

double EnvoyBoundedLoad::Overload(NodeIndex node, double share,
                                  const InFlight& in_flight) const noexcept {
  const auto allowed = static_cast<uint32_t>(Allowed(in_flight, factor_));
  const auto slots = std::max(
      static_cast<uint32_t>(std::ceil(static_cast<double>(allowed) * share)),
      1u);
  return static_cast<double>(in_flight.of_node[node]) / slots;
}

NodeIndex EnvoyBoundedLoad::Pick(std::string_view key,
                                 const InFlight& in_flight,
                                 uint64_t attempt) const {
  const uint64_t hash = placement_.HashOf(key);
  const NodeIndex host = EnvoyAttempt(placement_, hash, attempt);
  if (host == kNoNode) return host;
  double least = Overload(host, shares_[host], in_flight);
  if (least <= 1) return host;
  NodeIndex least_loaded = host;
  std::vector<Host> left = hosts_;
  std::mt19937 random(static_cast<uint32_t>(hash));
  const auto draw = [&random](uint64_t below) {
    uint64_t drawn = below;
    while (drawn >= below) drawn = random() / ((uint64_t{1} << 32) / below);
    return drawn;
  };
  for (size_t i = 0; i < left.size(); ++i) {
    std::swap(left[i], left[i + draw(left.size() - i)]);
    if (left[i].node == host) continue;
    const double load = Overload(left[i].node, left[i].share, in_flight);
    if (load <= 1) return left[i].node;
    if (load < least) least = load, least_loaded = left[i].node;
  }
  return least_loaded;
}

}  // namespace clockwise
