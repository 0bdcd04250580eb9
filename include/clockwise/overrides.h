// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Keys that live elsewhere than the ring says: the tenant that has a node of
// its own, the one object that is too large for its neighbours.
//
//   auto pins = std::make_shared<const OverrideTable>(
//       OverrideTable::Create(overrides, ring).value());
//   PublishOptions options;
//   options.companion = pins;               // serves with the ring
//   router->Publish(std::move(ring), options);
//   …
//   const PublishedRing& ring = router->Current(pin);
//   NodeIndex node = ring.companion<OverrideTable>()->Owner(ring, key);
//
// A table holds slots, so each ring has one of its own. It never changes, and
// any number of threads may ask it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "clockwise/detail/api.h"
#include "clockwise/hash.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// One key, or all keys that begin with it.
struct Override {
  std::string key;         // any bytes, at most 65,535; a prefix: at least 1
  bool is_prefix = false;  // the key itself, where both are there, comes first;
                           // of prefixes the longest
  std::string node;        // id
};

inline constexpr size_t kMaxOverrides = size_t{1} << 20;
inline constexpr size_t kMaxOverrideBytes = 65535;

// What becomes of an override whose node the ring does not have, or not with a
// weight above 0.
enum class MissingNode : uint8_t {
  kRefuse = 0,    // there is no table: kUnknownNode, naming key and node
  kPassOver = 1,  // its keys go where the ring says
};

class OverrideTable {
 public:
  // The same override twice counts once. kInvalidOptions for two that differ in
  // the node alone, for an empty prefix, and for a key or a list that is too
  // long, naming it and the limit; kOutOfMemory.
  CW_API static Result<OverrideTable> Create(
      std::span<const Override> overrides, const Ring& ring,
      MissingNode missing = MissingNode::kRefuse);
  CW_API OverrideTable(OverrideTable&&) noexcept;
  CW_API OverrideTable& operator=(OverrideTable&&) noexcept;
  CW_API ~OverrideTable();

  // The node that `key` is pinned to; kNoNode where it is not. A key that no
  // override is like in size and first byte costs two loads; others a hash, and
  // one for each length that prefixes have. Allocates nothing.
  [[nodiscard]] CW_INLINE NodeIndex Find(std::string_view key) const noexcept {
    return MayHold(key) ? Look(key) : kNoNode;
  }
  // The same, and the ring's owner where it is not. The ring is the one that
  // the table was made for, or a copy of its image.
  [[nodiscard]] CW_INLINE NodeIndex Owner(const RingView& ring,
                                          std::string_view key) const noexcept {
    const NodeIndex node = Find(key);
    return node != kNoNode ? node : ring.Owner(key);
  }
  // Batches: owners[i] = Owner(ring, keys[i]), the ring's search in lanes.
  CW_API void Owners(const RingView& ring, const std::string_view* keys,
                     size_t count, NodeIndex* owners) const noexcept;

  // Overrides that it holds.
  [[nodiscard]] CW_API size_t size() const noexcept;
  // Of all that it was given, whatever their order: hosts whose rings and
  // overrides have equal digests agree on every owner. XXH3-128, seed 0, of
  // "clockwise-overrides-1" and NUL, u32 count, and by (key, is_prefix) for
  // each: key, u8 is_prefix, node; texts as u16 length and bytes, integers
  // little-endian. Not of which nodes were missing.
  [[nodiscard]] CW_API Hash128 digest() const noexcept;

 private:
  struct Core;
  // Sizes up to 62 have a bit each, longer ones share the last.
  static constexpr size_t kSizes = 63;

  explicit OverrideTable(std::unique_ptr<Core> core) noexcept;
  void Take(const Override& override, NodeIndex node);
  [[nodiscard]] CW_INLINE bool MayHold(std::string_view key) const noexcept {
    const size_t size = key.size() < kSizes ? key.size() : kSizes;
    if ((sizes_ >> size & 1) != 0) return true;
    if (key.empty()) return false;
    const auto first = static_cast<uint8_t>(key[0]);
    return (first_bytes_[first / 64] >> (first % 64) & 1) != 0;
  }
  [[nodiscard]] CW_API NodeIndex Look(std::string_view key) const noexcept;

  uint64_t sizes_ = 0;            // that keys have
  uint64_t first_bytes_[4] = {};  // that prefixes have
  std::unique_ptr<Core> core_;
};

}  // namespace clockwise
