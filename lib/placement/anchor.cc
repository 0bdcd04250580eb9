// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/anchor.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "base/out_of_memory.h"
#include "placement/anchor_buckets.h"
#include "placement/placed_nodes.h"

namespace clockwise {
namespace {

constexpr PlacementScheme kScheme = {
    .id = "anchor", .is_listed = true, .keeps_drained = true};

Status CheckAnchor(const AnchorOptions& options, size_t nodes) {
  const std::string capacity = std::to_string(options.capacity);
  if (options.capacity < 1 || options.capacity > kMaxNodes) {
    return RefuseOptions(
        kScheme, options,
        "capacity " + capacity + "; 1 to " + std::to_string(kMaxNodes));
  }
  if (nodes > options.capacity) {
    return {Code::kTooManyNodes, Title(kScheme.id, options.name) + ": " +
                                     std::to_string(nodes) +
                                     " nodes; the capacity is " + capacity};
  }
  std::vector<bool> is_removed(nodes);
  for (uint32_t bucket : options.removed) {
    const std::string named = "removed names bucket " + std::to_string(bucket);
    if (bucket >= nodes) {
      return RefuseOptions(
          kScheme, options,
          named + "; the list has " + std::to_string(nodes) + " nodes");
    }
    if (is_removed[bucket]) {
      return RefuseOptions(kScheme, options, named + " twice");
    }
    is_removed[bucket] = true;
  }
  return {};
}

// All removals in order. Gives removed nodes weight 0, as drained ones have.
std::vector<uint32_t> Removals(const AnchorOptions& options,
                               std::vector<NodeView>& nodes) {
  std::vector<uint32_t> removed = options.removed;
  for (uint32_t bucket : removed) {
    nodes[bucket].weight = Weight::Thousandths(1000);
  }
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].weight.thousandths() == 0) removed.push_back(i);
  }
  for (uint32_t bucket : removed) {
    nodes[bucket].weight = Weight::Thousandths(0);
  }
  return removed;
}

// For the digest. Removing the last of the list first is the same as never
// having had it.
std::string RemovedText(const std::vector<uint32_t>& removed, size_t nodes) {
  size_t first = 0;
  while (first < removed.size() && removed[first] + 1 == nodes - first) ++first;
  std::string text;
  for (size_t i = first; i < removed.size(); ++i) {
    if (!text.empty()) text += ',';
    text += std::to_string(removed[i]);
  }
  return text;
}

std::vector<Anchor::Bucket> BucketsOf(uint32_t capacity, uint32_t nodes,
                                      const std::vector<uint32_t>& removed) {
  // The tables have no word for an anchor without a bucket; nobody asks it.
  if (removed.size() == nodes) return std::vector<Anchor::Bucket>(capacity);
  AnchorBuckets buckets(capacity, nodes);
  for (uint32_t bucket : removed) buckets.Remove(bucket);
  return buckets.buckets();
}

}  // namespace

AnchorBuckets::AnchorBuckets(uint32_t capacity, uint32_t working)
    : buckets_(capacity),
      working_(capacity),
      places_(capacity),
      count_(working) {
  std::iota(working_.begin(), working_.end(), uint32_t{0});
  std::iota(places_.begin(), places_.end(), uint32_t{0});
  for (uint32_t b = 0; b < capacity; ++b) buckets_[b] = {0, b};
  for (uint32_t b = capacity; b-- > working;) {
    removed_.push_back(b);
    buckets_[b].left = b;
  }
}

uint32_t AnchorBuckets::Add() {
  const uint32_t b = removed_.back();
  removed_.pop_back();
  buckets_[b].left = 0;
  places_[working_[count_]] = count_;
  working_[places_[b]] = b;
  buckets_[b].successor = b;
  ++count_;
  return b;
}

void AnchorBuckets::Remove(uint32_t b) {
  removed_.push_back(b);
  --count_;
  const uint32_t last = working_[count_];
  buckets_[b] = {count_, last};
  working_[places_[b]] = last;
  places_[last] = places_[b];
}

Result<Anchor> Anchor::Build(std::span<const Node> nodes,
                             const AnchorOptions& options,
                             BlockSource* source) try {
  auto listed = ListNodes(kScheme, options, nodes);
  if (!listed.ok()) return listed.status();
  std::vector<NodeView>& views = listed.value();
  if (Status s = CheckAnchor(options, views.size()); !s.ok()) return s;
  const auto removed = Removals(options, views);
  const auto count = static_cast<uint32_t>(views.size());
  const SchemeParameter parameters[] = {
      {"capacity", std::to_string(options.capacity)},
      {"removed", RemovedText(removed, count)}};
  auto placed =
      PlacedNodesMaker::Make(kScheme, options, views, parameters, source);
  if (!placed.ok()) return placed.status();
  const auto buckets = BucketsOf(options.capacity, count, removed);
  Block block =
      Block::Acquire(source != nullptr ? *source : DefaultBlockSource(),
                     buckets.size() * sizeof(Bucket));
  if (block.data() == nullptr) {
    return Status(Code::kOutOfMemory,
                  Title(kScheme.id, options.name) + ": no memory for " +
                      std::to_string(options.capacity) + " buckets");
  }
  std::copy(buckets.begin(), buckets.end(), static_cast<Bucket*>(block.data()));
  return Anchor(std::move(placed).value(), std::move(block), options.capacity,
                count - static_cast<uint32_t>(removed.size()));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void Anchor::Owners(const uint64_t* hashes, size_t count,
                    NodeIndex* owners) const noexcept {
  for (size_t i = 0; i < count; ++i) owners[i] = Owner(hashes[i]);
}

}  // namespace clockwise
