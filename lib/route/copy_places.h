// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Where the copies of a ring lie: one place per NUMA node.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "clockwise/block_source.h"
#include "clockwise/topology.h"

namespace clockwise {

// Never changes once made; any thread may ask it.
class CopyPlaces {
 public:
  struct Place {
    NumaNode node;
    // Null: the node's copy cannot be placed; its readers share another.
    std::unique_ptr<BlockSource> source;
  };

  // One place, wherever the builder put the ring.
  CopyPlaces() = default;
  // A place each, at least one.
  explicit CopyPlaces(std::vector<Place> places);
  // Those of this machine; one place where it has one NUMA node, or none.
  static CopyPlaces OfThisMachine();

  // At least 1.
  [[nodiscard]] uint32_t size() const noexcept { return size_; }
  // Null where copy `i` has no memory of its own, as with one place.
  [[nodiscard]] BlockSource* SourceOf(uint32_t i) const noexcept {
    return places_.empty() ? nullptr : places_[i].source.get();
  }
  [[nodiscard]] std::optional<uint32_t> CopyOnNode(unsigned os_index) const;
  // The copy near the CPU that the calling thread runs on, 0 if none is.
  [[nodiscard]] uint32_t CopyNearby() const noexcept;

 private:
  uint32_t size_ = 1;
  std::vector<Place> places_;        // empty: one place
  std::vector<uint32_t> copy_near_;  // by CPU
};

}  // namespace clockwise
