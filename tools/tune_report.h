// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Vnodes against spread, for a person and for programs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "clockwise/members.h"
#include "clockwise/tune.h"

namespace clockwise::tool {

struct TuneReport {
  Members members;
  Weight wanted;  // the peak that is wanted, as a ratio
  std::vector<VnodesBalance> sweep;
  std::map<uint32_t, size_t> bytes;  // of the ring, by the vnodes to show
  // 0 where there are none.
  uint32_t least = 0;   // that keep the peak
  uint32_t steady = 0;  // from which on all do
  uint32_t by_chance = 0;
};

std::string ToText(const TuneReport& report);

// One JSON document, on which the picture is drawn as well.
std::string ToJson(const TuneReport& report);

}  // namespace clockwise::tool
