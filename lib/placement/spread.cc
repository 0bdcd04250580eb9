// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Lookups of replicas by topology.
#include "clockwise/spread.h"

#include <algorithm>
#include <type_traits>

#include "placement/spread_access.h"
#include "placement/spread_order.h"
#include "placement/spread_walk.h"

namespace clockwise {
namespace {

using detail::Exclusion;
using detail::Place;
using detail::SpreadTables;
using detail::ZoneQuota;

// The available nodes clockwise, once or again from the first. Keeps those
// passed over, so that points are walked again only where these are too many.
template <typename IsOut>
class NodesMet {
 public:
  NodesMet(NodeWalk walk, IsOut is_out)
      : walk_(walk), after_kept_(walk), is_out_(is_out) {}

  NodeIndex Next() noexcept {
    if (at_ < kept_count_) return kept_[at_++];
    NodeIndex node = walk_.Next();
    while (node != kNoNode && is_out_(node)) node = walk_.Next();
    if (node != kNoNode && kept_count_ < kKept) {
      kept_[kept_count_++] = node;
      at_ = kept_count_;
      if (kept_count_ == kKept) after_kept_ = walk_;
    }
    return node;
  }
  void Rewind() noexcept {
    at_ = 0;
    if (kept_count_ == kKept) walk_ = after_kept_;
  }

 private:
  static constexpr uint32_t kKept = 256;

  NodeWalk walk_;
  NodeWalk after_kept_;
  [[no_unique_address]] IsOut is_out_;
  uint32_t at_ = 0;
  uint32_t kept_count_ = 0;
  std::array<NodeIndex, kKept> kept_;  // filled as far as kept_count_
};

// How many replicas there are already where a node stands.
struct Use {
  uint32_t region = 0, zone = 0, rack = 0;
  friend bool operator==(const Use&, const Use&) = default;
};

// Takes the first replicas in rounds, one in each region, or in each zone where
// all is one region: nothing is used less than what a round has not come to, so
// that each is the first node clockwise there. One round, or, where those have
// no parts that could be used unevenly, as many as it takes. Gives up where
// none of the next points serves. Returns how many it took.
template <typename OwnerType, typename IsOut>
uint32_t TakeRounds(const SpreadTables& t, const OwnerType* owners,
                    size_t first, IsOut is_out,
                    std::span<NodeIndex> nodes) noexcept {
  constexpr size_t kPoints = 48;
  uint32_t labels[kMaxSpread];
  const bool is_by_zone = t.regions == 1;
  const uint32_t each = is_by_zone ? t.zones : t.regions;
  const size_t wanted =
      t.racks == each ? nodes.size() : std::min<size_t>(nodes.size(), each);
  const size_t points = std::min<size_t>(kPoints, t.points);
  uint32_t count = 0;
  for (uint32_t round = 0; count < wanted; ++round) {
    const size_t end = std::min<size_t>(wanted, size_t{each} * (round + 1));
    size_t i = first;
    for (size_t walked = 0; walked < points && count < end; ++walked) {
      const NodeIndex node = owners[i];
      if (++i == t.points) i = 0;
      const Place& at = t.places[node];
      const uint32_t label = is_by_zone ? at.zone : at.region;
      uint32_t uses = 0;
      for (uint32_t j = 0; j < count && uses <= round; ++j) {
        if (nodes[j] == node) uses = round;
        uses += labels[j] == label;
      }
      if (uses != round || is_out(node)) continue;
      labels[count] = label;
      nodes[count++] = node;
    }
    if (count < end) break;
  }
  return count;
}

// Chooses replicas one by one: each is the first node clockwise in the least
// used place that has one left. How little that may be used is bounded by what
// was chosen; a node found at the bound is the one. Where the next few nodes
// are not, the least used place is looked up in the index, and the walk goes on
// to its first node, which is there.
template <typename IsOut>
class Chooser {
 public:
  Chooser(const SpreadTables& tables, NodeWalk walk,
          std::span<const ZoneQuota> quotas, IsOut is_out,
          std::span<NodeIndex> chosen)
      : t_(tables),
        met_(walk, is_out),
        is_out_(is_out),
        quotas_(quotas),
        is_limited_(!quotas.empty()),
        chosen_(chosen) {}

  // Goes on after the first `taken`.
  SpreadAnswer Run(uint32_t taken) noexcept {
    SpreadAnswer answer;
    for (uint32_t i = 0; i < taken; ++i) {
      Take(chosen_[i], UseAt(t_.places[chosen_[i]]), answer);
    }
    while (count_ < chosen_.size()) {
      constexpr uint32_t kFew = 16;
      Use use = LeastPossible();
      NodeIndex node = FindWithin(kFew, use);
      if (node == kNoNode) {
        if (FindLeast(use)) {
          node = FindWithin(t_.nodes, use);
        } else if (is_limited_) {
          LiftQuotas();
          continue;
        }
      }
      if (node == kNoNode) break;
      Take(node, use, answer);
    }
    answer.count = count_;
    return answer;
  }

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  // Zones beyond the quotas help, and nodes passed over count again.
  void LiftQuotas() noexcept {
    is_limited_ = false;
    passed_ = {kNone, kNone, kNone};
  }

  void Take(NodeIndex node, const Use& use, SpreadAnswer& answer) noexcept {
    answer.is_relaxed |= !is_limited_ && !quotas_.empty();
    answer.shares_region |= use.region > 0;
    answer.shares_zone |= use.zone > 0;
    answer.shares_rack |= use.rack > 0;
    used_regions_ += use.region == 0;
    used_zones_ += use.zone == 0;
    used_racks_ += use.rack == 0;
    const Place& at = t_.places[node];
    regions_[count_] = at.region;
    zones_[count_] = at.zone;
    racks_[count_] = at.rack;
    chosen_[count_++] = node;
  }

  [[nodiscard]] Use UseAt(const Place& at) const noexcept {
    Use use;
    for (uint32_t i = 0; i < count_; ++i) {
      use.region += regions_[i] == at.region;
      use.zone += zones_[i] == at.zone;
      use.rack += racks_[i] == at.rack;
    }
    return use;
  }

  // No place with a node left is used less: counted as if all that were chosen
  // from had some.
  [[nodiscard]] Use LeastPossible() const noexcept {
    if (used_regions_ < t_.regions) return {};
    if (t_.regions == 1 && used_zones_ < t_.zones) return {count_, 0, 0};
    Use least = {kNone, kNone, kNone};
    for (uint32_t i = 0; i < count_; ++i) {
      const Use use = UseAt(PlaceOf(i));
      if (use.region > least.region) continue;
      if (use.region < least.region) least = {use.region, kNone, kNone};
      if (use.zone > least.zone) continue;
      if (use.zone < least.zone) least = {use.region, use.zone, kNone};
      least.rack = std::min(least.rack, use.rack);
    }
    if (used_zones_ < t_.zones) least.zone = 0;
    if (used_racks_ < t_.racks || least.zone == 0) least.rack = 0;
    return least;
  }

  [[nodiscard]] Place PlaceOf(uint32_t i) const noexcept {
    return {regions_[i], zones_[i], racks_[i]};
  }

  template <uint32_t Place::*kLabel>
  [[nodiscard]] uint32_t UseOf(uint32_t label) const noexcept {
    uint32_t use = 0;
    for (uint32_t i = 0; i < count_; ++i) use += PlaceOf(i).*kLabel == label;
    return use;
  }

  [[nodiscard]] bool IsChosen(NodeIndex node) const noexcept {
    const auto end = chosen_.begin() + count_;
    return std::find(chosen_.begin(), end, node) != end;
  }

  // Whether the zone may have one more.
  [[nodiscard]] bool IsOpen(uint32_t zone) const noexcept {
    if (!is_limited_) return true;
    for (const ZoneQuota& quota : quotas_) {
      if (quota.zone == zone) return UseOf<&Place::zone>(zone) < quota.count;
    }
    return false;
  }

  // Whether a node is left in a place.
  [[nodiscard]] bool HasRack(uint32_t rack) const noexcept {
    for (uint32_t i = t_.nodes_of[rack]; i < t_.nodes_of[rack + 1]; ++i) {
      const NodeIndex node = t_.by_place[i];
      if (!IsChosen(node) && !is_out_(node)) return true;
    }
    return false;
  }
  [[nodiscard]] bool HasZone(uint32_t zone) const noexcept {
    if (!IsOpen(zone)) return false;
    for (uint32_t i = t_.racks_of[zone]; i < t_.racks_of[zone + 1]; ++i) {
      if (HasRack(i)) return true;
    }
    return false;
  }
  [[nodiscard]] bool HasRegion(uint32_t region) const noexcept {
    for (uint32_t i = t_.zones_of[region]; i < t_.zones_of[region + 1]; ++i) {
      if (HasZone(i)) return true;
    }
    return false;
  }

  // Sets `use` to that of the least used place which has a node left. Returns
  // whether there is one. An unused region, zone or rack is looked for among
  // all; used ones are those of the nodes chosen.
  bool FindLeast(Use& use) const noexcept {
    use = {};
    for (uint32_t i = 0; i < t_.regions; ++i) {
      if (UseOf<&Place::region>(i) == 0 && HasRegion(i)) return true;
    }
    use.region = Least<&Place::region>(
        [this](const Place& at) { return HasRegion(at.region); });
    if (use.region == kNone) return false;
    const auto is_in_region = [&](const Place& at) {
      return UseOf<&Place::region>(at.region) == use.region;
    };
    if (HasUnused<&Place::region, &Place::zone>(t_.zones_of, is_in_region)) {
      return true;
    }
    use.zone = Least<&Place::zone>(
        [&](const Place& at) { return is_in_region(at) && HasZone(at.zone); });
    const auto is_in_zone = [&](const Place& at) {
      return is_in_region(at) && IsOpen(at.zone) &&
             UseOf<&Place::zone>(at.zone) == use.zone;
    };
    if (HasUnused<&Place::zone, &Place::rack>(t_.racks_of, is_in_zone)) {
      return true;
    }
    use.rack = Least<&Place::rack>(
        [&](const Place& at) { return is_in_zone(at) && HasRack(at.rack); });
    return true;
  }

  // Whether no node chosen before stands there: each place is looked at once.
  template <uint32_t Place::*kLabel>
  [[nodiscard]] bool IsFirstIn(uint32_t i) const noexcept {
    for (uint32_t j = 0; j < i; ++j) {
      if (PlaceOf(j).*kLabel == PlaceOf(i).*kLabel) return false;
    }
    return true;
  }

  // The least use of a label among chosen nodes for which `is_wanted` holds.
  template <uint32_t Place::*kLabel, typename F>
  [[nodiscard]] uint32_t Least(F is_wanted) const noexcept {
    uint32_t least = kNone;
    for (uint32_t i = 0; i < count_; ++i) {
      const Place at = PlaceOf(i);
      if (!IsFirstIn<kLabel>(i)) continue;
      const uint32_t use = UseOf<kLabel>(at.*kLabel);
      if (use < least && is_wanted(at)) least = use;
    }
    return least;
  }

  // Whether one of the wanted places has a part that is unused and has a node.
  template <uint32_t Place::*kWhole, uint32_t Place::*kPart, typename F>
  [[nodiscard]] bool HasUnused(const uint32_t* parts_of,
                               F is_wanted) const noexcept {
    for (uint32_t i = 0; i < count_; ++i) {
      const Place at = PlaceOf(i);
      if (!IsFirstIn<kWhole>(i) || !is_wanted(at)) continue;
      const uint32_t whole = at.*kWhole;
      for (uint32_t part = parts_of[whole]; part < parts_of[whole + 1];
           ++part) {
        if (UseOf<kPart>(part) == 0 && HasPart<kPart>(part)) return true;
      }
    }
    return false;
  }
  template <uint32_t Place::*kPart>
  [[nodiscard]] bool HasPart(uint32_t part) const noexcept {
    if constexpr (kPart == &Place::zone) {
      return HasZone(part);
    } else {
      return HasRack(part);
    }
  }

  // Returns the first node whose place is used so, and which may be taken; none
  // if `few` more nodes are not.
  NodeIndex FindWithin(uint32_t few, const Use& use) noexcept {
    // Places are used more as replicas are added: a node that was passed over
    // is not wanted until another use is. A single region's tells none apart.
    const bool is_same = use.zone == passed_.zone && use.rack == passed_.rack &&
                         (use.region == passed_.region || t_.regions == 1);
    if (!is_same) met_.Rewind();
    passed_ = use;
    for (; few > 0; --few) {
      const NodeIndex node = met_.Next();
      if (node == kNoNode || IsWanted(node, use)) return node;
    }
    return kNoNode;
  }

  [[nodiscard]] bool IsWanted(NodeIndex node, const Use& use) const noexcept {
    const Place& at = t_.places[node];
    if (use.zone > 0) {
      return UseAt(at) == use && IsOpen(at.zone) && !IsChosen(node);
    }
    // The common case, for which one look decides most often.
    for (uint32_t i = 0; i < count_; ++i) {
      if (zones_[i] == at.zone) return false;
    }
    return (t_.regions == 1 ||
            UseOf<&Place::region>(at.region) == use.region) &&
           IsOpen(at.zone);
  }

  const SpreadTables& t_;
  NodesMet<IsOut> met_;
  [[no_unique_address]] IsOut is_out_;
  std::span<const ZoneQuota> quotas_;
  bool is_limited_;  // to zones that have a quota, and room in it
  std::span<NodeIndex> chosen_;
  Use passed_;  // no node before the next one met is used so
  uint32_t count_ = 0;
  uint32_t used_regions_ = 0, used_zones_ = 0, used_racks_ = 0;
  // Where chosen nodes stand; filled as far as count_.
  std::array<uint32_t, kMaxSpread> regions_, zones_, racks_;
};

struct IsExcluded {
  Exclusion exclusion;
  bool operator()(NodeIndex node) const noexcept {
    return exclusion.ask(exclusion.context, node);
  }
};

template <typename IsOut>
SpreadAnswer Choose(const SpreadTables& tables, const RingView& ring,
                    size_t first, std::span<const ZoneQuota> quotas,
                    IsOut is_out, std::span<NodeIndex> nodes) noexcept {
  const detail::RingImage& image = *ring.image();
  uint32_t taken = 0;
  if (quotas.empty()) {
    taken = image.is_wide != 0
                ? TakeRounds(tables, image.At<uint32_t>(image.owners_at), first,
                             is_out, nodes)
                : TakeRounds(tables, image.At<uint16_t>(image.owners_at), first,
                             is_out, nodes);
    if (taken == nodes.size()) {
      SpreadAnswer answer;
      answer.count = taken;
      answer.shares_region = taken > tables.regions;
      answer.shares_zone = answer.shares_rack = taken > tables.zones;
      return answer;
    }
  }
  const NodeWalk walk(tables, ring, first);
  return Chooser(tables, walk, quotas, is_out, nodes).Run(taken);
}

SpreadAnswer Choose(const SpreadTables& tables, const RingView& ring,
                    size_t first, std::span<const ZoneQuota> quotas,
                    const Exclusion& exclusion,
                    std::span<NodeIndex> nodes) noexcept {
  return exclusion.ask == nullptr
             ? Choose(tables, ring, first, quotas, NoExclusion(), nodes)
             : Choose(tables, ring, first, quotas, IsExcluded{exclusion},
                      nodes);
}

// Moves the nodes for which `is_first` holds to the front; stable, and without
// the buffer that std::stable_partition asks for. Returns their end.
template <typename F>
NodeIndex* PutFirst(NodeIndex* begin, NodeIndex* end, F is_first) noexcept {
  if (end - begin < 2) {
    return begin != end && is_first(*begin) ? end : begin;
  }
  NodeIndex* const middle = begin + (end - begin) / 2;
  return std::rotate(PutFirst(begin, middle, is_first), middle,
                     PutFirst(middle, end, is_first));
}

void PutNearFirst(const SpreadTables& tables, const Place& near,
                  std::span<NodeIndex> nodes) noexcept {
  for (auto label : {&Place::region, &Place::zone, &Place::rack}) {
    PutFirst(nodes.data(), nodes.data() + nodes.size(), [&](NodeIndex node) {
      return tables.places[node].*label == near.*label;
    });
  }
}

bool SharesWhatIsApart(const SpreadAnswer& answer, Apart apart) noexcept {
  switch (apart) {
    case Apart::kNode:
      break;
    case Apart::kRack:
      return answer.shares_rack;
    case Apart::kZone:
      return answer.shares_zone;
    case Apart::kRegion:
      return answer.shares_region;
  }
  return false;
}

// Says what of the plan does not hold of the answer.
void Judge(const SpreadPlan& plan, SpreadAnswer& answer) noexcept {
  answer.short_by = plan.count() - answer.count;
  if (SpreadAccess::Quotas(plan).empty()) {
    answer.is_relaxed = SharesWhatIsApart(answer, SpreadAccess::ApartOf(plan));
  } else {
    answer.is_relaxed |= answer.short_by > 0;
  }
  answer.is_refused =
      plan.is_strict() && (answer.is_relaxed || answer.short_by > 0);
  if (answer.is_refused) answer.count = 0;
}

}  // namespace

NodeIndex NodeWalk::Next() noexcept {
  if (left_ == 0) return kNoNode;
  const SpreadTables& t = *tables_;
  if (!has_wrapped_) {
    next_ = static_cast<uint32_t>(FirstBefore(t, next_, first_ + t.points));
    if (next_ < t.points) {
      --left_;
      return OwnerOfPoint(*image_, next_++);
    }
    has_wrapped_ = true;
    next_ = 0;
  }
  next_ = static_cast<uint32_t>(FirstBefore(t, next_, first_));
  if (next_ >= first_) {
    left_ = 0;
    return kNoNode;
  }
  --left_;
  return OwnerOfPoint(*image_, next_++);
}

NodeWalk SpreadIndex::Walk(const RingView& ring, uint64_t hash) const noexcept {
  static constexpr SpreadTables kNothing;
  const bool is_of_this = ring.point_count() == tables_.points &&
                          ring.slot_count() == tables_.slots;
  if (!is_of_this) return NodeWalk(kNothing, ring, 0);
  return NodeWalk(tables_, ring, ring.PointAt(hash));
}

SpreadAnswer SpreadIndex::Find(const RingView& ring, uint64_t hash,
                               const SpreadPlan& plan,
                               std::span<NodeIndex> nodes, Exclusion exclusion,
                               SpreadScratch* scratch) const noexcept {
  const bool has_room = scratch != nullptr
                            ? SpreadAccess::Slots(*scratch) >= tables_.slots
                            : plan.count_ <= kMaxSpread;
  if (!has_room || ring.point_count() != tables_.points ||
      ring.slot_count() != tables_.slots) {
    SpreadAnswer nothing;
    nothing.short_by = plan.count_;
    nothing.is_refused = !has_room || plan.is_strict_;
    return nothing;
  }
  nodes = nodes.first(
      std::min({nodes.size(), size_t{plan.count_}, size_t{tables_.nodes}}));
  const size_t first = ring.PointAt(hash);
  SpreadAnswer answer =
      scratch != nullptr
          ? OrderBySpread(tables_, NodeWalk(tables_, ring, first), plan.quotas_,
                          exclusion, *scratch, nodes)
          : Choose(tables_, ring, first, plan.quotas_, exclusion, nodes);
  Judge(plan, answer);
  if (plan.is_near_) {
    PutNearFirst(tables_, plan.near_, nodes.first(answer.count));
  }
  return answer;
}

}  // namespace clockwise
