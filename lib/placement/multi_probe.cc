// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/multi_probe.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/ring_builder.h"
#include "placement/placed_nodes.h"

namespace clockwise {
namespace {

constexpr PlacementScheme kScheme = {.id = "multi-probe", .points = 1};

uint64_t Probe(uint64_t hash, uint64_t j) noexcept {
  return Fmix64(hash + j * 0x9E3779B97F4A7C15u);
}

// A ring whose slots are the nodes' numbers: it numbers by ascending id too.
Result<Ring> RingOf(std::span<const NodeView> nodes, const uint64_t* points,
                    BlockSource* source) {
  RingOptions options;
  options.scheme = kScheme.id;
  auto builder = RingBuilder::Create(std::move(options));
  if (!builder.ok()) return builder.status();
  for (size_t i = 0; i < nodes.size(); ++i) {
    Node node;
    node.id = nodes[i].id;
    Status status = builder.value().Add(node, {points + i, 1});
    if (!status.ok()) return status;
  }
  return builder.value().Build(/*epoch=*/0, source);
}

}  // namespace

Result<MultiProbe> MultiProbe::Build(std::span<const Node> nodes,
                                     const PlacementOptions& options,
                                     BlockSource* source) try {
  const auto listed = ListNodes(kScheme, options, nodes);
  if (!listed.ok()) return listed.status();
  const std::vector<NodeView>& views = listed.value();
  auto placed = PlacedNodesMaker::Make(kScheme, options, views, {}, source);
  if (!placed.ok()) return placed.status();
  Block points =
      Block::Acquire(source != nullptr ? *source : DefaultBlockSource(),
                     std::max<size_t>(views.size(), 1) * sizeof(uint64_t));
  if (points.data() == nullptr) {
    return Status(Code::kOutOfMemory,
                  Title(kScheme.id, options.name) + ": no memory for " +
                      std::to_string(views.size()) + " points");
  }
  auto* positions = static_cast<uint64_t*>(points.data());
  for (size_t i = 0; i < views.size(); ++i) {
    positions[i] = Xxh3_64(views[i].id, options.seed);
  }
  auto ring = RingOf(views, positions, source);
  if (!ring.ok()) return ring.status();
  return MultiProbe(std::move(placed).value(), std::move(ring).value(),
                    std::move(points));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

// `answer_of(j)` is probe j and the node that owns it on the ring. Nodes whose
// points are equal have equal distances, so the one that is shadowed is not
// missed.
template <typename AnswerOf>
NodeIndex MultiProbe::Nearest(AnswerOf answer_of) const noexcept {
  const auto* points = static_cast<const uint64_t*>(points_.data());
  auto [probe, nearest] = answer_of(0);
  uint64_t least = points[nearest] - probe;
  for (uint32_t j = 1; j < kProbes; ++j) {
    const auto [next_probe, node] = answer_of(j);
    const uint64_t distance = points[node] - next_probe;
    // Two choices, of which compilers make no branch: masks are slower.
    nearest = distance < least ? node : nearest;
    least = distance < least ? distance : least;
  }
  return nearest;
}

NodeIndex MultiProbe::Owner(uint64_t hash) const noexcept {
  if (node_count() == 0) return kNoNode;
  const auto by = [&](auto owner_of) {
    return Nearest([&](uint32_t j) {
      const uint64_t probe = Probe(hash, j);
      return std::pair<uint64_t, NodeIndex>(probe, owner_of(probe));
    });
  };
  if (const auto lines = ring_.line64()) {
    return by([&](uint64_t probe) { return lines->Owner(probe); });
  }
  return by([&](uint64_t probe) { return ring_.RingView::Owner(probe); });
}

void MultiProbe::Owners(const uint64_t* hashes, size_t count,
                        NodeIndex* owners) const noexcept {
  constexpr size_t kKeys = 24;
  if (node_count() == 0) {
    std::fill_n(owners, count, kNoNode);
    return;
  }
  uint64_t probes[kKeys * kProbes];
  NodeIndex found[kKeys * kProbes];
  for (size_t first = 0; first < count; first += kKeys) {
    const size_t some = std::min(kKeys, count - first);
    for (size_t i = 0; i < some; ++i) {
      for (uint32_t j = 0; j < kProbes; ++j) {
        probes[i * kProbes + j] = Probe(hashes[first + i], j);
      }
    }
    ring_.Owners(probes, some * kProbes, found);
    for (size_t i = 0; i < some; ++i) {
      owners[first + i] = Nearest([&](size_t j) {
        const size_t at = i * kProbes + j;
        return std::pair<uint64_t, NodeIndex>(probes[at], found[at]);
      });
    }
  }
}

}  // namespace clockwise
