// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The making of an index.
#include <algorithm>
#include <array>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

#include "base/align.h"
#include "base/out_of_memory.h"
#include "clockwise/spread.h"
#include "placement/spread_access.h"

namespace clockwise {
namespace {

using detail::kSpreadFan;
using detail::Place;
using detail::SpreadTables;

constexpr uint32_t kNever = 0xFFFFFFFFu;

// Hands out parts of a block; counts their bytes first, while it has none.
class Parts {
 public:
  explicit Parts(std::byte* base = nullptr) : base_(base) {}
  template <typename T>
  T* Take(size_t count) {
    T* part = base_ != nullptr ? reinterpret_cast<T*>(base_ + bytes_) : nullptr;
    bytes_ += RoundUpToLine(count * sizeof(T));
    return part;
  }
  [[nodiscard]] size_t bytes() const { return bytes_; }

 private:
  std::byte* base_;
  size_t bytes_ = 0;
};

// The parts of an index that are written.
struct Writable {
  Place* places;
  uint32_t *zones_of, *racks_of, *nodes_of;
  NodeIndex* by_place;
  std::array<uint32_t*, detail::kMaxSpreadLevels> before;
};

// Always one more than there are values, for what ends them.
size_t Padded(size_t values) { return RoundUp(values + 1, kSpreadFan); }

Writable TakeParts(SpreadTables& t, Parts& parts) {
  Writable w{};
  w.places = parts.Take<Place>(t.slots);
  w.zones_of = parts.Take<uint32_t>(t.regions + size_t{1});
  w.racks_of = parts.Take<uint32_t>(t.zones + size_t{1});
  w.nodes_of = parts.Take<uint32_t>(t.racks + size_t{1});
  w.by_place = parts.Take<NodeIndex>(t.nodes);
  t.levels = 0;
  for (size_t values = t.points;; values = Padded(values) / kSpreadFan) {
    w.before[t.levels++] = parts.Take<uint32_t>(Padded(values));
    if (Padded(values) == kSpreadFan) break;
  }
  t.places = w.places;
  t.zones_of = w.zones_of;
  t.racks_of = w.racks_of;
  t.nodes_of = w.nodes_of;
  t.by_place = w.by_place;
  std::copy(w.before.begin(), w.before.end(), t.before);
  return w;
}

// Slots whose nodes have points, those of one rack, zone and region together.
std::vector<NodeIndex> SlotsByPlace(const Ring& ring) {
  std::vector<NodeIndex> slots;
  for (NodeIndex slot : ring.slots_by_id()) {
    if (ring.node(slot).points > 0) slots.push_back(slot);
  }
  std::sort(slots.begin(), slots.end(), [&](NodeIndex x, NodeIndex y) {
    const NodeView a = ring.node(x), b = ring.node(y);
    return std::tie(a.region, a.zone, a.rack, x) <
           std::tie(b.region, b.zone, b.rack, y);
  });
  return slots;
}

// How many labels of a node, from the region on, are those of another.
int SharedLabels(const NodeView& a, const NodeView& b) {
  if (a.region != b.region) return 0;
  if (a.zone != b.zone) return 1;
  return a.rack != b.rack ? 2 : 3;
}

// Calls `f(slot, shared)` for all, `shared` with the one before.
template <typename F>
void ForEachPlace(const Ring& ring, const std::vector<NodeIndex>& slots, F f) {
  for (size_t i = 0; i < slots.size(); ++i) {
    f(slots[i],
      i == 0 ? 0 : SharedLabels(ring.node(slots[i - 1]), ring.node(slots[i])));
  }
}

void CountPlaces(const Ring& ring, const std::vector<NodeIndex>& slots,
                 SpreadTables& t) {
  ForEachPlace(ring, slots, [&](NodeIndex, int shared) {
    if (shared < 1) ++t.regions;
    if (shared < 2) ++t.zones;
    if (shared < 3) ++t.racks;
  });
}

void FillPlaces(const Ring& ring, const std::vector<NodeIndex>& slots,
                const SpreadTables& t, const Writable& w) {
  std::fill_n(w.places, t.slots, Place());
  std::copy(slots.begin(), slots.end(), w.by_place);
  uint32_t regions = 0, zones = 0, racks = 0, nodes = 0;
  ForEachPlace(ring, slots, [&](NodeIndex slot, int shared) {
    if (shared < 1) w.zones_of[regions++] = zones;
    if (shared < 2) w.racks_of[zones++] = racks;
    if (shared < 3) w.nodes_of[racks++] = nodes;
    ++nodes;
    w.places[slot] = {regions - 1, zones - 1, racks - 1};
  });
  w.zones_of[regions] = zones;
  w.racks_of[zones] = racks;
  w.nodes_of[racks] = nodes;
}

void FillBefore(const RingView& ring, const SpreadTables& t,
                const Writable& w) {
  std::vector<uint32_t> last(t.slots, 0);
  for (uint32_t i = 0; i < t.points; ++i) last[ring.OwnerAt(i)] = i;
  // `last` is the last point of all, on the turn before; then of this turn.
  uint32_t* before = w.before[0];
  for (uint32_t i = 0; i < t.points; ++i) {
    uint32_t& point = last[ring.OwnerAt(i)];
    before[i] = point;
    point = i + t.points;
  }
  std::fill(before + t.points, before + Padded(t.points), kNever);
}

void FillLevels(const SpreadTables& t, const Writable& w) {
  size_t values = t.points;
  for (uint32_t level = 1; level < t.levels; ++level) {
    const uint32_t* below = w.before[level - 1];
    uint32_t* least = w.before[level];
    values = Padded(values) / kSpreadFan;
    for (size_t i = 0; i < values; ++i) {
      least[i] = *std::min_element(below + i * kSpreadFan,
                                   below + (i + 1) * kSpreadFan);
    }
    std::fill(least + values, least + Padded(values), kNever);
  }
}

}  // namespace

SpreadIndex::SpreadIndex(SpreadIndex&&) noexcept = default;
SpreadIndex& SpreadIndex::operator=(SpreadIndex&&) noexcept = default;
SpreadIndex::~SpreadIndex() = default;

Result<SpreadIndex> SpreadIndex::Build(const Ring& ring,
                                       BlockSource* source) try {
  const std::vector<NodeIndex> slots = SlotsByPlace(ring);
  SpreadIndex index;
  SpreadTables& t = index.tables_;
  t.points = ring.point_count();
  t.slots = ring.slot_count();
  t.nodes = static_cast<uint32_t>(slots.size());
  CountPlaces(ring, slots, t);

  Parts sizes;
  TakeParts(t, sizes);
  index.block_ = Block::Acquire(
      source != nullptr ? *source : DefaultBlockSource(), sizes.bytes());
  if (index.block_.data() == nullptr) return OutOfMemory();
  Parts parts(static_cast<std::byte*>(index.block_.data()));
  const Writable w = TakeParts(t, parts);
  FillPlaces(ring, slots, t, w);
  FillBefore(ring, t, w);
  FillLevels(t, w);
  return index;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<SpreadScratch> SpreadScratch::Create(uint32_t slots) try {
  SpreadScratch scratch;
  scratch.slots_ = slots;
  scratch.words_.resize((size_t{slots} + 1) * 5);
  return scratch;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
