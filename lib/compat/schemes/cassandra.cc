// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Cassandra's Murmur3Partitioner.
#include <charconv>
#include <map>
#include <string>

#include "compat/fields.h"
#include "compat/scheme.h"

namespace clockwise::compat_internal {
namespace {

std::optional<int64_t> ParseToken(std::string_view text) {
  int64_t token = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, token);
  if (error != std::errc() || stop != end) return std::nullopt;
  return token;
}

}  // namespace

// A node owns the keys whose tokens are above the token before one of its own,
// up to that. Tokens are signed, but a circle is the same circle wherever its
// numbers begin: two's complement will do.
Result<PeerRing> CassandraMurmur3(const Members& members) {
  PeerRing ring(64, PeerHash::kCassandraToken, members.options.max_points);
  std::map<int64_t, size_t> taken;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const Node& node = members.nodes[i];
    const auto is_there = IsThere(node);
    if (!is_there.ok()) return is_there.status();
    std::string_view list = ParamOf(node.params, "tokens").value_or("");
    if (list.empty() && is_there.value()) {
      return BadNodeParam(node, "tokens", "a list of its tokens, as -5,7,");
    }
    while (!list.empty() && is_there.value()) {
      const std::string_view text = CutFirst(list);
      const auto token = ParseToken(text);
      if (!token) {
        return BadNodeParam(
            node, "tokens",
            "'" + std::string(text) + "'; a signed number of 64 bits");
      }
      const auto [there, is_new] = taken.emplace(*token, i);
      if (!is_new) {
        return Status(Code::kBadNode, "node '" + node.id + "': token " +
                                          std::string(text) + " is of '" +
                                          members.nodes[there->second].id +
                                          "' as well");
      }
      if (Status full = ring.Reserve(1); !full.ok()) return full;
      ring.Add64(static_cast<uint64_t>(*token), i);
    }
  }
  ring.KeepFirst();
  ring.ForgetOrder();
  return ring;
}

}  // namespace clockwise::compat_internal
