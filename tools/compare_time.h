// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a lookup costs here and now.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "clockwise/any_placement.h"

namespace clockwise::tool {

// Keys to time with: the first that come, up to so many and so many bytes.
class TimedKeys {
 public:
  static constexpr size_t kMost = size_t{1} << 14;
  static constexpr size_t kMostBytes = size_t{1} << 22;

  void Add(std::span<const std::string_view> keys);
  [[nodiscard]] std::vector<std::string_view> Views() const;

 private:
  std::vector<std::string> keys_;
  size_t bytes_ = 0;
};

struct LookupTime {
  double single = 0;  // ns of CPU time a key, hash included
  double batch = 0;
};

// Medians of so many rounds, in each of which every placement has its turn.
inline constexpr int kTimedRounds = 9;

// Checks first that single lookups and batches agree, which they always do.
// Throws Failure where they do not. At least one key.
std::vector<LookupTime> TimeLookups(
    const std::vector<const AnyPlacement*>& placements, const TimedKeys& keys);

}  // namespace clockwise::tool
