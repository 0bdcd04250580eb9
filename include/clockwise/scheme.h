// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The schemes that members may name: this library's own, and those that others
// have registered, such as clockwise-compat.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/any_placement.h"
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
  // One of the two builds from members that name the scheme, whose parameters
  // are among those; neither of clockwise-1, which RingBuilder does.
  Result<Ring> (*build_ring)(const Members& members,
                             BlockSource* source) = nullptr;
  Result<AnyPlacement> (*build_placement)(const Members& members,
                                          BlockSource* source) = nullptr;
  // Whether it takes RingOptions::seed and key_hash; other schemes than
  // clockwise-1 decide all but name, layout and max_points by themselves.
  bool takes_key_hash = false;
  // Adds a sentence for each trap that these members, of which it was built,
  // step into: a weight that gets no points, say. May be null; may throw
  // std::bad_alloc.
  void (*warn)(const Members& members, const AnyPlacement& built,
               std::vector<std::string>& warnings) = nullptr;

  // Whether BuildRing builds it.
  [[nodiscard]] bool is_ring() const noexcept {
    return build_placement == nullptr;
  }
};

// Lets members of this process name the scheme, which must live as long as the
// process. kInvalidArgument for an id that is empty, has more than 255 bytes or
// is that of another; registering one again changes nothing. Any thread.
CW_API Status RegisterScheme(const Scheme& scheme);

// Null if there is none of that id. Any thread; takes a lock.
[[nodiscard]] CW_API const Scheme* FindScheme(std::string_view id) noexcept;

// Those there are, by id. May throw std::bad_alloc.
[[nodiscard]] CW_API std::vector<const Scheme*> Schemes();

// Builds the placement of `members`, a ring or another. Refuses as the scheme
// says, with the source before its message.
CW_API Result<AnyPlacement> BuildPlacement(const Members& members,
                                           BlockSource* source = nullptr);

}  // namespace clockwise
