// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The schemes that members may name: clockwise-1, and those that libraries have
// registered, such as clockwise-compat.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/members.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// A recipe for placement. Texts and lists live as long as the process.
struct Scheme {
  std::string_view id;     // "nginx-consistent": RingOptions::scheme
  std::string_view about;  // what it is or reproduces, of which version
  std::string_view traps;  // what surprises its users; may be empty
  // Whether adding a node moves keys to it alone, and removing one moves its
  // keys alone.
  bool is_monotone;
  // Whether the order of the nodes belongs to the placement.
  bool is_order_dependent;
  // The parameters it reads, of RingOptions and of each Node, ascending.
  std::span<const std::string_view> ring_params;
  std::span<const std::string_view> node_params;
  // Builds the ring of members that name it, whose parameters are among those.
  // Null for clockwise-1.
  Result<Ring> (*build)(const Members& members, BlockSource* source);
};

// Lets members of this process name the scheme, which must live as long as the
// process. kInvalidArgument for an id that is empty, has more than 255 bytes or
// is that of another; registering one again changes nothing. Any thread.
CW_API Status RegisterScheme(const Scheme& scheme);

// Null if there is none of that id. Any thread; takes a lock.
[[nodiscard]] CW_API const Scheme* FindScheme(std::string_view id) noexcept;

// Those there are, by id. May throw std::bad_alloc.
[[nodiscard]] CW_API std::vector<const Scheme*> Schemes();

}  // namespace clockwise
