// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/modulo.h"

#include <new>

#include "base/out_of_memory.h"
#include "placement/placed_nodes.h"

namespace clockwise {
namespace {

constexpr PlacementScheme kScheme = {.id = "modulo"};

}  // namespace

Result<Modulo> Modulo::Build(std::span<const Node> nodes,
                             const PlacementOptions& options,
                             BlockSource* source) try {
  auto placed = PlacedNodesMaker::Make(kScheme, options, nodes, source);
  if (!placed.ok()) return placed.status();
  return Modulo(std::move(placed).value());
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void Modulo::Owners(const uint64_t* hashes, size_t count,
                    NodeIndex* owners) const noexcept {
  const Modulo& self = *this;
  for (size_t i = 0; i < count; ++i) owners[i] = self.Owner(hashes[i]);
}

}  // namespace clockwise
