// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compare_run.h"

#include <algorithm>
#include <utility>

#include "compare_placements.h"

namespace clockwise::tool {
namespace {

constexpr uint32_t kNobody = 0xFFFFFFFFu;

double Over(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

// Of other systems' schemes no more is known than what owns a key.
bool HashesAsWeDo(const AnyPlacement& placement) {
  const Scheme* scheme = FindScheme(placement.scheme());
  return scheme != nullptr && scheme->takes_key_hash && !placement.needs_key();
}

}  // namespace

void KeyBatch::Set(std::span<const std::string_view> keys) {
  keys_ = keys;
  hashes_.clear();
}

const std::vector<uint64_t>& KeyBatch::HashesFor(
    const AnyPlacement& placement) {
  const Recipe recipe(placement.key_hash(), placement.seed(),
                      placement.width());
  std::vector<uint64_t>& hashes = hashes_[recipe];
  if (hashes.empty()) {
    hashes.resize(keys_.size());
    placement.HashesOf(keys_.data(), keys_.size(), hashes.data());
  }
  return hashes;
}

void KeyBatch::Owners(const AnyPlacement& placement, NodeIndex* owners) {
  if (HashesAsWeDo(placement)) {
    placement.Owners(HashesFor(placement).data(), keys_.size(), owners);
  } else {
    placement.Owners(keys_.data(), keys_.size(), owners);
  }
}

Contender::Named Contender::Name(AnyPlacement placement) {
  std::vector<uint32_t> names(placement.slot_count());
  for (NodeIndex slot = 0; slot < names.size(); ++slot) {
    const auto next = static_cast<uint32_t>(ids_.size());
    names[slot] = ids_.try_emplace(std::string(placement.node(slot).id), next)
                      .first->second;
  }
  return {std::move(placement), std::move(names)};
}

Status Contender::AddChanges(const Members& members,
                             const CompareChanges& changes) {
  auto added = WithAdded(members, placement(), changes.added);
  if (!added.ok()) return added.status();
  changed_.push_back(Name(std::move(added).value()));
  for (const size_t place : changes.removed) {
    auto removed = WithRemoved(members, placement(), place);
    if (!removed.ok()) return removed.status();
    changed_.push_back(Name(std::move(removed).value()));
  }
  return {};
}

Status Contender::AddViews(const Scheme& scheme,
                           const CompareChanges& changes) {
  for (const Members& view : changes.other_views) {
    auto placement = BuildPlacement(MembersUnder(view, scheme));
    if (!placement.ok()) return placement.status();
    views_.push_back(Name(std::move(placement).value()));
  }
  return {};
}

Result<Contender> Contender::Create(const Members& members,
                                    const Scheme& scheme,
                                    const CompareChanges& changes) {
  const Members under = MembersUnder(members, scheme);
  auto base = BuildPlacement(under);
  if (!base.ok()) return base.status();
  Contender contender(std::move(base).value());
  contender.counts_.resize(contender.placement().slot_count());
  if (Status s = contender.AddChanges(under, changes); !s.ok()) return s;
  if (Status s = contender.AddViews(scheme, changes); !s.ok()) return s;
  return contender;
}

void Contender::Ask(const Named& named, KeyBatch& batch,
                    std::vector<uint32_t>& names) {
  slots_.resize(batch.size());
  names.resize(batch.size());
  batch.Owners(named.placement, slots_.data());
  for (size_t i = 0; i < batch.size(); ++i) {
    names[i] = slots_[i] == kNoNode ? kNobody : named.names[slots_[i]];
  }
}

uint64_t Contender::CountMoved(const Named& named, KeyBatch& batch) {
  Ask(named, batch, after_);
  uint64_t moved = 0;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (before_[i] != after_[i]) ++moved;
  }
  return moved;
}

void Contender::CountOwners(KeyBatch& batch) {
  std::vector<std::vector<uint32_t>> names(views_.size());
  for (size_t v = 0; v < views_.size(); ++v) Ask(views_[v], batch, names[v]);
  std::vector<uint32_t> owners;
  for (size_t i = 0; i < batch.size(); ++i) {
    owners.assign(1, before_[i]);
    for (const auto& view : names) owners.push_back(view[i]);
    std::ranges::sort(owners);
    const auto last = std::unique(owners.begin(), owners.end());
    const auto count = static_cast<uint32_t>(last - owners.begin());
    owners_ += count;
    most_owners_ = std::max(most_owners_, count);
    if (count > 1) ++disputed_;
  }
}

void Contender::Count(KeyBatch& batch) {
  Ask(base_, batch, before_);
  for (const NodeIndex slot : slots_) {
    if (slot != kNoNode) ++counts_[slot];
  }
  keys_ += batch.size();
  moved_by_adding_ += CountMoved(changed_[0], batch);
  for (size_t i = 1; i < changed_.size(); ++i) {
    moved_by_removing_ += CountMoved(changed_[i], batch);
  }
  if (!views_.empty()) CountOwners(batch);
}

double Contender::MovedByAdding() const {
  return Over(moved_by_adding_, keys_);
}

double Contender::MovedByRemoving() const {
  return Over(moved_by_removing_, keys_ * (changed_.size() - 1));
}

double Contender::MeanOwners() const { return Over(owners_, keys_); }

double Contender::Disagreement() const { return Over(disputed_, keys_); }

}  // namespace clockwise::tool
