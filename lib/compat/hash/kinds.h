// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Every hash of a peer as an entry of one table.
#pragma once

#include <cstdint>
#include <string_view>

#include "clockwise/compat_hash.h"

namespace clockwise::compat_internal {

struct PeerHashKind {
  std::string_view name;
  uint64_t (*hash)(std::string_view key) noexcept;  // left-aligned
};

// Returns the entry of a hash; for a number that is none, one that is called
// "unknown" and returns 0.
const PeerHashKind& KindOf(PeerHash hash) noexcept;

}  // namespace clockwise::compat_internal
