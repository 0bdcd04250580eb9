// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/placed_nodes.h"

#include <algorithm>
#include <numeric>

#include "placement/hash_keys.h"
#include "placement/key_blocks.h"
#include "placement/node_table.h"

namespace clockwise {
namespace {

Status CheckOptions(const PlacementScheme& scheme,
                    const PlacementOptions& options) {
  if (options.name.size() > kMaxNameBytes) {
    return {Code::kInvalidOptions, std::string(scheme.id) + ": the name has " +
                                       std::to_string(options.name.size()) +
                                       " bytes; at most 255"};
  }
  if (scheme.is_foreign) return {};
  if (options.key_hash == KeyHash::kMurmur3_32) {
    return RefuseOptions(scheme, options,
                         "key hash murmur3-32 has 32 bits; it needs 64");
  }
  if (options.key_hash > KeyHash::kMurmur3_32) {
    return RefuseOptions(scheme, options,
                         "key hash " +
                             std::string(KeyHashName(options.key_hash)) +
                             " is not one that is built in");
  }
  return {};
}

Status CheckPlaceable(const PlacementScheme& scheme, const Node& node) {
  if (Status status = CheckNode(node); !status.ok()) return status;
  if (!node.params.empty() && !scheme.is_foreign) {
    return {Code::kBadNode, "node '" + node.id + "': parameter '" +
                                node.params.begin()->first + "'; scheme " +
                                std::string(scheme.id) + " has none"};
  }
  const uint64_t thousandths = node.weight.thousandths();
  if (scheme.has_weights || thousandths == 0 || thousandths == 1000) return {};
  return {Code::kBadWeight, "node '" + node.id + "': weight " +
                                node.weight.ToString() + "; scheme " +
                                std::string(scheme.id) +
                                " has none but 1, and 0 to drain"};
}

NodeView ViewOf(const PlacementScheme& scheme, const Node& node) {
  return {node.id,      node.region, node.zone,     node.rack,
          node.address, node.weight, scheme.points, {}};
}

// Node numbers by ascending id.
std::vector<NodeIndex> ById(std::span<const NodeView> nodes) {
  std::vector<NodeIndex> numbers(nodes.size());
  std::iota(numbers.begin(), numbers.end(), NodeIndex{0});
  std::sort(numbers.begin(), numbers.end(), [&](NodeIndex a, NodeIndex b) {
    return nodes[a].id < nodes[b].id;
  });
  return numbers;
}

Status RefuseDuplicate(const PlacementScheme& scheme,
                       const PlacementOptions& options, std::string_view id) {
  return {Code::kDuplicateNode, Title(scheme.id, options.name) + ": node '" +
                                    std::string(id) + "' is listed twice"};
}

Hash128 DigestOf(const PlacementScheme& scheme, const PlacementOptions& options,
                 std::span<const NodeView> nodes,
                 std::span<const SchemeParameter> parameters) {
  const auto counts = [&](const NodeView& node) {
    return scheme.is_foreign || node.weight.thousandths() != 0;
  };
  DigestText text = BeginDigest(
      {options.name, scheme.id, scheme.width, options.seed,
       KeyHashName(options.key_hash), parameters},
      static_cast<uint32_t>(std::count_if(nodes.begin(), nodes.end(), counts)));
  for (const NodeView& node : nodes) {
    if (counts(node)) AppendNode(text, node);
  }
  return text.Digest();
}

const NodeTable& TableIn(const Block& block) {
  return *static_cast<const NodeTable*>(block.data());
}

}  // namespace

Result<std::vector<NodeView>> ListNodes(const PlacementScheme& scheme,
                                        const PlacementOptions& options,
                                        std::span<const Node> nodes) {
  if (Status s = CheckOptions(scheme, options); !s.ok()) return s;
  if (nodes.size() > kMaxNodes) {
    return Status(Code::kTooManyNodes, Title(scheme.id, options.name) + ": " +
                                           std::to_string(nodes.size()) +
                                           " nodes; at most " +
                                           std::to_string(kMaxNodes));
  }
  std::vector<NodeView> all;
  all.reserve(nodes.size());
  for (const Node& node : nodes) {
    if (Status s = CheckPlaceable(scheme, node); !s.ok()) return s;
    all.push_back(ViewOf(scheme, node));
  }
  const std::vector<NodeIndex> by_id = ById(all);
  std::vector<NodeView> sorted;
  sorted.reserve(all.size());
  for (NodeIndex number : by_id) {
    if (!sorted.empty() && sorted.back().id == all[number].id) {
      return RefuseDuplicate(scheme, options, all[number].id);
    }
    sorted.push_back(all[number]);
  }
  std::vector<NodeView>& placed = scheme.is_listed ? all : sorted;
  if (!scheme.keeps_drained) {
    std::erase_if(placed, [](const NodeView& node) {
      return node.weight.thousandths() == 0;
    });
  }
  return std::move(placed);
}

Result<PlacedNodes> PlacedNodesMaker::Make(
    const PlacementScheme& scheme, const PlacementOptions& options,
    std::span<const NodeView> nodes,
    std::span<const SchemeParameter> parameters, BlockSource* source) {
  std::vector<Member> members(nodes.size());
  const std::vector<NodeIndex> by_id = ById(nodes);
  for (size_t i = 0; i < members.size(); ++i) {
    members[i].slot = by_id[i];
    members[i].node = nodes[by_id[i]];
  }
  PlacedNodes placed;
  TableHead head;
  head.name = options.name;
  head.scheme = scheme.id;
  placed.table_ =
      BuildNodeTable(head, members, static_cast<uint32_t>(members.size()),
                     source != nullptr ? *source : DefaultBlockSource());
  if (placed.table_.data() == nullptr) {
    return Status(Code::kOutOfMemory,
                  Title(scheme.id, options.name) + ": no memory for " +
                      std::to_string(nodes.size()) + " nodes");
  }
  placed.seed_ = options.seed;
  placed.key_hash_ = options.key_hash;
  placed.width_ = static_cast<uint8_t>(scheme.width);
  placed.node_count_ = static_cast<uint32_t>(nodes.size());
  placed.digest_ = DigestOf(scheme, options, nodes, parameters);
  return placed;
}

Result<PlacedNodes> PlacedNodesMaker::Make(const PlacementScheme& scheme,
                                           const PlacementOptions& options,
                                           std::span<const Node> nodes,
                                           BlockSource* source) {
  const auto listed = ListNodes(scheme, options, nodes);
  if (!listed.ok()) return listed.status();
  return Make(scheme, options, listed.value(), {}, source);
}

std::string_view PlacedNodes::name() const noexcept {
  return TableIn(table_).Name();
}
std::string_view PlacedNodes::scheme() const noexcept {
  return TableIn(table_).Scheme();
}
NodeView PlacedNodes::node(NodeIndex node) const noexcept {
  return TableIn(table_).View(node);
}
NodeIndex PlacedNodes::Find(std::string_view id) const noexcept {
  return TableIn(table_).Find(id);
}
size_t PlacedNodes::bytes() const noexcept { return TableIn(table_).bytes; }

uint64_t PlacedNodes::HashElsewhere(std::string_view key) const noexcept {
  return KeyHashing{key_hash_, width_, seed_}.One(key);
}

void PlacedNodes::HashesOf(const std::string_view* keys, size_t count,
                           uint64_t* hashes) const noexcept {
  KeyHashing{key_hash_, width_, seed_}.Many(keys, count, hashes);
}

void PlacedNodes::AnswerKeys(const std::string_view* keys, size_t count,
                             NodeIndex* owners,
                             AnswerBlock answer) const noexcept {
  const KeyHashing hashing{key_hash_, width_, seed_};
  ForBlocks(count, [&](size_t first, size_t some) {
    uint64_t hashes[kKeyBlock];
    hashing.Many(keys + first, some, hashes);
    answer(*this, hashes, some, owners + first);
  });
}

void PlacedNodes::AnswerKeys(FixedKeys keys, NodeIndex* owners,
                             AnswerBlock answer) const noexcept {
  const KeyHashing hashing{key_hash_, width_, seed_};
  ForKeyBlocks(keys, [&](size_t first, FixedKeys block) {
    uint64_t hashes[kKeyBlock];
    hashing.Fixed(block, hashes);
    answer(*this, hashes, block.count, owners + first);
  });
}

}  // namespace clockwise
