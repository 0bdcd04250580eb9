// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Keys of many packets, packed as batches want them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "clockwise/steer.h"

namespace clockwise::tool {

// 13 or 37 bytes of memory for each.
class FlowKeys {
 public:
  // Adds the key of a packet; it is not empty.
  void Add(const FlowKey& key);

  [[nodiscard]] size_t size() const noexcept { return v4_.size() + v6_.size(); }

  // Each key once.
  [[nodiscard]] FlowKeys Distinct() const;

  // How many keys each core of the ring has.
  [[nodiscard]] std::vector<uint64_t> CountByCore(const Ring& ring) const;

  // What hashing a key and looking up its core costs, in processor time of this
  // thread: keys as they lie here, in batches of 256, again and again for at
  // least a fifth of a second. There is at least one key.
  [[nodiscard]] double NanosecondsPerKey(const Ring& ring) const;

 private:
  template <size_t kBytes>
  using Packed = std::vector<std::array<uint8_t, kBytes>>;

  // Calls use(cores, count) for each batch.
  template <typename Use>
  void Steer(const Ring& ring, Use use) const;

  Packed<kFlowKeyV4Bytes> v4_;
  Packed<kFlowKeyV6Bytes> v6_;
};

}  // namespace clockwise::tool
