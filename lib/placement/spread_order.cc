// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The rule makes one order of all nodes. Within a rack they are taken
// clockwise. A zone takes, each time, the head of the rack that it has taken
// least from: so its nodes come by (number within the rack, clockwise). A
// region likewise takes heads of its zones, by (number within the zone, within
// the rack, clockwise), and the whole takes heads of regions. Three times,
// then, nodes are numbered within their group and sorted by that number, and a
// stable sort keeps what was sorted before.
#include "placement/spread_order.h"

#include <algorithm>

#include "placement/spread_access.h"

namespace clockwise {
namespace {

using detail::Place;
using detail::SpreadTables;
using detail::ZoneQuota;

class Order {
 public:
  Order(const SpreadTables& tables, SpreadScratch& scratch)
      : t_(tables), list_(SpreadAccess::Words(scratch)) {
    const size_t each = size_t{SpreadAccess::Slots(scratch)} + 1;
    other_ = list_ + each;
    number_ = other_ + each;
    tally_ = number_ + each;
    starts_ = tally_ + each;
  }

  void Fill(NodeWalk walk, const detail::Exclusion& exclusion) {
    for (NodeIndex node = walk.Next(); node != kNoNode; node = walk.Next()) {
      const bool is_out =
          exclusion.ask != nullptr && exclusion.ask(exclusion.context, node);
      if (!is_out) list_[size_++] = node;
    }
  }

  // Returns how many nodes are within quotas; they come first.
  uint32_t Sort(std::span<const ZoneQuota> quotas) {
    Clear(t_.racks);
    Number(0, size_, &Place::rack);
    SortByNumber(0, size_);
    Clear(t_.zones);
    Number(0, size_, &Place::zone);
    const uint32_t within = quotas.empty() ? size_ : Divide(quotas);
    Clear(t_.regions);
    for (const auto& [begin, end] : {std::pair{0u, within}, {within, size_}}) {
      SortByNumber(begin, end);
      Number(begin, end, &Place::region);
      SortByNumber(begin, end);
    }
    return within;
  }

  [[nodiscard]] std::span<const NodeIndex> list() const {
    return {list_, size_};
  }

  // Whether two of the first `count` nodes share a label.
  bool Shares(uint32_t count, uint32_t Place::*label, uint32_t labels) {
    Clear(labels);
    return std::any_of(list_, list_ + count, [&](NodeIndex node) {
      return tally_[t_.places[node].*label]++ > 0;
    });
  }

 private:
  void Clear(uint32_t groups) { std::fill_n(tally_, groups, 0); }

  // Numbers nodes within their groups.
  void Number(uint32_t begin, uint32_t end, uint32_t Place::*group) {
    for (uint32_t i = begin; i < end; ++i) {
      number_[list_[i]] = tally_[t_.places[list_[i]].*group]++;
    }
  }

  // Stable.
  void SortByNumber(uint32_t begin, uint32_t end) {
    uint32_t greatest = 0;
    for (uint32_t i = begin; i < end; ++i) {
      greatest = std::max(greatest, number_[list_[i]]);
    }
    std::fill_n(starts_, greatest + 1, 0);
    for (uint32_t i = begin; i < end; ++i) ++starts_[number_[list_[i]]];
    for (uint32_t n = 0, at = begin; n <= greatest; ++n) {
      at += std::exchange(starts_[n], at);
    }
    for (uint32_t i = begin; i < end; ++i) {
      other_[starts_[number_[list_[i]]]++] = list_[i];
    }
    std::copy(other_ + begin, other_ + end, list_ + begin);
  }

  // Puts the nodes that their zone's quota has room for first; stable.
  uint32_t Divide(std::span<const ZoneQuota> quotas) {
    std::fill_n(starts_, t_.zones, 0);
    for (const ZoneQuota& quota : quotas) {
      if (quota.zone < t_.zones) starts_[quota.zone] = quota.count;
    }
    uint32_t within = 0, beyond = 0;
    for (uint32_t i = 0; i < size_; ++i) {
      const NodeIndex node = list_[i];
      const bool is_within = number_[node] < starts_[t_.places[node].zone];
      (is_within ? list_[within++] : other_[beyond++]) = node;
    }
    std::copy(other_, other_ + beyond, list_ + within);
    return within;
  }

  const SpreadTables& t_;
  uint32_t* list_;    // nodes, as far as they are sorted
  uint32_t* other_;   // room to sort
  uint32_t* number_;  // by slot: within the group
  uint32_t* tally_;   // by group
  uint32_t* starts_;  // by number
  uint32_t size_ = 0;
};

}  // namespace

SpreadAnswer OrderBySpread(const SpreadTables& tables, NodeWalk walk,
                           std::span<const ZoneQuota> quotas,
                           const detail::Exclusion& exclusion,
                           SpreadScratch& scratch,
                           std::span<NodeIndex> nodes) noexcept {
  Order order(tables, scratch);
  order.Fill(walk, exclusion);
  const uint32_t within = order.Sort(quotas);
  SpreadAnswer answer;
  answer.count =
      static_cast<uint32_t>(std::min(nodes.size(), order.list().size()));
  std::copy_n(order.list().begin(), answer.count, nodes.begin());
  answer.is_relaxed = answer.count > within;
  answer.shares_region =
      order.Shares(answer.count, &Place::region, tables.regions);
  answer.shares_zone = order.Shares(answer.count, &Place::zone, tables.zones);
  answer.shares_rack = order.Shares(answer.count, &Place::rack, tables.racks);
  return answer;
}

}  // namespace clockwise
