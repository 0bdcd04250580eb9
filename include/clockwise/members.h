// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Who is in a ring, as a members file says it: JSON of schema 1.
//
//   {"schema": 1, "name": "sessions", "epoch": 7,
//    "ring": {"scheme": "clockwise-1", "vnodes": 512, "width": 64, "seed": 0,
//             "key_hash": "xxh3", "layout": "line", "max_points": 16777216,
//             "params": {}},
//    "nodes": [{"id": "cache-01", "weight": 1.5, "region": "eu", "zone": "a",
//               "rack": "r1", "address": "10.0.0.1:11211", "params": {}}]}
//
// Only `schema` and each `id` are required; what is left out has the default of
// RingOptions and Node. Unknown and duplicate fields are refused, and so are
// control characters in an id and any parameter, since clockwise-1 has none. A
// seed or an epoch above 2^53 - 1 is written as a text. A weight is any number
// equal to a whole count of thousandths.
//
// These functions throw nothing, and any thread may call them: a heap without
// memory is kOutOfMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/ring_builder.h"
#include "clockwise/status.h"

namespace clockwise {

struct Members {
  std::string source;  // where they come from, such as a file's name
  RingOptions options;
  uint64_t epoch = 0;       // 0: none was given
  std::vector<Node> nodes;  // ids differ
};

inline constexpr size_t kMaxMembersBytes = size_t{256} << 20;

// Reads the text of a members file. kBadMembers for what the schema does not
// allow: the message has `source`, line and column, the field, its value and
// the limit, and may hold any bytes of the text. Memory is bounded by what the
// schema allows, not by the text.
CW_API Result<Members> ParseMembers(std::string_view text,
                                    std::string_view source = "members");

// Reads a members file: a regular one of at most 256 MiB, read once through one
// descriptor. kIo, by name and with the reason, for what cannot be read; a FIFO
// or a device is told apart without waiting for it. Otherwise as ParseMembers,
// with `path` for the source.
CW_API Result<Members> LoadMembers(const std::string& path);

// Builds the ring of `members`. Refuses as RingBuilder does, with the source
// before its message; kInvalidOptions where the scheme is not one of a ring
// (BuildPlacement of scheme.h builds all).
CW_API Result<Ring> BuildRing(const Members& members,
                              BlockSource* source = nullptr);

// Returns what `ring` was built of, its nodes by id. BuildRing of it gives the
// same ring where that does not depend on the order of nodes
// (Scheme::is_order_dependent); a local ring (local() != 0) becomes one with
// weights of its own. `source` is empty. kOutOfMemory. O(nodes).
CW_API Result<Members> MembersOf(const Ring& ring);

// Takes one field as a text, for programs that get members from flags or from
// variables. Numbers are decimal digits, a weight as Weight::Parse reads it;
// `text` is UTF-8. kBadMembers, saying what a file's reader would but not
// where, for a text that is refused (the record is then unchanged) and for an
// unknown name.
//
// Of members: "name", "epoch", and the fields of "ring"; a parameter of the
// ring is called "params.NAME".
CW_API Status SetField(std::string_view name, std::string_view text,
                       Members& members);
// Of a node: "id", "weight", "region", "zone", "rack" and "address".
CW_API Status SetField(std::string_view name, std::string_view text,
                       Node& node);

}  // namespace clockwise
