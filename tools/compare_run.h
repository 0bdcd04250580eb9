// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Schemes that place the same keys on the same nodes: how evenly, and what
// moves when a node comes or goes. Memory does not depend on how many keys
// there are.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/members.h"
#include "clockwise/scheme.h"

namespace clockwise::tool {

// Some keys. Those whose schemes hash alike share the hashes.
class KeyBatch {
 public:
  void Set(std::span<const std::string_view> keys);
  [[nodiscard]] size_t size() const noexcept { return keys_.size(); }
  // Writes who owns each key.
  void Owners(const AnyPlacement& placement, NodeIndex* owners);

 private:
  using Recipe = std::tuple<KeyHash, uint64_t, uint32_t>;

  const std::vector<uint64_t>& HashesFor(const AnyPlacement& placement);

  std::span<const std::string_view> keys_;
  std::map<Recipe, std::vector<uint64_t>> hashes_;
};

// What is done to the members: alike for every scheme.
struct CompareChanges {
  Node added;
  std::vector<size_t> removed;       // places in the list, each removed alone
  std::vector<Members> other_views;  // clients that know other members
  // Of all keys, what has to move for fair shares: the due of the new node, and
  // the mean of the dues of those that are removed.
  double least_added = 0;
  double least_removed = 0;
};

// One scheme, asked for all that is compared.
class Contender {
 public:
  // Refuses where the scheme does not place the members, or one of the changes.
  static Result<Contender> Create(const Members& members, const Scheme& scheme,
                                  const CompareChanges& changes);

  void Count(KeyBatch& batch);

  [[nodiscard]] const AnyPlacement& placement() const noexcept {
    return base_.placement;
  }
  // Keys of each node of placement().
  [[nodiscard]] const std::vector<uint64_t>& counts() const noexcept {
    return counts_;
  }
  [[nodiscard]] uint64_t keys() const noexcept { return keys_; }
  // Shares of all keys that have another owner once the node is added; and, as
  // a mean, once each of those removed is gone. 0 where none is removed.
  [[nodiscard]] double MovedByAdding() const;
  [[nodiscard]] double MovedByRemoving() const;
  // Over all views: owners of a key, and the share of keys that have several.
  [[nodiscard]] double MeanOwners() const;
  [[nodiscard]] uint32_t most_owners() const noexcept { return most_owners_; }
  [[nodiscard]] double Disagreement() const;

 private:
  // A placement, and what its nodes are called in all of a contender's.
  struct Named {
    AnyPlacement placement;
    std::vector<uint32_t> names;  // by slot
  };

  explicit Contender(AnyPlacement base) : base_(Name(std::move(base))) {}

  Named Name(AnyPlacement placement);
  Status AddChanges(const Members& members, const CompareChanges& changes);
  Status AddViews(const Scheme& scheme, const CompareChanges& changes);
  // Asks for the names of the owners of a batch.
  void Ask(const Named& named, KeyBatch& batch, std::vector<uint32_t>& names);
  uint64_t CountMoved(const Named& named, KeyBatch& batch);
  void CountOwners(KeyBatch& batch);

  std::map<std::string, uint32_t, std::less<>> ids_;
  Named base_;
  std::vector<Named> changed_;  // the first with a node more
  std::vector<Named> views_;    // but the base
  uint64_t keys_ = 0;
  std::vector<uint64_t> counts_;
  uint64_t moved_by_adding_ = 0;
  uint64_t moved_by_removing_ = 0;
  uint64_t owners_ = 0;  // of all keys, in all views
  uint32_t most_owners_ = 1;
  uint64_t disputed_ = 0;
  std::vector<NodeIndex> slots_;
  std::vector<uint32_t> before_, after_;
};

}  // namespace clockwise::tool
