// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/merge.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "placement/points.h"
#include "search/point_index.h"

namespace clockwise {
namespace {

// A point that is not in the base, of the member with number `rank` by id.
struct NewPoint {
  uint64_t position;
  uint32_t rank;
};

class EditFinder {
 public:
  EditFinder(const RingOptions& options, const RingView& base,
             const NodeTable& table, const MemberList& list)
      : options_(options), base_(base), table_(table), list_(list) {}

  std::vector<PointEdit> Run() {
    const bool is_native = options_.scheme == kNativeScheme;
    for (const Member& m : list_.removed) Remove(m, 0, is_native);
    for (uint32_t rank = 0; rank < list_.members.size(); ++rank) {
      const Member& m = list_.members[rank];
      if (m.has_positions) {
        if (m.base_points != 0) Remove(m, 0, is_native);
        for (uint64_t p : m.positions) AddPoint(p, rank);
      } else if (m.node.points < m.base_points) {
        Remove(m, m.node.points, is_native);
      } else if (m.node.points > m.base_points) {
        ForEachPoint(m.node.id, options_.seed, m.base_points, m.node.points,
                     [&](uint64_t p) { AddPoint(p, rank); });
      }
    }
    FindExplicitRemovals();
    return Merged();
  }

 private:
  [[nodiscard]] uint64_t Kept(uint64_t position) const {
    return options_.width == 32 ? position >> 32 << 32 : position;
  }

  void AddPoint(uint64_t position, uint32_t rank) {
    added_.push_back({Kept(position), rank});
  }

  // Takes away the base's points from the node's `first` on: hashed ones are
  // derived again, explicit ones are found by their owner.
  void Remove(const Member& m, uint32_t first, bool is_native) {
    if (!is_native) {
      emptied_.push_back(m.slot);
      return;
    }
    ForEachPoint(m.node.id, options_.seed, first, m.base_points,
                 [&](uint64_t p) {
                   removed_.push_back({0, m.slot, Kept(p), true});
                 });
  }

  void FindExplicitRemovals() {
    if (emptied_.empty()) return;
    std::vector<bool> is_emptied(table_.slots);
    for (NodeIndex slot : emptied_) is_emptied[slot] = true;
    for (uint32_t i = 0; i < base_.point_count(); ++i) {
      const NodeIndex slot = base_.OwnerAt(i);
      if (!is_emptied[slot]) continue;
      located_.push_back({i, slot, base_.PositionAt(i), true});
    }
  }

  // Removals of one node at one position take its points there one by one.
  void LocateRemovals() {
    std::sort(removed_.begin(), removed_.end(),
              [](const PointEdit& a, const PointEdit& b) {
                return std::tie(a.position, a.slot) <
                       std::tie(b.position, b.slot);
              });
    const PointEdit* before = nullptr;
    for (PointEdit& edit : removed_) {
      if (before != nullptr && before->position == edit.position &&
          before->slot == edit.slot) {
        edit.at = before->at + 1;
      } else {
        edit.at = Index(edit.position);
        while (base_.OwnerAt(edit.at) != edit.slot) ++edit.at;
      }
      before = &edit;
    }
    // Nodes that share a position are not in order of slot there.
    located_.insert(located_.end(), removed_.begin(), removed_.end());
    std::sort(
        located_.begin(), located_.end(),
        [](const PointEdit& a, const PointEdit& b) { return a.at < b.at; });
  }

  [[nodiscard]] uint32_t Index(uint64_t position) const {
    return static_cast<uint32_t>(PointIndex(*base_.image(), position));
  }

  // A new point comes after the base's points of equal position whose id is not
  // greater: those of its own node have lower numbers.
  [[nodiscard]] uint32_t IndexOfNew(const NewPoint& point,
                                    std::string_view id) const {
    uint32_t at = Index(point.position);
    while (at < base_.point_count() && base_.PositionAt(at) == point.position &&
           table_.IdOf(base_.OwnerAt(at)) <= id) {
      ++at;
    }
    return at;
  }

  std::vector<PointEdit> Merged() {
    LocateRemovals();
    // Stable: points of one node at one position stay in order of number.
    std::stable_sort(
        added_.begin(), added_.end(), [](const NewPoint& a, const NewPoint& b) {
          return std::tie(a.position, a.rank) < std::tie(b.position, b.rank);
        });
    std::vector<PointEdit> edits;
    edits.reserve(added_.size() + located_.size());
    auto removal = located_.begin();
    for (const NewPoint& point : added_) {
      const Member& member = list_.members[point.rank];
      const uint32_t at = IndexOfNew(point, member.node.id);
      // An addition at `at` comes before the point that was there.
      while (removal != located_.end() && removal->at < at) {
        edits.push_back(*removal++);
      }
      edits.push_back({at, member.slot, point.position, false});
    }
    edits.insert(edits.end(), removal, located_.end());
    return edits;
  }

  const RingOptions& options_;
  const RingView& base_;
  const NodeTable& table_;
  const MemberList& list_;
  std::vector<NodeIndex> emptied_;  // slots that lose all explicit points
  std::vector<NewPoint> added_;
  std::vector<PointEdit> removed_;  // `at` not yet known
  std::vector<PointEdit> located_;
};

template <typename Form>
class PointMerger {
 public:
  PointMerger(RingImage* image, const RingImage& base)
      : to_positions_(
            MutableAt<typename Form::Position>(image, image->positions_at)),
        to_owners_(MutableAt<typename Form::Owner>(image, image->owners_at)),
        positions_(base.At<typename Form::Position>(base.positions_at)),
        owners_(base.At<typename Form::Owner>(base.owners_at)),
        points_(base.points),
        collisions_(base.collisions) {}

  // Returns the collisions of the merged points: the base's, less and plus the
  // pairs of neighbours that edits part and make.
  uint32_t Run(const std::vector<PointEdit>& edits) {
    for (const PointEdit& edit : edits) {
      CopyUntil(edit.at);
      if (edit.is_removal) {
        collisions_ -= IsShadowed(positions_, from_++);
      } else {
        to_positions_[to_] = detail::ToPosition<Form::kWidth>(edit.position);
        to_owners_[to_] = static_cast<typename Form::Owner>(edit.slot);
        collisions_ += IsShadowed(to_positions_, to_++);
      }
    }
    CopyUntil(points_);
    return collisions_;
  }

 private:
  // Whether the position of point `i` equals the one before.
  static bool IsShadowed(const typename Form::Position* positions, size_t i) {
    return i > 0 && positions[i - 1] == positions[i];
  }

  // Within what is copied neighbours stay; its first point has a new one.
  void CopyUntil(uint32_t end) {
    const size_t count = end - from_;
    if (count == 0) return;
    std::copy_n(positions_ + from_, count, to_positions_ + to_);
    std::copy_n(owners_ + from_, count, to_owners_ + to_);
    collisions_ -= IsShadowed(positions_, from_);
    collisions_ += IsShadowed(to_positions_, to_);
    from_ += count;
    to_ += count;
  }

  typename Form::Position* to_positions_;
  typename Form::Owner* to_owners_;
  const typename Form::Position* positions_;
  const typename Form::Owner* owners_;
  uint32_t points_;
  uint32_t collisions_;
  size_t from_ = 0;
  size_t to_ = 0;
};

}  // namespace

uint64_t CountEdits(const MemberList& list) {
  uint64_t edits = 0;
  for (const Member& m : list.removed) edits += m.base_points;
  for (const Member& m : list.members) {
    const uint64_t now = m.node.points;
    const uint64_t then = m.base_points;
    edits += m.has_positions ? now + then
             : now < then    ? then - now
                             : now - then;
  }
  return edits;
}

std::vector<PointEdit> FindEdits(const RingOptions& options,
                                 const RingView& base, const NodeTable& table,
                                 const MemberList& list) {
  return EditFinder(options, base, table, list).Run();
}

void MergePoints(RingImage* image, const RingImage& base,
                 const std::vector<PointEdit>& edits) noexcept {
  ForForm(*image, [&](auto form) {
    image->collisions = PointMerger<decltype(form)>(image, base).Run(edits);
  });
}

}  // namespace clockwise
