// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How unevenly a stream of requests loads the nodes of a ring, with bounded
// loads and without.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "clockwise/bounded_load.h"
#include "clockwise/load_table.h"
#include "clockwise/ring.h"

namespace clockwise::bench {

struct Skew {
  double mean_peak = 0;   // the largest load to the mean load, over time
  double worst_peak = 0;  // and the worst moment's
  double spilled = 0;     // share of the requests that their owner did not get
};

// Of the requests in order, `in_flight` at once: each of the first ones arrives
// by itself, then one when the oldest ends. Peaks are those of full time, when
// every so many requests have arrived. `place(hash, i)` places a request in the
// stead of number i, which ends before, and returns its node.
template <typename Place>
Skew SkewOf(const RingView& ring, const std::vector<uint64_t>& hashes,
            size_t in_flight, size_t nodes, Place place) {
  std::vector<uint64_t> loads(ring.slot_count());
  std::vector<NodeIndex> placed(in_flight, kNoNode);
  const size_t between = std::max<size_t>(in_flight / 16, 1);
  const double mean =
      static_cast<double>(in_flight) / static_cast<double>(nodes);
  Skew skew;
  size_t spilled = 0, looks = 0;
  for (size_t i = 0; i < hashes.size(); ++i) {
    NodeIndex& node = placed[i % in_flight];
    if (node != kNoNode) --loads[node];
    node = place(hashes[i], i % in_flight);
    ++loads[node];
    spilled += node != ring.Owner(hashes[i]);
    if (i < in_flight || i % between != 0) continue;
    const double peak =
        static_cast<double>(*std::max_element(loads.begin(), loads.end())) /
        mean;
    skew.worst_peak = std::max(skew.worst_peak, peak);
    skew.mean_peak += peak;
    ++looks;
  }
  skew.mean_peak /= static_cast<double>(looks);
  skew.spilled =
      static_cast<double>(spilled) / static_cast<double>(hashes.size());
  return skew;
}

inline Skew PlainSkew(const RingView& ring, const std::vector<uint64_t>& hashes,
                      size_t in_flight, size_t nodes) {
  return SkewOf(ring, hashes, in_flight, nodes,
                [&](uint64_t hash, size_t) { return ring.Owner(hash); });
}

inline Skew BoundedSkew(const RingView& ring, const BoundedLoad& bounded,
                        const std::vector<uint64_t>& hashes, size_t in_flight,
                        size_t nodes) {
  std::vector<Ticket> tickets(in_flight);
  return SkewOf(ring, hashes, in_flight, nodes, [&](uint64_t hash, size_t i) {
    tickets[i].Release();
    tickets[i] = bounded.Acquire(ring, hash);
    return tickets[i].node();
  });
}

}  // namespace clockwise::bench
