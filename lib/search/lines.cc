// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "search/lines.h"

#include <algorithm>
#include <bit>
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

template <typename Form>
class LineBuilder {
  using T = typename Form::Position;
  using Owner = typename Form::Owner;
  using LineType = typename Form::Line;
  static constexpr uint32_t kKeys = Keys(static_cast<LineType*>(nullptr));
  static constexpr uint32_t kOverflowed =
      Form::kWide ? detail::kWideOverflow : detail::kOverflow;

 public:
  explicit LineBuilder(RingImage* image)
      : image_(image),
        positions_(image->At<T>(image->positions_at)),
        owners_(image->At<Owner>(image->owners_at)),
        lines_(MutableAt<LineType>(image, image->search_at)),
        starts_(MutableAt<uint32_t>(image, image->starts_at)) {}

  void Build() {
    FillStarts();
    image_->overflowed = 0;
    for (uint32_t b = 0; b < image_->lines; ++b) {
      FillLine(b);
      image_->overflowed += OverflowOf(PointsIn(starts_, b));
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
  [[nodiscard]] static uint64_t HashOf(T position) {
    if constexpr (Form::kWidth == 32) {
      return uint64_t{position} << 32;
    } else {
      return position;
    }
  }
  [[nodiscard]] detail::Bucket BucketOf(uint64_t hash) const {
    return detail::BucketOf<Form::kWidth>(hash, image_->lines);
  }
  [[nodiscard]] static uint32_t PointsIn(const uint32_t* starts, uint32_t b) {
    return starts[b + 1] - starts[b];
  }
  [[nodiscard]] static uint32_t OverflowOf(uint32_t points) {
    return points > kKeys ? points : 0;
  }

  // Without branches: each line's last point tells where the next one begins,
  // and a running maximum passes that on over empty lines.
  void FillStarts() {
    std::fill(starts_, starts_ + PaddedStarts(), 0u);
    for (uint32_t i = 0; i < image_->points; ++i) {
      starts_[BucketOf(HashOf(positions_[i])).line + 1] = i + 1;
    }
    uint32_t first = 0;
    for (uint32_t b = 1; b <= image_->lines; ++b) {
      starts_[b] = first = std::max(first, starts_[b]);
    }
  }

  // Starts and the zeroes after them, to a whole cache line.
  [[nodiscard]] uint64_t PaddedStarts() const {
    constexpr uint64_t kPerLine = kCacheLine / sizeof(uint32_t);
    return RoundUp(uint64_t{image_->lines} + 1, kPerLine);
  }

  // A line with at least 16 points from its first on: all lanes are computed,
  // and those that hold no point masked, so that no branch depends on how many
  // do.
  void FillFullWidth(uint32_t first, uint32_t points, Line& line) {
    const auto scale = static_cast<T>(image_->lines);
    const uint32_t next = owners_[first + points];
    for (uint32_t r = 0; r < 16; ++r) {
      // All ones where r < points.
      const auto is_point = static_cast<uint16_t>((r - points) >> 16);
      // The fraction of position * lines, as BucketOf has it.
      const T fraction = positions_[first + r] * scale;
      const uint32_t key =
          static_cast<uint16_t>(fraction >> (Form::kWidth - 16)) ^ 0x8000u;
      line.keys[r] = static_cast<int16_t>(
          (key & is_point) | (detail::kUnusedKey & ~uint32_t{is_point}));
      line.owners[r] = static_cast<uint16_t>((owners_[first + r] & is_point) |
                                             (next & ~uint32_t{is_point}));
    }
  }

  void FillLine(uint32_t b) {
    const uint32_t first = starts_[b];
    const uint32_t points = PointsIn(starts_, b);
    if constexpr (!Form::kWide) {
      if (points <= kKeys && first + 16 <= image_->points) [[likely]] {
        return FillFullWidth(first, points, lines_[b]);
      }
    }
    LineType line{};
    std::fill(std::begin(line.keys), std::end(line.keys), detail::kUnusedKey);
    if (points > kKeys) {
      for (uint32_t r = 0; r <= kKeys; ++r) SetOwner(line, r, kOverflowed);
    } else {
      for (uint32_t r = 0; r < points; ++r) {
        const uint64_t hash = HashOf(positions_[first + r]);
        line.keys[r] = BucketOf(hash).key;
        SetOwner(line, r, owners_[first + r]);
      }
      // An empty ring has its only line all overflowed, by its owners[0].
      const uint32_t next = owners_[first + points];
      for (uint32_t r = points; r <= kKeys; ++r) SetOwner(line, r, next);
    }
    lines_[b] = line;
  }

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
    std::fill(starts_ + b, starts_ + PaddedStarts(), 0u);
  }

  void Refill(uint32_t b) {
    image_->overflowed -= OverflowOf(PointsIn(base_starts_, b));
    image_->overflowed += OverflowOf(PointsIn(starts_, b));
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

}  // namespace

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
