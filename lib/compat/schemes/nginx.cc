// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// nginx 1.22.1, `hash KEY [consistent]` (ngx_http_upstream_hash_module).
#include <array>

#include "base/endian.h"
#include "compat/fields.h"
#include "compat/hash/crc32.h"
#include "compat/scheme.h"

namespace clockwise::compat_internal {
namespace {

constexpr uint32_t kPointsPerWeight = 160;

bool IsPort(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The configured text as host, NUL, port: what every point begins with.
std::string BaseOf(std::string_view text) {
  constexpr std::string_view kUnix = "unix:";
  std::string base;
  if (text.starts_with(kUnix)) {
    base = text.substr(kUnix.size());
    return base += '\0';
  }
  const size_t colon = text.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && IsPort(text.substr(colon + 1));
  base = has_port ? text.substr(0, colon) : text;
  base += '\0';
  if (has_port) base += text.substr(colon + 1);
  return base;
}

}  // namespace

// Each point hashes the base and the point before it.
Result<PeerRing> NginxConsistent(const Members& members) {
  PeerRing ring(32, PeerHash::kCrc32, members.options.max_points);
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto weight = WholeWeight(members.nodes[i]);
    if (!weight.ok()) return weight.status();
    const uint64_t count = uint64_t{kPointsPerWeight} * weight.value();
    if (Status full = ring.Reserve(count); !full.ok()) return full;
    const uint32_t base = Crc32(BaseOf(members.nodes[i].id));
    uint32_t point = 0;
    for (uint64_t j = 0; j < count; ++j) {
      std::array<char, 4> last;
      StoreLe32(last.data(), point);
      point = Crc32({last.data(), last.size()}, base);
      ring.Add32(point, i);
    }
  }
  ring.KeepFirst();
  return ring;
}

// `hash KEY`: bits 16 to 30 of the key's CRC-32, mod the sum of weights. nginx
// sends the empty key, and all keys where a server is the only one, round.
Result<PeerPlacement> NginxHash(const Members& members) {
  PeerPlacement table{.key_hash = PeerHash::kCrc15};
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    const auto weight = WholeWeight(members.nodes[i]);
    if (!weight.ok()) return weight.status();
    if (Status full = table.Add(i, weight.value()); !full.ok()) return full;
  }
  return table;
}

}  // namespace clockwise::compat_internal
