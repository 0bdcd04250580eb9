// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "capi_reference.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "clockwise/clockwise.h"

namespace {

std::optional<clockwise::Ring> ring;

std::string_view View(const void* key, size_t size) {
  return {static_cast<const char*>(key), size};
}

}  // namespace

int reference_build(const char* members) {
  const auto read = clockwise::ParseMembers(members);
  if (!read.ok()) return 0;
  auto built = clockwise::BuildRing(read.value());
  if (!built.ok()) return 0;
  ring.emplace(std::move(built).value());
  return 1;
}

uint32_t reference_owner(const void* key, size_t size) {
  return ring->Owner(View(key, size));
}

uint32_t reference_owner_of_hash(uint64_t hash) { return ring->Owner(hash); }

uint64_t reference_hash(const void* key, size_t size) {
  return ring->HashOf(View(key, size));
}

size_t reference_replicas(uint64_t hash, size_t count, uint32_t* nodes) {
  return ring->Replicas(hash, count, nodes);
}

uint32_t reference_points() { return ring->point_count(); }

void reference_digest(uint64_t* high, uint64_t* low, char hex[33]) {
  *high = ring->digest().high;
  *low = ring->digest().low;
  std::strcpy(hex, ToHex(ring->digest()).c_str());
}
