// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What one publish stores a pointer to: a ring, and its copy for each NUMA
// node. Immutable once published, so that a reader never meets one copy of one
// epoch and another of the next.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "clockwise/block_source.h"
#include "clockwise/router.h"
#include "route/copy_places.h"
#include "route/reclaimer.h"

namespace clockwise {

// The order in which rings of a router follow one another.
struct RingAge {
  uint64_t epoch = 0;
  uint64_t local = 0;

  friend auto operator<=>(const RingAge&, const RingAge&) = default;
};

class RingSet final : public Retired {
 public:
  // What to do once no reader holds a retired set; it takes the set.
  using OnFree = void (*)(RingSet*) noexcept;

  // A set without a ring, to be given one: all that may lack memory. May throw
  // std::bad_alloc.
  explicit RingSet(std::shared_ptr<const CopyPlaces> places);

  // Takes the ring, under `epoch`, and copies its image to each place. Where a
  // place has no memory its readers share the first copy. Cannot fail.
  void Fill(Ring&& ring, uint64_t epoch,
            std::shared_ptr<const void> companion) noexcept;

  [[nodiscard]] const Ring& ring() const noexcept { return ring_[0]; }
  [[nodiscard]] uint64_t epoch() const noexcept { return epoch_; }
  [[nodiscard]] RingAge age() const noexcept {
    return {epoch_, ring().local()};
  }
  // What readers are given: an array of PublishedRing, 64 bytes each.
  [[nodiscard]] const std::byte* copies() const noexcept;
  // The set that such an array belongs to.
  [[nodiscard]] static RingSet* Of(const std::byte* copies) noexcept;
  // Copies that could not be placed where they belong.
  [[nodiscard]] const std::vector<uint32_t>& misplaced() const noexcept {
    return misplaced_;
  }

  void Free() noexcept override { on_free(this); }

  OnFree on_free = nullptr;
  std::shared_ptr<void> router;  // what on_free needs
  uint64_t number = 0;           // of publishes, as readers saw them

 private:
  void CopyTo(uint32_t i) noexcept;
  void ShowCopy(uint32_t i, const detail::RingImage* image) noexcept;

  std::shared_ptr<const CopyPlaces> places_;
  Block copies_;  // a cache line for the address of this, PublishedRing[size]
  std::vector<Block> images_;
  std::vector<uint32_t> misplaced_;
  std::vector<Ring> ring_;  // one, once filled
  std::shared_ptr<const void> companion_;
  uint64_t epoch_ = 0;
};

}  // namespace clockwise
