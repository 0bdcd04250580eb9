// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/lines.h"

#include <algorithm>
#include <cstring>

#include "base/align.h"

namespace clockwise {
namespace {

using detail::Line;
using detail::WideLine;

void SetOwner(Line& line, uint32_t rank, uint32_t owner) {
  line.owners[rank] = static_cast<uint16_t>(owner);
}

// Owners of a wide line are 20 bits each, low nibble first.
void SetOwner(WideLine& line, uint32_t rank, uint32_t owner) {
  uint8_t* bytes = line.owners + rank * 5 / 2;
  const uint32_t shift = rank % 2 * 4;
  for (uint32_t i = 0, bits = owner << shift; i < 3; ++i, bits >>= 8) {
    const uint32_t mask = detail::kWideOverflow << shift >> (8 * i) & 0xFF;
    bytes[i] = static_cast<uint8_t>((bytes[i] & ~mask) | (bits & mask));
  }
}

constexpr uint32_t Keys(const Line*) { return detail::kLineKeys; }
constexpr uint32_t Keys(const WideLine*) { return detail::kWideLineKeys; }

// Starts and the zeroes after them, to a whole cache line.
uint64_t PaddedStarts(uint32_t lines) {
  constexpr uint64_t kPerLine = kCacheLine / sizeof(uint32_t);
  return RoundUp(uint64_t{lines} + 1, kPerLine);
}

template <typename LineType>
constexpr uint32_t OverflowOf(uint32_t points) {
  return points > Keys(static_cast<LineType*>(nullptr)) ? points : 0;
}

template <typename Form>
detail::Bucket BucketAt(const typename Form::Position* positions, size_t i,
                        uint64_t lines) {
  return detail::BucketOf<Form::kWidth>(detail::ToLeftAligned(positions[i]),
                                        lines);
}

// Returns line `b`, of the points from starts[b] up to starts[b + 1].
template <typename Form>
typename Form::Line MakeLine(const RingImage& image, const uint32_t* starts,
                             uint32_t b) {
  using LineType = typename Form::Line;
  constexpr uint32_t kKeys = Keys(static_cast<LineType*>(nullptr));
  constexpr uint32_t kOverflowed =
      Form::kWide ? detail::kWideOverflow : detail::kOverflow;
  const auto* positions = image.At<typename Form::Position>(image.positions_at);
  const auto* owners = image.At<typename Form::Owner>(image.owners_at);
  const uint32_t first = starts[b];
  const uint32_t points = starts[b + 1] - first;
  LineType line{};
  std::fill(std::begin(line.keys), std::end(line.keys), detail::kUnusedKey);
  if (points > kKeys) {
    for (uint32_t r = 0; r <= kKeys; ++r) SetOwner(line, r, kOverflowed);
    return line;
  }
  for (uint32_t r = 0; r < points; ++r) {
    line.keys[r] = BucketAt<Form>(positions, first + r, image.lines).key;
    SetOwner(line, r, owners[first + r]);
  }
  // An empty ring has its only line all overflowed, by its owners[0].
  const uint32_t next = owners[first + points];
  for (uint32_t r = points; r <= kKeys; ++r) SetOwner(line, r, next);
  return line;
}

template <typename Form>
class LineBuilder {
  using T = typename Form::Position;
  using Owner = typename Form::Owner;
  using LineType = typename Form::Line;
  static constexpr uint32_t kKeys = Keys(static_cast<LineType*>(nullptr));

 public:
  explicit LineBuilder(RingImage* image)
      : image_(image),
        positions_(image->At<T>(image->positions_at)),
        owners_(image->At<Owner>(image->owners_at)),
        lines_(MutableAt<LineType>(image, image->search_at)),
        starts_(MutableAt<uint32_t>(image, image->starts_at)) {}

  void Build() {
    ScatterPoints();
    image_->overflowed = 0;
    for (uint32_t b = 0; b < image_->lines; ++b) {
      starts_[b + 1] = std::max(starts_[b], starts_[b + 1]);
      const uint32_t points = PointsIn(starts_, b);
      image_->overflowed += OverflowOf<LineType>(points);
      if constexpr (Form::kWide) {
        FillLine(b);
      } else {
        FinishLine(lines_[b], points, owners_[starts_[b + 1]]);
      }
    }
  }

  void Patch(const RingImage& base, std::span<const PointEdit> edits) {
    base_starts_ = base.At<uint32_t>(base.starts_at);
    image_->overflowed = base.overflowed;
    std::memcpy(lines_, base.At<LineType>(base.search_at),
                uint64_t{image_->lines} * sizeof(LineType));
    ShiftStarts(edits);
    RefillTouched(edits);
  }

 private:
  [[nodiscard]] detail::Bucket BucketOf(uint64_t hash) const {
    return detail::BucketOf<Form::kWidth>(hash, image_->lines);
  }
  [[nodiscard]] static uint32_t PointsIn(const uint32_t* starts, uint32_t b) {
    return starts[b + 1] - starts[b];
  }
  // One pass without branches that depend on data. The last point of each line
  // sets where the next line begins; empty lines are left at 0. Narrow lines
  // get their points' keys and owners, those beyond the last lane in that lane.
  void ScatterPoints() {
    std::fill(starts_, starts_ + PaddedStarts(image_->lines), 0u);
    // Copies: the stores below might be to these fields, for all compilers
    // know.
    const uint64_t lines = image_->lines;
    const uint32_t points = image_->points;
    uint64_t line = ~uint64_t{0};
    uint32_t first = 0;
    for (uint32_t i = 0; i < points; ++i) {
      const detail::Bucket bucket = detail::BucketOf<Form::kWidth>(
          detail::ToLeftAligned(positions_[i]), lines);
      starts_[bucket.line + 1] = i + 1;
      if constexpr (!Form::kWide) {
        // A mask: compilers make a branch of a choice.
        first ^= (first ^ i) & -static_cast<uint32_t>(bucket.line != line);
        line = bucket.line;
        const uint32_t lane = std::min(i - first, kKeys);
        lines_[line].keys[lane] = bucket.key;
        lines_[line].owners[lane] = owners_[i];
      }
    }
  }

  // Fills the lanes that hold no point; all of them where points overflow.
  static void FinishLine(Line& line, uint32_t points, uint32_t next) {
    const bool is_overflow = points > kKeys;
    const auto end = static_cast<int16_t>(is_overflow ? 0 : points);
    const auto fill =
        static_cast<uint16_t>(is_overflow ? detail::kOverflow : next);
    for (int16_t r = 0; r < 16; ++r) {
      const auto is_point = static_cast<uint16_t>(-(r < end));
      const auto key = static_cast<uint16_t>(line.keys[r]);
      line.keys[r] = static_cast<int16_t>((key & is_point) |
                                          (detail::kUnusedKey & ~is_point));
      line.owners[r] = static_cast<uint16_t>((line.owners[r] & is_point) |
                                             (fill & ~is_point));
    }
  }

  void FillLine(uint32_t b) { lines_[b] = MakeLine<Form>(*image_, starts_, b); }

  // The base's starts, each moved by the edits before it.
  void ShiftStarts(std::span<const PointEdit> edits) {
    uint32_t shift = 0;  // modulo 2^32
    uint32_t b = 0;
    const auto copy_through = [&](uint64_t last) {
      for (; b <= last; ++b) starts_[b] = base_starts_[b] + shift;
    };
    for (const PointEdit& edit : edits) {
      copy_through(BucketOf(edit.position).line);
      shift += edit.is_removal ? ~0u : 1u;
    }
    copy_through(image_->lines);
    std::fill(starts_ + b, starts_ + PaddedStarts(image_->lines), 0u);
  }

  void Refill(uint32_t b) {
    image_->overflowed -= OverflowOf<LineType>(PointsIn(base_starts_, b));
    image_->overflowed += OverflowOf<LineType>(PointsIn(starts_, b));
    FillLine(b);
  }

  // Refills `last` and the lines before it that look ahead to its first point,
  // down to the first that has points of its own, but none below `floor`.
  // Returns whether it came to `floor` without meeting one.
  bool RefillBack(uint32_t last, uint32_t floor) {
    for (uint32_t b = last + 1; b-- > floor;) {
      Refill(b);
      if (b != last && PointsIn(starts_, b) != 0) return false;
    }
    return true;
  }

  void RefillTouched(std::span<const PointEdit> edits) {
    uint32_t done = 0;  // lines below it need no more work
    bool reached_front = false;
    for (const PointEdit& edit : edits) {
      const auto b = static_cast<uint32_t>(BucketOf(edit.position).line);
      if (b < done) continue;  // the same line again
      const bool reached = RefillBack(b, done);
      if (done == 0) reached_front = reached;
      done = b + 1;
    }
    // The lines after the last point look ahead, over the end, to the first.
    if (reached_front && done < image_->lines) {
      RefillTail(done);
    }
  }

  void RefillTail(uint32_t floor) {
    for (uint32_t b = image_->lines; b-- > floor;) {
      Refill(b);
      if (PointsIn(starts_, b) != 0) return;
    }
  }

  RingImage* image_;
  const T* positions_;
  const Owner* owners_;
  LineType* lines_;
  uint32_t* starts_;
  const uint32_t* base_starts_ = nullptr;
};

// Where the points of line `b` end that begin at `first`.
template <typename Form>
uint32_t EndOfLine(const RingImage& image, uint64_t lines, uint32_t b,
                   uint32_t first) {
  const auto* positions = image.At<typename Form::Position>(image.positions_at);
  uint32_t end = first;
  while (end < image.points &&
         BucketAt<Form>(positions, end, lines).line == b) {
    ++end;
  }
  return end;
}

template <typename Form>
bool Match(const RingImage& image) {
  using LineType = typename Form::Line;
  const auto* starts = image.At<uint32_t>(image.starts_at);
  const auto* lines = image.At<LineType>(image.search_at);
  uint32_t overflowed = 0;
  if (starts[0] != 0) return false;
  for (uint32_t b = 0; b < image.lines; ++b) {
    const uint32_t end = EndOfLine<Form>(image, image.lines, b, starts[b]);
    if (starts[b + 1] != end) return false;
    const LineType line = MakeLine<Form>(image, starts, b);
    if (std::memcmp(&line, lines + b, sizeof line) != 0) return false;
    overflowed += OverflowOf<LineType>(end - starts[b]);
  }
  const uint32_t* rest = starts + image.lines + 1;
  return overflowed == image.overflowed &&
         std::all_of(rest, starts + PaddedStarts(image.lines),
                     [](uint32_t n) { return n == 0; });
}

}  // namespace

bool LinesMatch(const RingImage& image) noexcept {
  return ForForm(image,
                 [&](auto form) { return Match<decltype(form)>(image); });
}

uint32_t CountOverflow(const RingImage& image, uint32_t lines) noexcept {
  return ForForm(image, [&](auto form) {
    using F = decltype(form);
    uint32_t overflowed = 0;
    uint32_t first = 0;
    for (uint32_t b = 0; b < lines; ++b) {
      const uint32_t end = EndOfLine<F>(image, lines, b, first);
      overflowed += OverflowOf<typename F::Line>(end - first);
      first = end;
    }
    return overflowed;
  });
}

void BuildLines(RingImage* image) noexcept {
  ForForm(*image,
          [&](auto form) { LineBuilder<decltype(form)>(image).Build(); });
}

void PatchLines(RingImage* image, const RingImage& base,
                std::span<const PointEdit> edits) noexcept {
  ForForm(*image, [&](auto form) {
    LineBuilder<decltype(form)>(image).Patch(base, edits);
  });
}

}  // namespace clockwise
