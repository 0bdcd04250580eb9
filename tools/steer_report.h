// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What clockwise-steer tells of a load, as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clockwise/ring.h"

namespace clockwise::tool {

struct SteerReport {
  const Ring& ring;
  std::string source{};  // of the packets
  bool is_symmetric = false;
  uint64_t not_ip = 0;  // packets that have no flow
  uint64_t too_short = 0;
  uint64_t packets = 0;  // that have one; at least one
  uint64_t flows = 0;
  std::vector<uint64_t> packets_by_core{};
  std::vector<uint64_t> flows_by_core{};
  double nanoseconds = 0;  // a packet
};

std::string ToText(const SteerReport& report);
std::string ToJson(const SteerReport& report);

}  // namespace clockwise::tool
