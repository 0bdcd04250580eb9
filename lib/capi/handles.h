// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What stands behind the handles of the C interface, and its arguments checked.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "clockwise/clockwise.h"
#include "clockwise/clockwise_c.h"

namespace clockwise {

class DomainCore;

// A ring of the caller's, in the form in which a router shows its own: so a
// cw_ring, which is never defined, is a PublishedRing whoever owns it.
struct OwnedRing : PublishedRing {
  explicit OwnedRing(Ring&& built) noexcept
      : PublishedRing(built.image(), &ring, built.epoch(), nullptr),
        ring(std::move(built)) {}

  Ring ring;
};

}  // namespace clockwise

struct cw_builder {
  clockwise::RingBuilder builder;
};

struct cw_domain {
  clockwise::Domain domain;
};

struct cw_router {
  std::unique_ptr<clockwise::Router> router;
  const clockwise::DomainCore* domain;
};

namespace clockwise::capi {

inline const PublishedRing& View(const cw_ring* ring) noexcept {
  return *reinterpret_cast<const PublishedRing*>(ring);
}

inline const cw_ring* HandleOf(const PublishedRing& ring) noexcept {
  return reinterpret_cast<const cw_ring*>(&ring);
}

// Of a ring that the caller owns.
inline OwnedRing* Owned(cw_ring* ring) noexcept {
  return static_cast<OwnedRing*>(reinterpret_cast<PublishedRing*>(ring));
}

// Whether a pointer and a length are bytes.
inline bool IsBytes(const void* data, size_t size) noexcept {
  return data != nullptr || size == 0;
}

inline std::string_view Text(const void* data, size_t size) noexcept {
  return {static_cast<const char*>(data), size};
}

inline cw_bytes ToBytes(std::string_view text) noexcept {
  return {text.data(), text.size()};
}

inline cw_digest ToDigest(Hash128 digest) noexcept {
  return {digest.high, digest.low};
}

inline cw_node ToNode(const NodeView& node) noexcept {
  return {ToBytes(node.id),   ToBytes(node.region),  ToBytes(node.zone),
          ToBytes(node.rack), ToBytes(node.address), node.weight.thousandths(),
          node.points};
}

// kInvalidArgument: "what is NULL".
inline Status IsNull(const char* what) {
  return {Code::kInvalidArgument, std::string(what) + " is NULL"};
}

// Puts the value of `result` behind a new handle.
template <typename Handle, typename T>
Status Give(Result<T> result, Handle** handle) {
  if (!result.ok()) return result.status();
  *handle = new Handle{std::move(result).value()};
  return {};
}

inline Status Give(Result<Ring> result, cw_ring** handle) {
  if (!result.ok()) return result.status();
  PublishedRing* ring = new OwnedRing(std::move(result).value());
  *handle = reinterpret_cast<cw_ring*>(ring);
  return {};
}

}  // namespace clockwise::capi
