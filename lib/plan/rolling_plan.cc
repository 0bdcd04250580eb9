// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/rolling_plan.h"

#include <algorithm>
#include <map>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "base/out_of_memory.h"

namespace clockwise {
namespace {

// The name of a field of the ring in which the options differ; null if none.
const char* Difference(const RingOptions& a, const RingOptions& b) {
  if (a.name != b.name) return "name";
  if (a.scheme != b.scheme) return "scheme";
  if (a.vnodes != b.vnodes) return "vnodes";
  if (a.width != b.width) return "width";
  if (a.seed != b.seed) return "seed";
  if (a.key_hash != b.key_hash) return "key_hash";
  if (a.params != b.params) return "params";
  return a.ties != b.ties ? "ties" : nullptr;
}

Status Check(const Members& before, const Members& after,
             const RollingOptions& options) {
  if (options.at_a_time == 0) {
    return {Code::kInvalidOptions, "at_a_time 0; 1 or more"};
  }
  if (options.replicas < 1 || options.replicas > kMaxPlanReplicas) {
    return {Code::kInvalidOptions,
            "replicas " + std::to_string(options.replicas) + "; 1 to " +
                std::to_string(kMaxPlanReplicas)};
  }
  if (const char* what = Difference(before.options, after.options)) {
    return {Code::kInvalidOptions, std::string("the members differ in ") +
                                       what + ": steps change nodes alone"};
  }
  return {};
}

using NodesById = std::map<std::string_view, const Node*>;

NodesById ById(const Members& members) {
  NodesById nodes;
  for (const Node& node : members.nodes) nodes[node.id] = &node;
  return nodes;
}

// A node that comes, changes or goes: what it was, what it is to be.
struct Change {
  const Node* was;
  const Node* is;
};

std::vector<Change> ChangesBetween(const Members& before,
                                   const Members& after) {
  const NodesById were = ById(before);
  const NodesById are = ById(after);
  std::vector<Change> added, changed, removed;
  for (const auto& [id, node] : are) {
    const auto was = were.find(id);
    if (was == were.end()) {
      added.push_back({nullptr, node});
    } else if (*was->second != *node) {
      changed.push_back({was->second, node});
    }
  }
  for (const auto& [id, node] : were) {
    if (!are.contains(id)) removed.push_back({node, nullptr});
  }
  added.insert(added.end(), changed.begin(), changed.end());
  added.insert(added.end(), removed.begin(), removed.end());
  return added;
}

void Apply(const Change& change, RollingStep& step) {
  std::vector<Node>& nodes = step.members.nodes;
  if (change.was == nullptr) {
    step.added.push_back(change.is->id);
    nodes.push_back(*change.is);
    return;
  }
  const auto place = std::ranges::find(nodes, change.was->id, &Node::id);
  if (change.is == nullptr) {
    step.removed.push_back(change.was->id);
    nodes.erase(place);
  } else {
    step.changed.push_back(change.is->id);
    *place = *change.is;
  }
}

void TakeIfMore(NodeFlow& flow, const NodeChange& node, HashCount hashes) {
  if (hashes > flow.hashes) flow = {node.id, hashes};
}

Status Measure(const Ring& before, const Ring& after, uint32_t replicas,
               RollingStep& step) {
  const auto plan = MigrationPlan::Create(before, after, {replicas});
  if (!plan.ok()) return plan.status();
  step.moved = plan.value().moved();
  for (const NodeChange& node : plan.value().nodes()) {
    TakeIfMore(step.most_in, node, node.gained);
    TakeIfMore(step.most_out, node, node.lost);
  }
  return {};
}

}  // namespace

Result<std::vector<RollingStep>> PlanRolling(
    const Members& before, const Members& after,
    const RollingOptions& options) try {
  if (Status status = Check(before, after, options); !status.ok()) {
    return status;
  }
  Result<Ring> last = BuildRing(before);
  if (!last.ok()) return last.status();
  const std::vector<Change> changes = ChangesBetween(before, after);
  std::vector<RollingStep> steps;
  Members members = before;
  members.epoch = 0;
  for (size_t i = 0; i < changes.size();) {
    RollingStep step;
    step.members = std::move(members);
    const size_t end =
        i + std::min<size_t>(options.at_a_time, changes.size() - i);
    for (; i < end; ++i) Apply(changes[i], step);
    members = step.members;
    // The order of the list may belong to the placement.
    if (i == changes.size()) step.members = after;
    Result<Ring> next = BuildRing(step.members);
    if (!next.ok()) return next.status();
    Status status = Measure(last.value(), next.value(), options.replicas, step);
    if (!status.ok()) return status;
    last = std::move(next);
    steps.push_back(std::move(step));
  }
  return steps;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
