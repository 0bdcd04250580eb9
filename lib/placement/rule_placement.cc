// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/rule_placement.h"

#include <algorithm>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "base/out_of_memory.h"
#include "clockwise/detail/owner_table.h"
#include "placement/key_blocks.h"
#include "placement/params.h"
#include "placement/placed_nodes.h"

namespace clockwise {
namespace {

class TableRule final : public OwnerRule {
 public:
  TableRule(std::span<const NodeIndex> owners, uint32_t nodes, uint32_t width,
            BlockSource& source)
      : table_(owners, WidestOf(owners, nodes), source), shift_(64 - width) {}

  [[nodiscard]] bool is_there() const noexcept { return table_.is_there(); }

  [[nodiscard]] NodeIndex Owner(uint64_t hash) const noexcept override {
    return table_.size() == 0 ? kNoNode : table_.Owner(hash >> shift_);
  }
  void Owners(const uint64_t* hashes, size_t count,
              NodeIndex* owners) const noexcept override {
    if (table_.size() == 0) {
      std::fill_n(owners, count, kNoNode);
    } else if (shift_ == 0) {
      table_.Owners(hashes, count, owners);
    } else {
      Shifted(hashes, count, owners);
    }
  }
  [[nodiscard]] size_t bytes() const noexcept override {
    return table_.bytes();
  }
  // An empty one has no slot to look at.
  [[nodiscard]] Table table() const noexcept override {
    if (table_.size() == 0) return {};
    return {&table_, shift_};
  }

 private:
  // A table that holds kNoNode has to be a wide one, as without nodes.
  static uint32_t WidestOf(std::span<const NodeIndex> owners, uint32_t nodes) {
    return std::find(owners.begin(), owners.end(), kNoNode) == owners.end()
               ? nodes
               : 0;
  }

  void Shifted(const uint64_t* hashes, size_t count,
               NodeIndex* owners) const noexcept {
    ForBlocks(count, [&](size_t first, size_t some) {
      uint64_t shifted[kKeyBlock];
      for (size_t i = 0; i < some; ++i) {
        shifted[i] = hashes[first + i] >> shift_;
      }
      table_.Owners(shifted, some, owners + first);
    });
  }

  detail::OwnerTable table_;
  uint32_t shift_;
};

// What is wrong with the options beside what all placements refuse.
std::string RefusalOfRule(const RuleOptions& options) {
  if (options.scheme.empty() || options.scheme.size() > 255) {
    return "the scheme's id has " + std::to_string(options.scheme.size()) +
           " bytes; 1 to 255";
  }
  if (options.width != 32 && options.width != 64) {
    return "width " + std::to_string(options.width) + "; 32 or 64";
  }
  return RefusalOf(options.params);
}

std::vector<SchemeParameter> ParametersOf(const Params& params) {
  std::vector<SchemeParameter> parameters;
  for (const auto& [name, value] : params) parameters.push_back({name, value});
  return parameters;
}

// Packs the parameters of nodes and lets `views`, in whatever order, show them.
std::vector<std::string> ShowParams(std::span<const Node> nodes,
                                    std::span<NodeView> views) {
  std::map<std::string_view, const Params*> by_id;
  for (const Node& node : nodes) by_id.emplace(node.id, &node.params);
  std::vector<std::string> packed;
  packed.reserve(views.size());
  for (NodeView& view : views) {
    packed.push_back(Pack(*by_id.at(view.id)));
    view.params = ParamsView(packed.back());
  }
  return packed;
}

}  // namespace

std::unique_ptr<OwnerRule> MakeTableRule(std::span<const NodeIndex> owners,
                                         uint32_t nodes, uint32_t width,
                                         BlockSource* source) {
  auto rule = std::make_unique<TableRule>(
      owners, nodes, width, source != nullptr ? *source : DefaultBlockSource());
  if (!owners.empty() && !rule->is_there()) return nullptr;
  return rule;
}

Result<RulePlacement> RulePlacement::Build(std::span<const Node> nodes,
                                           const RuleOptions& options,
                                           std::unique_ptr<OwnerRule> rule,
                                           BlockSource* source) try {
  const PlacementScheme scheme = {.id = options.scheme,
                                  .is_listed = options.is_order_dependent,
                                  .has_weights = true,
                                  .keeps_drained = true,
                                  .is_foreign = true,
                                  .width = options.width};
  if (const std::string why = RefusalOfRule(options); !why.empty()) {
    return RefuseOptions(scheme, options, why);
  }
  auto listed = ListNodes(scheme, options, nodes);
  if (!listed.ok()) return listed.status();
  const auto packed = ShowParams(nodes, listed.value());
  const auto parameters = ParametersOf(options.params);
  auto placed = PlacedNodesMaker::Make(scheme, options, listed.value(),
                                       parameters, source);
  if (!placed.ok()) return placed.status();
  return RulePlacement(std::move(placed).value(), std::move(rule));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void RulePlacement::Owners(const std::string_view* keys, size_t count,
                           NodeIndex* owners) const noexcept {
  const bool by_key = needs_key();
  ForBlocks(count, [&](size_t first, size_t some) {
    uint64_t hashes[kKeyBlock];
    HashesOf(keys + first, some, hashes);
    if (!by_key) return rule_->Owners(hashes, some, owners + first);
    for (size_t i = 0; i < some; ++i) {
      owners[first + i] = rule_->OwnerOfKey(keys[first + i], hashes[i]);
    }
  });
}

void RulePlacement::Owners(FixedKeys keys, NodeIndex* owners) const noexcept {
  if (!needs_key()) {
    return AnswerKeys(keys, owners,
                      [](const PlacedNodes& placement, const uint64_t* hashes,
                         size_t count, NodeIndex* answers) noexcept {
                        static_cast<const RulePlacement&>(placement).Owners(
                            hashes, count, answers);
                      });
  }
  const auto* data = static_cast<const char*>(keys.data);
  for (size_t i = 0; i < keys.count; ++i) {
    owners[i] = Owner(std::string_view(data + i * keys.stride, keys.size));
  }
}

}  // namespace clockwise
