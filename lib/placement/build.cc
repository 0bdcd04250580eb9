// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/build.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/out_of_memory.h"
#include "placement/merge.h"
#include "placement/point_sorter.h"
#include "placement/points.h"
#include "placement/ring_digest.h"
#include "search/lines.h"
#include "search/sections.h"
#include "search/trees.h"

namespace clockwise {

// The steps of one build. Each returns whether there was memory for it.
class RingAssembly {
 public:
  RingAssembly(const RingOptions& options, const Ring* base,
               const BuildRequest& request, const MemberList& list)
      : options_(options),
        base_(base),
        request_(request),
        list_(list),
        source_(request.source != nullptr ? *request.source
                                          : DefaultBlockSource()) {}

  Result<Ring> Run() {
    if (!AllocateTable() || !FillPoints() || !FillSearch()) {
      return Status(Code::kOutOfMemory,
                    RingTitle(options_) + ": no memory for " +
                        std::to_string(list_.points) + " points");
    }
    SetDigest();
    return Ring(std::move(image_), std::move(table_));
  }

  static const NodeTable* TableOf(const Ring* ring) {
    if (ring == nullptr) return nullptr;
    return static_cast<const NodeTable*>(ring->table_block_.data());
  }

 private:
  // Explicit points of each slot, ascending.
  using SlotPositions = std::vector<std::vector<uint64_t>>;

  [[nodiscard]] RingImage* image() const {
    return static_cast<RingImage*>(image_.data());
  }

  bool AllocateTable() {
    const uint8_t asked =
        options_.layout ? static_cast<uint8_t>(*options_.layout) + 1 : 0;
    table_ = BuildNodeTable(
        {options_.name, options_.scheme, params_, options_.vnodes,
         static_cast<uint32_t>(options_.max_points), asked, options_.ties},
        list_.members, list_.slots, source_);
    return table_.data() != nullptr;
  }

  [[nodiscard]] RingImage Header(Layout layout, bool with_escape_tree) const {
    RingImage header{};
    header.magic = RingImage::kMagic;
    header.epoch = request_.epoch;
    header.seed = options_.seed;
    header.points = list_.points;
    header.slots = list_.slots;
    header.nodes = list_.owners;
    header.width = static_cast<uint8_t>(options_.width);
    header.layout = layout;
    header.key_hash = options_.key_hash;
    header.is_wide = list_.slots > detail::kMaxNarrowSlots;
    PlaceSections(header, with_escape_tree, request_.forced_lines);
    return header;
  }

  // Puts an image with this header in place; its parts are not yet written.
  bool Allocate(const RingImage& header) {
    image_ = Block::Acquire(source_, header.bytes);
    if (image_.data() == nullptr) return false;
    new (image_.data()) RingImage(header);
    return true;
  }

  bool FillPoints() {
    const Layout layout = options_.layout.value_or(Layout::kLine);
    if (!Allocate(Header(layout, false))) return false;
    if (ShouldMerge()) {
      edits_ = FindEdits(options_, *base_, *TableOf(base_), list_);
      MergePoints(image(), *base_->image(), *edits_);
    } else if (!SortPoints()) {
      return false;
    }
    SealPoints(image());
    return true;
  }

  // Merging costs most by the point moved; a full build by the point there is.
  [[nodiscard]] bool ShouldMerge() const {
    if (base_ == nullptr || request_.path == BuildPath::kFull) return false;
    if (base_->image()->is_wide != image()->is_wide) return false;
    return request_.path == BuildPath::kMerge ||
           CountEdits(list_) < list_.points / 8;
  }

  bool SortPoints() {
    return ForForm(*image(), [&](auto form) {
      using F = decltype(form);
      PointSorter<F> sorter(list_.points, source_);
      if (!sorter.ok()) return false;
      SlotPositions base_positions;
      if (!IsNative() && base_ != nullptr) {
        base_positions = PositionsBySlot(*base_);
      }
      // Of equal positions the point that was added first owns.
      std::vector<const Member*> members =
          InOrder(list_.members, options_.ties);
      if (options_.ties == Ties::kLastAdded) {
        std::reverse(members.begin(), members.end());
      }
      for (const Member* m : members) AddPointsOf(*m, base_positions, sorter);
      image()->collisions = sorter.SortInto(
          MutableAt<typename F::Position>(image(), image()->positions_at),
          MutableAt<typename F::Owner>(image(), image()->owners_at));
      return true;
    });
  }

  template <typename Sorter>
  void AddPointsOf(const Member& m, const SlotPositions& base_positions,
                   Sorter& sorter) const {
    const auto add = [&](uint64_t p) { sorter.Add(p, m.slot); };
    if (IsNative()) {
      ForEachPoint(m.node.id, options_.seed, 0, m.node.points, add);
    } else if (m.has_positions) {
      for (uint64_t p : m.positions) add(p);
    } else {
      // The slot of a member that stayed is the base's.
      for (uint64_t p : base_positions[m.slot]) add(p);
    }
  }

  bool FillSearch() {
    switch (image()->layout) {
      case Layout::kSorted:
        return true;
      case Layout::kEytzinger:
        BuildEytzinger(image());
        return true;
      case Layout::kSplus:
        BuildSplus(image());
        return true;
      case Layout::kLine:
        break;
    }
    if (CanPatch()) {
      PatchLines(image(), *base_->image(), *edits_);
    } else {
      BuildLines(image());
    }
    return !WantsEscapeTree(*image()) || AddTree();
  }

  [[nodiscard]] bool CanPatch() const {
    return edits_ && base_->layout() == Layout::kLine &&
           base_->image()->lines == image()->lines;
  }

  // Rings that lines do not fit: the tree answers for what overflows, or, where
  // that is most points and the caller did not ask for lines, for everything.
  bool AddTree() {
    const bool is_tree_only =
        !options_.layout && image()->overflowed > image()->points / 2;
    RingImage header =
        Header(is_tree_only ? Layout::kSplus : Layout::kLine, true);
    header.overflowed = is_tree_only ? 0 : image()->overflowed;
    header.collisions = image()->collisions;
    const Block lines = std::exchange(image_, Block());
    if (!Allocate(header)) return false;
    CopyParts(*static_cast<const RingImage*>(lines.data()));
    BuildSplus(image());
    return true;
  }

  // Copies the points and, where both have them, the lines of `from`.
  void CopyParts(const RingImage& from) {
    const auto copy = [&](uint64_t from_at, uint64_t from_end, uint64_t at) {
      std::memcpy(MutableAt<std::byte>(image(), at),
                  from.At<std::byte>(from_at), from_end - from_at);
    };
    copy(from.positions_at, from.bytes, image()->positions_at);
    if (image()->layout == Layout::kLine) {
      copy(from.search_at, from.positions_at, image()->search_at);
    }
  }

  void SetDigest() {
    const auto& table = *static_cast<const NodeTable*>(table_.data());
    const Hash128 digest =
        RingDigest(*image(), table, KeyHashName(options_.key_hash));
    const Hash128 base = request_.local != 0 ? request_.base_digest : digest;
    image()->digest[0] = digest.high;
    image()->digest[1] = digest.low;
    image()->base_digest[0] = base.high;
    image()->base_digest[1] = base.low;
    image()->local = request_.local;
  }

  [[nodiscard]] bool IsNative() const {
    return options_.scheme == kNativeScheme;
  }

  static SlotPositions PositionsBySlot(const RingView& ring) {
    SlotPositions positions(ring.slot_count());
    for (size_t i = 0; i < ring.point_count(); ++i) {
      positions[ring.OwnerAt(i)].push_back(ring.PositionAt(i));
    }
    return positions;
  }

  const RingOptions& options_;
  const std::string params_ = Pack(options_.params);
  const Ring* base_;
  const BuildRequest& request_;
  const MemberList& list_;
  BlockSource& source_;
  Block image_;
  Block table_;
  std::optional<std::vector<PointEdit>> edits_;  // where points were merged
};

RingOptions OptionsOf(const Ring& ring) {
  const NodeTable& table = *RingAssembly::TableOf(&ring);
  RingOptions options;
  options.name = table.Name();
  options.scheme = table.Scheme();
  options.vnodes = table.vnodes;
  options.width = ring.width();
  options.seed = ring.seed();
  options.key_hash = ring.key_hash();
  if (table.layout_asked != 0) {
    options.layout = static_cast<Layout>(table.layout_asked - 1);
  }
  options.max_points = table.max_points;
  options.params = table.Parameters().ToParams();
  options.ties = table.ties;
  return options;
}

Result<Ring> BuildRing(const RingOptions& options, const Ring* base,
                       const MemberChanges& changes,
                       const BuildRequest& request) try {
  if (base != nullptr && options.ties != Ties::kSmallestId &&
      !request.is_own_rebuild) {
    return Status(Code::kInvalidOptions,
                  RingTitle(options) + ": scheme '" + options.scheme +
                      "' orders nodes as they were added: its rings are built "
                      "whole");
  }
  const auto list = ListMembers(options, RingAssembly::TableOf(base), changes);
  if (!list.ok()) return list.status();
  return RingAssembly(options, base, request, list.value()).Run();
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
