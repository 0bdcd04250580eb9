// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "control/node_families.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clockwise {
namespace {

using Label = Exposition::Label;

class NodeFamilies {
 public:
  NodeFamilies(Exposition& page, const MetricsSnapshot& snapshot)
      : page_(page), nodes_(snapshot.nodes) {
    for (const NodeMetrics& node : nodes_) {
      labels_.push_back(Exposition::Labels(
          std::array{Label{"node", node.id}, Label{"zone", node.zone}}));
    }
  }

  // Of the nodes that have this part: what `value_of` says of it.
  template <typename T, typename ValueOf>
  void Write(std::string_view name, std::string_view type,
             std::string_view help, std::optional<T> NodeMetrics::*part,
             const ValueOf& value_of) {
    page_.Family(name, type, help);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const std::optional<T>& of = nodes_[i].*part;
      if (of) page_.Sample(labels_[i], value_of(*of));
    }
  }

  // Of all nodes.
  template <typename ValueOf>
  void Write(std::string_view name, std::string_view help,
             const ValueOf& value_of) {
    page_.Family(name, kGauge, help);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      page_.Sample(labels_[i], value_of(nodes_[i]));
    }
  }

 private:
  Exposition& page_;
  const std::vector<NodeMetrics>& nodes_;
  std::vector<std::string> labels_;
};

void WriteLoads(NodeFamilies& families) {
  using Load = NodeMetrics::Load;
  const auto write = [&](std::string_view name, std::string_view help,
                         const auto& value_of) {
    families.Write(name, kGauge, help, &NodeMetrics::load, value_of);
  };
  write("clockwise_node_share_ratio",
        "Share of all requests since the ring changed, of 1.",
        [](const Load& load) { return load.share; });
  write("clockwise_node_load_ratio",
        "That share over the share that the weight is due.",
        [](const Load& load) { return load.ratio; });
  write("clockwise_node_load_deviation_ratio",
        "Standard deviation of the load ratio by chance alone: of where points "
        "fell on the circle, and so few requests.",
        [](const Load& load) { return load.deviation; });
  write("clockwise_node_load_chance_ratio",
        "Bound on the probability that by chance any node has this load.",
        [](const Load& load) { return load.verdict.chance; });
  write("clockwise_node_load_level",
        "0: fair, or explained by chance; 1: 1.3 times the due or more; 2: 1.5 "
        "times or more.",
        [](const Load& load) {
          return static_cast<uint64_t>(load.verdict.level);
        });
}

}  // namespace

void WriteNodeFamilies(Exposition& page, const MetricsSnapshot& snapshot) {
  using Health = NodeMetrics::Health;
  using InFlight = NodeMetrics::InFlight;
  NodeFamilies families(page, snapshot);
  families.Write("clockwise_node_weight", "Weight of the node; 0: drained.",
                 [](const NodeMetrics& node) {
                   return static_cast<double>(node.weight.thousandths()) / 1000;
                 });
  families.Write("clockwise_node_due_ratio",
                 "Share of all requests that the weight is due, of 1.",
                 [](const NodeMetrics& node) { return node.due.share; });
  families.Write("clockwise_node_requests_total", kCounter,
                 "Requests that were routed to the node.", &NodeMetrics::count,
                 [](uint64_t count) { return count; });
  WriteLoads(families);
  families.Write("clockwise_node_health_state", kGauge,
                 "0: healthy, 1: half-drained, 2: ejected, 3: returning, 4: "
                 "joining.",
                 &NodeMetrics::health, [](const Health& health) {
                   return static_cast<uint64_t>(health.state);
                 });
  families.Write("clockwise_node_health_level_ratio", kGauge,
                 "What the node gets of its weight, of 1.",
                 &NodeMetrics::health, [](const Health& health) {
                   return static_cast<double>(health.level) / kFullLevel;
                 });
  families.Write("clockwise_node_in_flight_requests", kGauge,
                 "Requests that the node has in flight.",
                 &NodeMetrics::in_flight,
                 [](const InFlight& flight) { return flight.requests; });
  families.Write("clockwise_node_in_flight_cap_requests", kGauge,
                 "Requests that the node may have with the next one.",
                 &NodeMetrics::in_flight,
                 [](const InFlight& flight) { return flight.cap; });
}

}  // namespace clockwise
