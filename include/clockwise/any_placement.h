// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A placement of whatever kind, for programs that let their users name one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "clockwise/detail/any_placement.h"
#include "clockwise/placement.h"
#include "clockwise/ring.h"

namespace clockwise {

// Holds a ring or another placement, and asks it through one virtual call, a
// key or a batch. Where the kind is known at compile time, ask the kind itself.
// Threads as in placement.h; a moved-from one may only be assigned to or
// destroyed.
class AnyPlacement {
 public:
  // May throw std::bad_alloc.
  template <NamedPlacement P>
  requires(!std::same_as<P, AnyPlacement>) explicit AnyPlacement(P placement)
      : model_(
            std::make_unique<detail::PlacementModel<P>>(std::move(placement))) {
  }

  // Returns the owner of a hash that HashOf gave; kNoNode where there is none,
  // and always if needs_key().
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept {
    return model_->Owner(hash);
  }
  // Returns the owner of `key`, any bytes.
  [[nodiscard]] NodeIndex Owner(std::string_view key) const noexcept {
    return model_->Owner(key);
  }
  [[nodiscard]] uint64_t HashOf(std::string_view key) const noexcept {
    return model_->HashOf(key);
  }
  // hashes[i] = HashOf(keys[i]).
  void HashesOf(const std::string_view* keys, size_t count,
                uint64_t* hashes) const noexcept {
    model_->HashesOf(keys, count, hashes);
  }
  // Batches: owners[i] = Owner(hashes[i]), Owner(key i). `owners` does not
  // overlap the input.
  void Owners(const uint64_t* hashes, size_t count,
              NodeIndex* owners) const noexcept {
    model_->Owners(hashes, count, owners);
  }
  void Owners(const std::string_view* keys, size_t count,
              NodeIndex* owners) const noexcept {
    model_->Owners(keys, count, owners);
  }
  void Owners(FixedKeys keys, NodeIndex* owners) const noexcept {
    model_->Owners(keys, owners);
  }

  // Whether the hash of a key does not tell its owner: of the schemes that
  // there are, `mcrouter-wch3` alone.
  [[nodiscard]] bool needs_key() const noexcept { return model_->needs_key(); }
  // Whether the placement has more distinct nodes for a hash than its owner.
  [[nodiscard]] bool has_replicas() const noexcept {
    return model_->has_replicas();
  }
  // Writes the first `count` distinct nodes for a hash, the owner first, and
  // returns how many it wrote; of placements that have no replicas at most the
  // owner.
  size_t Replicas(uint64_t hash, size_t count,
                  NodeIndex* nodes) const noexcept {
    return model_->Replicas(hash, count, nodes);
  }

  [[nodiscard]] std::string_view name() const noexcept {
    return model_->name();
  }
  [[nodiscard]] std::string_view scheme() const noexcept {
    return model_->scheme();
  }
  [[nodiscard]] uint64_t seed() const noexcept { return model_->seed(); }
  [[nodiscard]] KeyHash key_hash() const noexcept { return model_->key_hash(); }
  [[nodiscard]] uint32_t width() const noexcept { return model_->width(); }
  [[nodiscard]] Hash128 digest() const noexcept { return model_->digest(); }
  [[nodiscard]] uint32_t node_count() const noexcept {
    return model_->node_count();
  }
  // Nodes are numbered below this; of a ring that was changed some are holes.
  [[nodiscard]] uint32_t slot_count() const noexcept {
    return model_->slot_count();
  }
  // A node; an empty id for a hole and for kNoNode.
  [[nodiscard]] NodeView node(NodeIndex node) const noexcept {
    return model_->node(node);
  }
  [[nodiscard]] NodeIndex Find(std::string_view id) const noexcept {
    return model_->Find(id);
  }
  [[nodiscard]] size_t bytes() const noexcept { return model_->bytes(); }

  // The ring, if it is one; null otherwise. Lives as long as this does.
  [[nodiscard]] const Ring* ring() const noexcept { return model_->ring(); }

 private:
  std::unique_ptr<const detail::AnyModel> model_;
};

static_assert(NamedPlacement<AnyPlacement>);

}  // namespace clockwise
