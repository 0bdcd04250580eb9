// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Placements by a rule that this library does not know: those of systems that
// clockwise-compat reproduces, or a program's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/detail/owner_table.h"
#include "clockwise/params.h"
#include "clockwise/placement.h"

namespace clockwise {

// Which node owns what. Any thread asks, many at once: no call may change
// anything, throw, allocate or block. Node numbers are below the placement's
// node_count(), or kNoNode for no owner.
class OwnerRule {
 public:
  OwnerRule() = default;
  OwnerRule(const OwnerRule&) = delete;
  OwnerRule& operator=(const OwnerRule&) = delete;
  virtual ~OwnerRule() = default;

  // Returns the owner of a hash as the placement's key hash gives it:
  // left-aligned.
  [[nodiscard]] virtual NodeIndex Owner(uint64_t hash) const noexcept = 0;
  // owners[i] = Owner(hashes[i]).
  virtual void Owners(const uint64_t* hashes, size_t count,
                      NodeIndex* owners) const noexcept {
    for (size_t i = 0; i < count; ++i) owners[i] = Owner(hashes[i]);
  }

  // Whether the hash is not enough to tell an owner. Then Owner(hash) is
  // kNoNode, and OwnerOfKey is asked.
  [[nodiscard]] virtual bool needs_key() const noexcept { return false; }
  // Returns the owner of a key with that hash.
  [[nodiscard]] virtual NodeIndex OwnerOfKey(std::string_view /*key*/,
                                             uint64_t hash) const noexcept {
    return Owner(hash);
  }

  // Whether Replicas means more than the owner.
  [[nodiscard]] virtual bool has_replicas() const noexcept { return false; }
  // Writes the first `count` distinct nodes for a hash, the owner first, and
  // returns how many it wrote.
  virtual size_t Replicas(uint64_t hash, size_t count,
                          NodeIndex* nodes) const noexcept {
    if (count == 0) return 0;
    nodes[0] = Owner(hash);
    return nodes[0] != kNoNode ? 1 : 0;
  }

  // Bytes that lookups read.
  [[nodiscard]] virtual size_t bytes() const noexcept { return 0; }

  // Where the rule is but a table (MakeTableRule): placements ask it
  // themselves.
  struct Table {
    const detail::OwnerTable* owners = nullptr;
    uint32_t shift = 0;  // of hashes, to the right
  };
  [[nodiscard]] virtual Table table() const noexcept { return {}; }
};

// Returns the rule of a table: the owner of a hash is owners[hash mod size], of
// the high 32 bits where `width` is 32. kNoNode may be among `owners`, all
// others are below `nodes`; an empty table owns nothing. At most 2^32 - 1
// slots. Null if `source` (DefaultBlockSource() if null) has no memory; may
// throw std::bad_alloc.
CW_API std::unique_ptr<OwnerRule> MakeTableRule(
    std::span<const NodeIndex> owners, uint32_t nodes, uint32_t width,
    BlockSource* source = nullptr);

struct RuleOptions : PlacementOptions {
  std::string scheme;   // 1 to 255 bytes
  Params params;        // what else the rule was made from: for the digest
  uint32_t width = 64;  // bits of hashes: 32 or 64
  // Whether the order of nodes belongs to the placement. They are then numbered
  // as they are listed, otherwise by ascending id.
  bool is_order_dependent = true;
};

// All nodes of the list are numbered, and in the digest, those of weight 0 too:
// what a weight means is the rule's.
class RulePlacement : public PlacedNodes {
 public:
  // As placement.h says, but for weights, which are not looked at, and key
  // hashes, of which there may be any with as many bits. `rule` is not null.
  CW_API static Result<RulePlacement> Build(std::span<const Node> nodes,
                                            const RuleOptions& options,
                                            std::unique_ptr<OwnerRule> rule,
                                            BlockSource* source = nullptr);

  // Returns the owner; kNoNode where there is none, and always if needs_key().
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept {
    if (table_.owners != nullptr) {
      return table_.owners->Owner(hash >> table_.shift);
    }
    return rule_->Owner(hash);
  }
  // Returns the owner of `key`, any bytes.
  [[nodiscard]] NodeIndex Owner(std::string_view key) const noexcept {
    const uint64_t hash = HashOf(key);
    return table_.owners != nullptr ? Owner(hash)
                                    : rule_->OwnerOfKey(key, hash);
  }
  // Batches: owners[i] = Owner(hashes[i]), Owner(key i). `owners` does not
  // overlap the input.
  void Owners(const uint64_t* hashes, size_t count,
              NodeIndex* owners) const noexcept {
    rule_->Owners(hashes, count, owners);
  }
  CW_API void Owners(const std::string_view* keys, size_t count,
                     NodeIndex* owners) const noexcept;
  CW_API void Owners(FixedKeys keys, NodeIndex* owners) const noexcept;

  // Whether owners hang on more of a key than its hash.
  [[nodiscard]] bool needs_key() const noexcept { return rule_->needs_key(); }
  [[nodiscard]] bool has_replicas() const noexcept {
    return rule_->has_replicas();
  }
  // Writes the first `count` distinct nodes, the owner first, and returns how
  // many it wrote: at most 1 unless has_replicas().
  size_t Replicas(uint64_t hash, size_t count,
                  NodeIndex* nodes) const noexcept {
    return rule_->Replicas(hash, count, nodes);
  }

  // Bytes of the node table and of what lookups read.
  [[nodiscard]] size_t bytes() const noexcept {
    return PlacedNodes::bytes() + rule_->bytes();
  }

 private:
  RulePlacement(PlacedNodes&& nodes, std::unique_ptr<OwnerRule> rule) noexcept
      : PlacedNodes(std::move(nodes)),
        rule_(std::move(rule)),
        table_(rule_->table()) {}

  std::unique_ptr<OwnerRule> rule_;
  OwnerRule::Table table_;
};

static_assert(NamedPlacement<RulePlacement>);

}  // namespace clockwise
