// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placement `modulo`: node number hash mod n. The least one can do, to compare
// with: it moves nearly every key when the number of nodes changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "clockwise/detail/modulus.h"
#include "clockwise/placement.h"

namespace clockwise {

// Nodes are numbered by ascending id. No weights, no replicas.
class Modulo : public KeyLookups<Modulo> {
 public:
  // As placement.h says.
  CW_API static Result<Modulo> Build(std::span<const Node> nodes,
                                     const PlacementOptions& options = {},
                                     BlockSource* source = nullptr);

  // Returns hash mod node_count(), kNoNode without nodes. Inlined: two
  // multiplications.
  [[nodiscard]] CW_INLINE NodeIndex Owner(uint64_t hash) const noexcept {
    return modulus_.divisor() == 0 ? kNoNode : modulus_.Of(hash);
  }
  // owners[i] = Owner(hashes[i]).
  CW_API void Owners(const uint64_t* hashes, size_t count,
                     NodeIndex* owners) const noexcept;
  using KeyLookups::Owner;
  using KeyLookups::Owners;

 private:
  explicit Modulo(PlacedNodes&& nodes) noexcept
      : KeyLookups(std::move(nodes)), modulus_(node_count()) {}

  detail::Modulus modulus_;
};

static_assert(NamedPlacement<Modulo>);

}  // namespace clockwise
