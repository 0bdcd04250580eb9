// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/ring_builder.h"

#include <algorithm>
#include <utility>

#include "placement/build.h"
#include "placement/check_node.h"
#include "placement/node_table.h"

namespace clockwise {
namespace {

Status Refuse(const RingOptions& options, const std::string& what) {
  return {Code::kInvalidOptions, RingTitle(options) + ": " + what};
}

Status CheckOptions(const RingOptions& options) {
  if (options.name.size() > kMaxNameBytes) {
    return Refuse(options, "the name has " +
                               std::to_string(options.name.size()) +
                               " bytes; at most 255");
  }
  if (options.scheme.empty() || options.scheme.size() > 255) {
    return Refuse(options, "the scheme has " +
                               std::to_string(options.scheme.size()) +
                               " bytes; 1 to 255");
  }
  if (options.vnodes < 1 || options.vnodes > kMaxVnodes) {
    return Refuse(options, "vnodes " + std::to_string(options.vnodes) +
                               "; 1 to " + std::to_string(kMaxVnodes));
  }
  if (options.width != 32 && options.width != 64) {
    return Refuse(options,
                  "width " + std::to_string(options.width) + "; 32 or 64");
  }
  if (KeyHashName(options.key_hash) == "unknown") {
    return Refuse(options,
                  "key hash " +
                      std::to_string(static_cast<int>(options.key_hash)) +
                      " was not registered by any library");
  }
  if (options.key_hash == KeyHash::kMurmur3_32 && options.width != 32) {
    return Refuse(options, "key hash murmur3-32 needs width 32");
  }
  if (options.max_points > kMaxPointsLimit) {
    return Refuse(options, "max_points " + std::to_string(options.max_points) +
                               "; at most " + std::to_string(kMaxPointsLimit));
  }
  if (options.scheme == kNativeScheme && !options.params.empty()) {
    return Refuse(options, "parameter '" + options.params.begin()->first +
                               "'; scheme " + std::string(kNativeScheme) +
                               " has none");
  }
  if (options.scheme == kNativeScheme && options.ties != Ties::kSmallestId) {
    return Refuse(options, "scheme " + std::string(kNativeScheme) +
                               " lets the smallest id win ties");
  }
  const std::string why = RefusalOf(options.params);
  return why.empty() ? Status() : Refuse(options, why);
}

// clockwise-1 has no parameters: one that is given would be ignored silently.
Status CheckNode(const Node& node, const RingOptions& options) {
  if (options.scheme == kNativeScheme && !node.params.empty()) {
    return {Code::kBadNode, "node '" + node.id + "': parameter '" +
                                node.params.begin()->first + "'; scheme " +
                                std::string(kNativeScheme) + " has none"};
  }
  return CheckNode(node);
}
Status Unknown(std::string_view id) {
  return {Code::kUnknownNode, "no node '" + std::string(id) + "'"};
}

}  // namespace

RingBuilder::RingBuilder(std::unique_ptr<State> state) noexcept
    : state_(std::move(state)) {}
RingBuilder::RingBuilder(RingBuilder&&) noexcept = default;
RingBuilder& RingBuilder::operator=(RingBuilder&&) noexcept = default;
RingBuilder::~RingBuilder() = default;

Result<RingBuilder> RingBuilder::Create(RingOptions options) {
  if (Status status = CheckOptions(options); !status.ok()) return status;
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  return RingBuilder(std::move(state));
}

RingBuilder RingBuilder::From(const Ring& base) {
  auto state = std::make_unique<State>();
  state->options = OptionsOf(base);
  state->base = &base;
  return RingBuilder(std::move(state));
}

const RingOptions& RingBuilder::options() const noexcept {
  return state_->options;
}

std::optional<Node> RingBuilder::Current(std::string_view id) const {
  if (auto change = state_->changes.find(id); change != state_->changes.end()) {
    return change->second.node;
  }
  if (state_->base == nullptr) return std::nullopt;
  const NodeIndex slot = state_->base->Find(id);
  if (slot == kNoNode) return std::nullopt;
  return state_->base->node(slot).ToNode();
}

bool RingBuilder::Contains(std::string_view id) const {
  return Current(id).has_value();
}

bool RingBuilder::HasExplicitPoints(std::string_view id) const {
  if (options().scheme == kNativeScheme) return false;
  const auto change = state_->changes.find(id);
  if (change != state_->changes.end() && change->second.positions) {
    return !change->second.positions->empty();
  }
  return state_->base->node(state_->base->Find(id)).points != 0;
}

Status RingBuilder::Add(const Node& node) {
  if (Status status = CheckNode(node, options()); !status.ok()) return status;
  if (options().scheme != kNativeScheme) {
    return {Code::kInvalidOptions, "node '" + node.id + "': scheme '" +
                                       options().scheme +
                                       "' needs its points with it"};
  }
  if (const auto current = Current(node.id)) {
    if (*current == node) return {};
    return {Code::kDuplicateNode,
            "node '" + node.id + "' is there with a different record"};
  }
  state_->Set(node);
  return {};
}

Status RingBuilder::Add(const Node& node, std::span<const uint64_t> positions) {
  if (Status status = CheckNode(node, options()); !status.ok()) return status;
  if (options().scheme == kNativeScheme) {
    return {Code::kInvalidOptions, "node '" + node.id +
                                       "': scheme clockwise-1 derives its own "
                                       "points"};
  }
  if (Contains(node.id)) {
    return {Code::kDuplicateNode, "node '" + node.id + "' is there already"};
  }
  if (node.weight.thousandths() == 0 && !positions.empty()) {
    return {Code::kBadWeight, "node '" + node.id + "' has points but weight 0"};
  }
  if (options().width == 32) {
    for (uint64_t p : positions) {
      if ((p & 0xFFFFFFFF) == 0) continue;
      return {Code::kBadPosition, "node '" + node.id + "': position " +
                                      std::to_string(p) +
                                      " has low bits; a 32-bit ring takes "
                                      "multiples of 2^32"};
    }
  }
  MemberChange change;
  change.node = node;
  change.params = Pack(node.params);
  change.order = ++state_->additions;
  change.positions.emplace(positions.begin(), positions.end());
  std::sort(change.positions->begin(), change.positions->end());
  state_->changes[node.id] = std::move(change);
  return {};
}

Status RingBuilder::Update(const Node& node) {
  if (Status status = CheckNode(node, options()); !status.ok()) return status;
  if (!Contains(node.id)) return Unknown(node.id);
  if (node.weight.thousandths() == 0 && HasExplicitPoints(node.id)) {
    return {Code::kBadWeight, "node '" + node.id +
                                  "' has explicit points: weight 0 is for "
                                  "schemes that derive them"};
  }
  state_->Set(node);
  return {};
}

Status RingBuilder::SetWeight(std::string_view id, Weight weight) {
  auto node = Current(id);
  if (!node) return Unknown(id);
  node->weight = weight;
  return Update(*node);
}

Status RingBuilder::Remove(std::string_view id) {
  if (!Contains(id)) return Unknown(id);
  state_->changes[std::string(id)] = MemberChange{};
  return {};
}

Result<Ring> RingBuilder::Build(uint64_t epoch, BlockSource* source) const {
  BuildRequest request;
  request.epoch = epoch;
  request.source = source;
  return BuilderAccess::Build(*this, request);
}

Result<Ring> RingBuilder::BuildLocal(const Ring& wanted, uint64_t local,
                                     BlockSource* source) const {
  if (local == 0) return Refuse(options(), "local 0; at least 1");
  if (wanted.epoch() == 0 || wanted.local() != 0) {
    return Refuse(options(),
                  "a local ring stands in for one that has an epoch "
                  "and is not local itself");
  }
  BuildRequest request;
  request.epoch = wanted.epoch();
  request.source = source;
  request.local = local;
  request.base_digest = wanted.digest();
  return BuilderAccess::Build(*this, request);
}

Result<Ring> BuilderAccess::Build(const RingBuilder& builder,
                                  const BuildRequest& request) {
  const RingBuilder::State& state = *builder.state_;
  return BuildRing(state.options, state.base, state.changes, request);
}

}  // namespace clockwise
