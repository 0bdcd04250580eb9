// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What the ketama family has in common: clients and proxies of memcached. They
// differ in how a server is named, how many points it has, and who wins ties.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compat/fields.h"
#include "compat/peer_ring.h"

namespace clockwise::compat_internal {

// Four points of each MD5 of "name-0", "name-1", …, or `words` of them.
Status AddMd5Points(PeerRing& ring, const std::string& name, uint64_t groups,
                    size_t node, size_t words = 4);
// One point of each hash of "name-0", "name-1", ….
Status AddHashedPoints(PeerRing& ring, const std::string& name, uint64_t count,
                       PeerHash hash, size_t node);

// "host" on memcached's port, else "host:port"; `always` with the port.
Result<std::string> MemcachedName(const Node& node, bool always = false);

// MD5s of a server of weight `weight` of `sum` among `nodes`, in floats as
// libmemcached and twemproxy count them: 39, not 40, for 25 equal servers.
uint64_t FloatGroups(uint32_t weight, uint64_t sum, size_t nodes);
uint64_t SumOf(const std::vector<uint32_t>& weights);

}  // namespace clockwise::compat_internal
