// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/sections.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/align.h"

namespace clockwise {
namespace {

// Hands out aligned parts one after the other.
class Placer {
 public:
  explicit Placer(RingImage& header) : header_(header) {
    header_.bytes = sizeof(RingImage);
  }
  uint64_t Place(uint64_t bytes) {
    const uint64_t at = header_.bytes;
    header_.bytes += RoundUpToLine(bytes);
    return at;
  }

 private:
  RingImage& header_;
};

// Nodes of the level above `nodes` nodes.
constexpr uint64_t Parents(uint64_t nodes, uint64_t keys) {
  return (nodes + keys) / (keys + 1);
}

void PlaceTree(RingImage& header, uint64_t keys, Placer& placer) {
  std::array<uint64_t, detail::kMaxSplusLevels> nodes{};
  uint32_t levels = 0;
  uint64_t below = std::max<uint64_t>((header.points + keys - 1) / keys, 1);
  while (below > 1) {
    below = Parents(below, keys);
    nodes[levels++] = below;
  }
  header.splus_levels = levels;
  for (uint32_t level = 0; level < levels; ++level) {
    header.splus_at[level] =
        placer.Place(nodes[levels - 1 - level] * kCacheLine);
  }
}

template <typename Form>
void Place(RingImage& header, bool with_escape_tree) {
  using T = typename Form::Position;
  const uint64_t points = header.points;
  Placer placer(header);
  if (header.layout == Layout::kLine) {
    header.search_at = placer.Place(uint64_t{header.lines} * kCacheLine);
    header.starts_at =
        placer.Place((uint64_t{header.lines} + 1) * sizeof(uint32_t));
  }
  if (header.layout == Layout::kEytzinger) {
    header.search_at = placer.Place((points + 1) * sizeof(T));
    header.search_owners_at =
        placer.Place((points + 1) * sizeof(typename Form::Owner));
  }
  // At least one leaf, so that searches of an empty ring read within the image.
  header.positions_at =
      placer.Place(std::max<uint64_t>(points * sizeof(T), kCacheLine));
  header.owners_at = placer.Place((points + 1) * sizeof(typename Form::Owner));
  if (header.layout == Layout::kSplus || with_escape_tree) {
    PlaceTree(header, kCacheLine / sizeof(T), placer);
  }
}

template <typename Form>
void Seal(RingImage* image) {
  using T = typename Form::Position;
  using Owner = typename Form::Owner;
  const size_t points = image->points;
  auto* positions = MutableAt<T>(image, image->positions_at);
  auto* owners = MutableAt<Owner>(image, image->owners_at);
  const size_t per_line = kCacheLine / sizeof(T);
  const size_t padded = std::max(RoundUp(points, per_line), per_line);
  std::fill(positions + points, positions + padded, static_cast<T>(~T{0}));
  owners[points] = points != 0 ? owners[0] : static_cast<Owner>(~Owner{0});
  const size_t owner_bytes = (points + 1) * sizeof(Owner);
  std::memset(MutableAt<std::byte>(image, image->owners_at) + owner_bytes, 0,
              RoundUpToLine(owner_bytes) - owner_bytes);
}

}  // namespace

uint32_t LineCount(uint32_t points, bool is_wide) noexcept {
  const uint32_t t = points / (is_wide ? 5 : 6);
  if (t < 16) return std::max(t, 1u);
  const auto dropped = static_cast<uint32_t>(std::bit_width(t)) - 4;
  return t >> dropped << dropped;
}

void PlaceSections(RingImage& header, bool with_escape_tree,
                   uint32_t forced_lines) noexcept {
  header.lines = 0;
  if (header.layout == Layout::kLine) {
    header.lines = forced_lines != 0
                       ? forced_lines
                       : LineCount(header.points, header.is_wide != 0);
  }
  ForForm(header,
          [&](auto form) { Place<decltype(form)>(header, with_escape_tree); });
}

void SealPoints(RingImage* image) noexcept {
  ForForm(*image, [&](auto form) { Seal<decltype(form)>(image); });
}

}  // namespace clockwise
