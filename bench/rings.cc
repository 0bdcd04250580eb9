// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "rings.h"

#include <cstdio>
#include <span>
#include <vector>

#include "keys.h"

namespace clockwise::bench {

std::string NodeId(uint32_t number) {
  char id[16];
  std::snprintf(id, sizeof id, "node-%05u", number);
  return id;
}

Node NodeNumber(uint32_t number) {
  Node node;
  node.id = NodeId(number);
  return node;
}

RingOptions Options(uint32_t width, Layout layout, uint64_t seed) {
  RingOptions options;
  options.name = "bench";
  options.vnodes = kVnodes;
  options.width = width;
  options.seed = seed;
  options.layout = layout;
  return options;
}

RingBuilder BuilderOf(RingOptions options, uint32_t nodes) {
  RingBuilder builder = Take(RingBuilder::Create(std::move(options)));
  for (uint32_t i = 0; i < nodes; ++i) {
    const Status status = builder.Add(NodeNumber(i));
    Require(status.ok(), status.message());
  }
  return builder;
}

Ring UniformRing(uint32_t width, uint32_t points, Layout layout,
                 uint64_t seed) {
  return Take(
      BuilderOf(Options(width, layout, seed), points / kVnodes).Build());
}

Ring HostileRing(uint32_t width, uint32_t points, Layout layout) {
  RingOptions options = Options(width, layout);
  options.scheme = "hostile";
  RingBuilder builder = Take(RingBuilder::Create(std::move(options)));
  const uint64_t kept = width == 32 ? ~uint64_t{0xFFFFFFFF} : ~uint64_t{0};
  auto positions = HashesWithin(kClusterBegin, kClusterArc, points, 7);
  Random random(8);
  for (size_t i = 0; i < points; ++i) {
    if (i % 10 == 0) positions[i] = random();
    positions[i] &= kept;
  }
  for (uint32_t i = 0; i < points / kVnodes; ++i) {
    const Status status = builder.Add(
        NodeNumber(i), std::span(positions).subspan(i * kVnodes, kVnodes));
    Require(status.ok(), status.message());
  }
  return Take(builder.Build());
}

}  // namespace clockwise::bench
