// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "wire/check_image.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/align.h"
#include "clockwise/key_hasher.h"
#include "search/lines.h"
#include "search/sections.h"
#include "search/trees.h"

namespace clockwise {
namespace {

Defect CheckRange(const RingImage& image) {
  using enum RingFileFault;
  if (image.magic != RingImage::kMagic) {
    return {kOptions, "the image does not begin as one does"};
  }
  if (image.width != 32 && image.width != 64) {
    return OutOfRange(kOptions, "width", image.width, "32 or 64");
  }
  if (image.layout > Layout::kLine) {
    return OutOfRange(kOptions, "layout", static_cast<uint8_t>(image.layout),
                      "at most 3");
  }
  if (image.key_hash > KeyHash::kMurmur3_32 &&
      image.key_hash != kKeyHashByName) {
    return OutOfRange(kKeyHash, "key hash",
                      static_cast<uint8_t>(image.key_hash), "0 to 2, or 255");
  }
  if (image.key_hash == KeyHash::kMurmur3_32 && image.width != 32) {
    return {kOptions, "key hash murmur3-32 needs width 32"};
  }
  if (image.slots > kMaxNodes) {
    return OutOfRange(kTooManyNodes, "slots", image.slots,
                      "at most " + std::to_string(kMaxNodes));
  }
  if (image.points > kMaxPointsLimit) {
    return OutOfRange(kTooManyPoints, "points", image.points,
                      "at most " + std::to_string(kMaxPointsLimit));
  }
  return {};
}

// A copy of the header with its parts placed anew.
RingImage Placed(const RingImage& header) {
  RingImage placed{};
  std::memcpy(&placed, &header, sizeof placed);
  for (uint64_t* at :
       {&placed.search_at, &placed.starts_at, &placed.search_owners_at}) {
    *at = 0;
  }
  std::fill(std::begin(placed.splus_at), std::end(placed.splus_at), 0);
  placed.splus_levels = 0;
  placed.is_wide = placed.slots > detail::kMaxNarrowSlots;
  if (placed.layout != Layout::kLine) placed.overflowed = 0;
  PlaceSections(placed, WantsEscapeTree(placed));
  std::fill(std::begin(placed.reserved), std::end(placed.reserved), 0);
  return placed;
}

template <typename Form>
class PointChecker {
  using T = typename Form::Position;
  using Owner = typename Form::Owner;

 public:
  PointChecker(const RingImage& image, const NodeTable& table)
      : image_(image),
        table_(table),
        positions_(image.At<T>(image.positions_at)),
        owners_(image.At<Owner>(image.owners_at)) {}

  Defect Run() {
    if (Defect defect = CountOwners()) return defect;
    if (Defect defect = CheckOrder()) return defect;
    return CheckSeal();
  }

 private:
  // Each slot owns as many points as its record says; a hole owns none.
  Defect CountOwners() {
    std::vector<uint32_t> counts(table_.slots);
    for (uint32_t i = 0; i < image_.points; ++i) {
      if (owners_[i] >= table_.slots) [[unlikely]] {
        return OutOfRange(RingFileFault::kOwner, "a point of slot", owners_[i],
                          std::to_string(table_.slots) + " slots");
      }
      ++counts[owners_[i]];
    }
    uint32_t nodes = 0;
    for (uint32_t slot = 0; slot < table_.slots; ++slot) {
      const NodeRecord& record = table_.Records()[slot];
      nodes += counts[slot] != 0;
      if (counts[slot] == record.points) continue;
      return OutOfRange(
          record.id_bytes == 0 ? RingFileFault::kOwner : RingFileFault::kCounts,
          "points of a slot:", counts[slot],
          "its record says " + std::to_string(record.points));
    }
    if (nodes == image_.nodes) return {};
    return OutOfRange(RingFileFault::kCounts,
                      "nodes with points:", image_.nodes,
                      std::to_string(nodes) + " have some");
  }

  Defect CheckOrder() const {
    uint32_t collisions = 0;
    for (uint32_t i = 1; i < image_.points; ++i) {
      if (positions_[i - 1] < positions_[i]) [[likely]]
        continue;
      if (positions_[i - 1] > positions_[i] ||
          !MayPrecede(owners_[i - 1], owners_[i])) {
        return OutOfRange(RingFileFault::kPointOrder, "point", i,
                          "it belongs before the one that it follows");
      }
      ++collisions;
    }
    if (collisions == image_.collisions) return {};
    return OutOfRange(RingFileFault::kCounts, "collisions", image_.collisions,
                      "there are " + std::to_string(collisions));
  }

  // Of points at one position.
  [[nodiscard]] bool MayPrecede(NodeIndex a, NodeIndex b) const {
    if (a == b) return true;
    if (table_.ties == Ties::kSmallestId)
      return table_.IdOf(a) < table_.IdOf(b);
    const auto records = table_.Records();
    const bool is_earlier = records[a].text_at < records[b].text_at;
    return is_earlier == (table_.ties == Ties::kFirstAdded);
  }

  // What stands after the last position and owner.
  [[nodiscard]] Defect CheckSeal() const {
    constexpr size_t kPerLine = kCacheLine / sizeof(T);
    const size_t points = image_.points;
    const T* end = positions_ + std::max(RoundUp(points, kPerLine), kPerLine);
    const Owner next = points != 0 ? owners_[0] : static_cast<Owner>(~Owner{0});
    const auto* tail = reinterpret_cast<const std::byte*>(owners_ + points + 1);
    const auto* owners_end = reinterpret_cast<const std::byte*>(owners_) +
                             RoundUpToLine((points + 1) * sizeof(Owner));
    const bool is_sealed =
        std::all_of(positions_ + points, end,
                    [](T p) { return p == static_cast<T>(~T{0}); }) &&
        owners_[points] == next &&
        std::all_of(tail, owners_end,
                    [](std::byte b) { return b == std::byte{0}; });
    if (is_sealed) return {};
    return {RingFileFault::kReserved,
            "what fills up positions or owners is not what belongs there"};
  }

  const RingImage& image_;
  const NodeTable& table_;
  const T* positions_;
  const Owner* owners_;
};

// The layout is what was asked for, or what the builder picks.
Defect CheckLayout(const RingImage& image, const NodeTable& table) {
  using enum RingFileFault;
  if (table.layout_asked != 0) {
    if (static_cast<int>(image.layout) == table.layout_asked - 1) return {};
    return {kOptions, "the layout is not the one that was asked for"};
  }
  const bool is_wide = image.is_wide != 0;
  const uint32_t overflowed =
      image.layout == Layout::kLine
          ? image.overflowed
          : CountOverflow(image, LineCount(image.points, is_wide));
  const Layout picked =
      overflowed > image.points / 2 ? Layout::kSplus : Layout::kLine;
  if (image.layout == picked) return {};
  return {kOptions, "the layout is not the one that a builder picks"};
}

bool SearchMatches(const RingImage& image) {
  switch (image.layout) {
    case Layout::kSorted:
      return true;
    case Layout::kEytzinger:
      return EytzingerMatches(image);
    case Layout::kLine:
      if (!LinesMatch(image)) return false;
      break;
    case Layout::kSplus:
      break;
  }
  return SplusMatches(image);  // of lines: what answers for overflowing ones
}

}  // namespace

Defect CheckImageHeader(const RingImage& header, uint64_t bytes) {
  using enum RingFileFault;
  if (Defect defect = CheckRange(header)) return defect;
  if (std::any_of(std::begin(header.reserved), std::end(header.reserved),
                  [](uint64_t word) { return word != 0; })) {
    return {kReserved, "a reserved word of the image is not 0"};
  }
  const RingImage placed = Placed(header);
  if (header.overflowed > header.points ||
      std::memcmp(&placed, &header, sizeof placed) != 0 ||
      header.bytes != bytes) {
    return {kSections, "parts of the image are not where its counts put them"};
  }
  return {};
}

Defect CheckImage(const RingImage& image, const NodeTable& table) {
  if (Defect defect = ForForm(image, [&](auto form) {
        return PointChecker<decltype(form)>(image, table).Run();
      })) {
    return defect;
  }
  if (Defect defect = CheckLayout(image, table)) return defect;
  if (SearchMatches(image)) return {};
  return {RingFileFault::kSearch,
          "the search part is not what the points make"};
}

}  // namespace clockwise
