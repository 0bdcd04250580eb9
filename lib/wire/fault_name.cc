// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <array>

#include "clockwise/ring_file.h"

namespace clockwise {
namespace {

constexpr std::array<std::string_view, kRingFileFaultCount> kNames = {
    "none",
    "not_ring_file",
    "truncated",
    "trailing_bytes",
    "byte_order",
    "version",
    "header_size",
    "header_checksum",
    "reserved",
    "parts",
    "image_checksum",
    "table_checksum",
    "key_hash",
    "disagreement",
    "options",
    "too_many_nodes",
    "too_many_points",
    "sections",
    "records",
    "node",
    "weight",
    "node_order",
    "point_order",
    "owner",
    "counts",
    "search",
    "digest",
    "base_digest",
    "derived_points"};
static_assert(!kNames.back().empty(), "each fault has a name");

}  // namespace

std::string_view RingFileFaultName(RingFileFault fault) noexcept {
  const auto number = static_cast<size_t>(fault);
  return number < kNames.size() ? kNames[number] : "unknown";
}

}  // namespace clockwise
