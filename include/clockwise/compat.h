// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings that answer bit for bit as existing systems ("peers") do; in the
// library clockwise-compat.
#pragma once

#include <span>
#include <string_view>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/members.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// A scheme of a peer. Texts live as long as the process.
struct PeerScheme {
  std::string_view id;     // "nginx-consistent": RingOptions::scheme
  std::string_view peer;   // what it reproduces, of which version
  std::string_view traps;  // what surprises users of the peer; may be empty
  // Whether adding a node moves keys to it alone, and removing one moves its
  // keys alone.
  bool is_monotone;
  // Whether the order of the nodes belongs to the placement.
  bool is_order_dependent;
  // The parameters it reads, of RingOptions and of each Node.
  std::span<const std::string_view> ring_params;
  std::span<const std::string_view> node_params;
};

// Those there are, by id.
CW_API std::span<const PeerScheme> PeerSchemes() noexcept;
// Null if there is none of that id.
CW_API const PeerScheme* FindPeerScheme(std::string_view id) noexcept;

// Builds the ring of members.options.scheme: an ordinary Ring, with the peer's
// points and its key hash, so that Owner(key) is the peer's answer. The nodes
// are taken in the order of the list. Name, layout and max_points are as for
// other rings; the scheme decides width, key hash and ties, and vnodes is not
// read. The seed must be 0. Weights are read by the peer's rule: where it has
// whole weights others are kBadWeight, and where it has none, all but 1 and 0;
// a node of weight 0 has no points, unless the peer gives it some.
//
// kInvalidOptions for a scheme that is not in PeerSchemes, and for parameters
// that it does not read or cannot; kBadNode for those of a node; else refuses
// as RingBuilder. The message begins with members.source. Any thread.
CW_API Result<Ring> BuildPeerRing(const Members& members,
                                  BlockSource* source = nullptr);

}  // namespace clockwise
