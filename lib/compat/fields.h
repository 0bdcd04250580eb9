// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Parameters, weights and addresses as peers read them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/compat_hash.h"
#include "clockwise/members.h"
#include "clockwise/status.h"
#include "members/number_param.h"

namespace clockwise::compat_internal {

// "true" or "false"; false where it is not given.
Result<bool> FlagParam(const Members& members, std::string_view name);
// The hash that the peer calls by the parameter's value.
Result<PeerHash> HashParam(const Members& members, std::string_view name,
                           std::string_view peer, std::string_view otherwise);
// The weight, or the parameter "weight" where a scheme has it for weights that
// Weight cannot be, as a whole number up to `most`; kBadWeight for others.
Result<uint32_t> WholeWeight(const Node& node, uint32_t most = 1'000'000);
Result<std::vector<uint32_t>> WholeWeights(const Members& members,
                                           uint32_t most = 1'000'000);
// The same as a number with any decimals, from 0 on.
Result<double> ExactWeight(const Node& node);
// Whether a node of a peer without weights is there: 1, or 0 for one that is
// drained; kBadWeight for others.
Result<bool> IsThere(const Node& node);

struct HostPort {
  std::string host;
  uint32_t port = 0;
  bool has_port = false;
};

// Where a node listens: parameters host and port, or its id as "host:port",
// "[IPv6]:port", or without a port. kBadNode for a port above 65,535.
Result<HostPort> HostPortOf(const Node& node);

}  // namespace clockwise::compat_internal
