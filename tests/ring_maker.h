// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Short ways to make rings in tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clockwise/clockwise.h"

namespace clockwise {

inline Node MakeNode(std::string id, Weight weight = Weight()) {
  Node node;
  node.id = std::move(id);
  node.weight = weight;
  return node;
}

inline RingBuilder MakeBuilder(RingOptions options,
                               const std::vector<Node>& nodes = {}) {
  auto builder = RingBuilder::Create(std::move(options));
  EXPECT_TRUE(builder.ok()) << builder.status().message();
  for (const Node& node : nodes) {
    const Status status = builder.value().Add(node);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  return std::move(builder).value();
}

inline Ring MakeRing(const RingBuilder& builder) {
  auto ring = builder.Build();
  EXPECT_TRUE(ring.ok()) << ring.status().message();
  return std::move(ring).value();
}

inline Ring MakeRing(RingOptions options, const std::vector<Node>& nodes) {
  return MakeRing(MakeBuilder(std::move(options), nodes));
}

// prefix + 0, prefix + 1, …
inline std::vector<Node> NumberedNodes(const std::string& prefix, int first,
                                       int count) {
  std::vector<Node> nodes;
  for (int i = first; i < first + count; ++i) {
    nodes.push_back(MakeNode(prefix + std::to_string(i)));
  }
  return nodes;
}

// A ring of explicit points, given as (left-aligned position, id).
inline Ring MakePointRing(
    uint32_t width, std::optional<Layout> layout,
    const std::vector<std::pair<uint64_t, std::string>>& points) {
  std::map<std::string, std::vector<uint64_t>> by_id;
  for (const auto& [position, id] : points) by_id[id].push_back(position);
  RingOptions options;
  options.scheme = "points";
  options.width = width;
  options.layout = layout;
  RingBuilder builder = MakeBuilder(options);
  for (const auto& [id, positions] : by_id) {
    const Status status = builder.Add(MakeNode(id), positions);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  return MakeRing(builder);
}

inline RingOptions WithVnodes(uint32_t vnodes) {
  RingOptions options;
  options.vnodes = vnodes;
  return options;
}

inline std::string_view OwnerId(const Ring& ring, std::string_view key) {
  return ring.node(ring.Owner(key)).id;
}

// "key-0" … : the key set K100k of the case files for count 100,000.
inline std::vector<std::string> Keys(const std::string& prefix, int first,
                                     int count) {
  std::vector<std::string> keys;
  for (int i = first; i < first + count; ++i) {
    keys.push_back(prefix + std::to_string(i));
  }
  return keys;
}

}  // namespace clockwise
