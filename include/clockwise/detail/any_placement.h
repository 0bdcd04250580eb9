// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What AnyPlacement asks, and how each kind answers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "clockwise/placement.h"
#include "clockwise/ring.h"

namespace clockwise::detail {

struct AnyModel {
  virtual ~AnyModel() = default;
  virtual NodeIndex Owner(uint64_t hash) const noexcept = 0;
  virtual NodeIndex Owner(std::string_view key) const noexcept = 0;
  virtual uint64_t HashOf(std::string_view key) const noexcept = 0;
  virtual void HashesOf(const std::string_view* keys, size_t count,
                        uint64_t* hashes) const noexcept = 0;
  virtual void Owners(const uint64_t* hashes, size_t count,
                      NodeIndex* owners) const noexcept = 0;
  virtual void Owners(const std::string_view* keys, size_t count,
                      NodeIndex* owners) const noexcept = 0;
  virtual void Owners(FixedKeys keys, NodeIndex* owners) const noexcept = 0;
  virtual bool needs_key() const noexcept = 0;
  virtual bool has_replicas() const noexcept = 0;
  virtual size_t Replicas(uint64_t hash, size_t count,
                          NodeIndex* nodes) const noexcept = 0;
  virtual std::string_view name() const noexcept = 0;
  virtual std::string_view scheme() const noexcept = 0;
  virtual uint64_t seed() const noexcept = 0;
  virtual KeyHash key_hash() const noexcept = 0;
  virtual uint32_t width() const noexcept = 0;
  virtual Hash128 digest() const noexcept = 0;
  virtual uint32_t node_count() const noexcept = 0;
  virtual uint32_t slot_count() const noexcept = 0;
  virtual NodeView node(NodeIndex node) const noexcept = 0;
  virtual NodeIndex Find(std::string_view id) const noexcept = 0;
  virtual size_t bytes() const noexcept = 0;
  virtual const Ring* ring() const noexcept = 0;
};

template <NamedPlacement P>
class PlacementModel final : public AnyModel {
 public:
  explicit PlacementModel(P&& placement) : placement_(std::move(placement)) {}

  NodeIndex Owner(uint64_t hash) const noexcept override {
    return placement_.Owner(hash);
  }
  NodeIndex Owner(std::string_view key) const noexcept override {
    return placement_.Owner(key);
  }
  uint64_t HashOf(std::string_view key) const noexcept override {
    return placement_.HashOf(key);
  }
  void HashesOf(const std::string_view* keys, size_t count,
                uint64_t* hashes) const noexcept override {
    placement_.HashesOf(keys, count, hashes);
  }
  void Owners(const uint64_t* hashes, size_t count,
              NodeIndex* owners) const noexcept override {
    placement_.Owners(hashes, count, owners);
  }
  void Owners(const std::string_view* keys, size_t count,
              NodeIndex* owners) const noexcept override {
    placement_.Owners(keys, count, owners);
  }
  void Owners(FixedKeys keys, NodeIndex* owners) const noexcept override {
    placement_.Owners(keys, owners);
  }
  bool needs_key() const noexcept override {
    if constexpr (requires { placement_.needs_key(); }) {
      return placement_.needs_key();
    }
    return false;
  }
  bool has_replicas() const noexcept override {
    if constexpr (requires { placement_.has_replicas(); }) {
      return placement_.has_replicas();
    }
    return ReplicatedPlacement<P>;
  }
  size_t Replicas(uint64_t hash, size_t count,
                  NodeIndex* nodes) const noexcept override {
    if constexpr (ReplicatedPlacement<P>) {
      return placement_.Replicas(hash, count, nodes);
    } else {
      if (count == 0) return 0;
      nodes[0] = placement_.Owner(hash);
      return nodes[0] != kNoNode ? 1 : 0;
    }
  }
  std::string_view name() const noexcept override { return placement_.name(); }
  std::string_view scheme() const noexcept override {
    return placement_.scheme();
  }
  uint64_t seed() const noexcept override { return placement_.seed(); }
  KeyHash key_hash() const noexcept override { return placement_.key_hash(); }
  uint32_t width() const noexcept override {
    if constexpr (requires { placement_.width(); }) return placement_.width();
    return 64;
  }
  Hash128 digest() const noexcept override { return placement_.digest(); }
  uint32_t node_count() const noexcept override {
    return placement_.node_count();
  }
  uint32_t slot_count() const noexcept override {
    if constexpr (requires { placement_.slot_count(); }) {
      return placement_.slot_count();
    }
    return placement_.node_count();
  }
  NodeView node(NodeIndex node) const noexcept override {
    return placement_.node(node);
  }
  NodeIndex Find(std::string_view id) const noexcept override {
    return placement_.Find(id);
  }
  size_t bytes() const noexcept override { return placement_.bytes(); }
  const Ring* ring() const noexcept override {
    if constexpr (std::same_as<P, Ring>) return &placement_;
    return nullptr;
  }

 private:
  P placement_;
};

}  // namespace clockwise::detail
