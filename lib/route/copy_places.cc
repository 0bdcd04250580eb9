// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "route/copy_places.h"

#include <sched.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace clockwise {

CopyPlaces::CopyPlaces(std::vector<Place> places)
    : size_(static_cast<uint32_t>(places.size())), places_(std::move(places)) {
  std::vector<uint32_t> by_cpus(size_);
  std::iota(by_cpus.begin(), by_cpus.end(), 0u);
  std::stable_sort(by_cpus.begin(), by_cpus.end(), [&](uint32_t a, uint32_t b) {
    return places_[a].node.cpus.size() < places_[b].node.cpus.size();
  });
  // The fewest CPUs last, so that a node's own memory comes before memory that
  // is as far from every CPU.
  for (auto i = by_cpus.rbegin(); i != by_cpus.rend(); ++i) {
    for (unsigned cpu : places_[*i].node.cpus) {
      copy_near_.resize(std::max<size_t>(copy_near_.size(), cpu + 1));
      copy_near_[cpu] = *i;
    }
  }
}

CopyPlaces CopyPlaces::OfThisMachine() {
  std::vector<NumaNode> nodes = NumaNodes();
  if (nodes.size() < 2) return CopyPlaces();
  std::vector<Place> places;
  for (NumaNode& node : nodes) {
    auto source = CreateNumaBlockSource(node.os_index);
    places.push_back(
        {std::move(node), source.ok() ? std::move(source).value() : nullptr});
  }
  return CopyPlaces(std::move(places));
}

std::optional<uint32_t> CopyPlaces::CopyOnNode(unsigned os_index) const {
  for (uint32_t i = 0; i < places_.size(); ++i) {
    if (places_[i].node.os_index == os_index) return i;
  }
  return std::nullopt;
}

uint32_t CopyPlaces::CopyNearby() const noexcept {
  if (places_.empty()) return 0;
  const int cpu = sched_getcpu();
  if (cpu < 0 || static_cast<size_t>(cpu) >= copy_near_.size()) return 0;
  return copy_near_[static_cast<size_t>(cpu)];
}

}  // namespace clockwise
