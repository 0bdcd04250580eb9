// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/replicas.h"

#include <algorithm>

#include "clockwise/ring.h"
#include "search/point_index.h"

namespace clockwise {
namespace {

constexpr uint32_t kMetBits = 1024;

template <typename F>
auto WithOwners(const detail::RingImage* image, F&& f) {
  return image->is_wide != 0 ? f(image->At<uint32_t>(image->owners_at))
                             : f(image->At<uint16_t>(image->owners_at));
}

// Few replicas: those found so far are the list of nodes met.
template <typename OwnerType>
size_t FewReplicas(const OwnerType* owners, size_t points, size_t first,
                   size_t count, NodeIndex* nodes) noexcept {
  size_t found = 0;
  size_t i = first;
  for (size_t walked = 0; walked < points && found < count; ++walked) {
    const NodeIndex node = owners[i];
    if (++i == points) i = 0;
    if (std::find(nodes, nodes + found, node) == nodes + found) {
      nodes[found++] = node;
    }
  }
  return found;
}

}  // namespace

bool DistinctWalk::TestAndSetMet(NodeIndex node) noexcept {
  uint64_t& word = met_[node % kMetBits / 64];
  const uint64_t bit = uint64_t{1} << node % 64;
  const bool was_set = (word & bit) != 0;
  word |= bit;
  return was_set;
}

template <typename OwnerType>
NodeIndex DistinctWalk::NextIn(const OwnerType* owners) noexcept {
  const size_t points = image_->points;
  const bool is_exact = image_->slots <= kMetBits;
  // The point walked `back` steps after the first.
  const auto at = [&](size_t steps) {
    const size_t i = first_ + steps;
    return owners[i < points ? i : i - points];
  };
  while (walked_ < points && met_count_ < image_->nodes) {
    const OwnerType node = at(walked_++);
    if (TestAndSetMet(node)) {
      if (is_exact) continue;
      size_t back = walked_ - 1;
      while (back > 0 && at(back - 1) != node) --back;
      if (back > 0) continue;
    }
    ++met_count_;
    return node;
  }
  return kNoNode;
}

NodeIndex DistinctWalk::Next() noexcept {
  return WithOwners(image_,
                    [this](const auto* owners) { return NextIn(owners); });
}

DistinctWalk RingView::Walk(uint64_t hash) const noexcept {
  return DistinctWalk(image_, PointAt(hash));
}

size_t RingView::Replicas(uint64_t hash, size_t count,
                          NodeIndex* nodes) const noexcept {
  constexpr size_t kFew = 16;
  count = std::min<size_t>(count, image_->nodes);
  if (count <= kFew) {
    return WithOwners(image_, [&](const auto* owners) {
      return FewReplicas(owners, image_->points, PointAt(hash), count, nodes);
    });
  }
  DistinctWalk walk = Walk(hash);
  for (size_t found = 0; found < count; ++found) nodes[found] = walk.Next();
  return count;
}

}  // namespace clockwise
