// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The tables of AnchorHash while buckets come and go: the paper's algorithm 3,
// in its names.
#pragma once

#include <cstdint>
#include <vector>

#include "clockwise/anchor.h"

namespace clockwise {

class AnchorBuckets {
 public:
  // Buckets 0 to working - 1 work, of `capacity`; 1 at least.
  AnchorBuckets(uint32_t capacity, uint32_t working);

  // Takes back the bucket that was removed last, and returns it. There is one.
  uint32_t Add();
  // Removes a bucket that works and is not the last one.
  void Remove(uint32_t bucket);

  [[nodiscard]] const std::vector<Anchor::Bucket>& buckets() const noexcept {
    return buckets_;
  }

 private:
  std::vector<Anchor::Bucket> buckets_;  // A and K
  std::vector<uint32_t> removed_;        // R, the last one at the back
  std::vector<uint32_t> working_;        // W: those that work are the first N
  std::vector<uint32_t> places_;         // L: where in W a bucket is
  uint32_t count_;                       // N
};

}  // namespace clockwise
