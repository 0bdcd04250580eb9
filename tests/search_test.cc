// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Every layout, width, size of owners and SIMD target answers as
// std::lower_bound does, on all small rings and on many hostile ones.
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <random>

#include "sanitized.h"
#include "search_check.h"

namespace clockwise {
namespace {

constexpr uint64_t kMax = ~uint64_t{0};
constexpr Layout kTreeLayouts[] = {Layout::kSorted, Layout::kEytzinger,
                                   Layout::kSplus};

// All forms of the given points; `line` with each count of lines.
uint64_t MismatchesInAllForms(SearchCheck& check, const Points& points,
                              uint32_t width, bool is_wide,
                              const std::vector<uint32_t>& line_counts,
                              const std::vector<uint64_t>& hashes) {
  uint64_t wrong = 0;
  const auto run = [&](const ImageForm& form) {
    const TestImage image(points.positions, points.owners, form);
    wrong += check.Mismatches(image.get(), points, hashes);
  };
  for (Layout layout : kTreeLayouts) run({width, is_wide, layout, 0, false});
  for (uint32_t lines : line_counts) {
    run({width, is_wide, Layout::kLine, lines, false});
    // A tree of one leaf is no tree: then the two are the same.
    if (points.positions.size() > 8) {
      run({width, is_wide, Layout::kLine, lines, true});
    }
  }
  return wrong;
}

Points WithOwnOwners(std::vector<uint64_t> positions) {
  Points points{std::move(positions), {}};
  for (uint32_t i = 0; i < points.positions.size(); ++i) {
    points.owners.push_back(i);
  }
  return points;
}

// Calls `f` with every ascending list of at most `most` of the 16 positions of
// a 4-bit circle, repetitions included.
void ForEachSmallRing(size_t most,
                      const std::function<void(const Points&)>& f) {
  std::vector<uint64_t> positions;
  const std::function<void(uint64_t)> extend = [&](uint64_t from) {
    f(WithOwnOwners(positions));
    if (positions.size() == most) return;
    for (uint64_t p = from; p < 16; ++p) {
      positions.push_back(p << 60);
      extend(p);
      positions.pop_back();
    }
  };
  extend(0);
}

std::vector<uint64_t> SmallCircleHashes() {
  std::vector<uint64_t> hashes;
  for (uint64_t p = 0; p < 16; ++p) {
    for (uint64_t beside : {kMax, uint64_t{0}, uint64_t{1} << 32}) {
      hashes.push_back((p << 60) + beside);
    }
  }
  return hashes;
}

class SearchTest : public testing::TestWithParam<uint32_t> {};

INSTANTIATE_TEST_SUITE_P(Widths, SearchTest, testing::Values(32, 64));

TEST_P(SearchTest, AnswersOnEverySmallRing) {
  SearchCheck check;
  const auto hashes = SmallCircleHashes();
  uint64_t rings = 0;
  uint64_t wrong = 0;
  ForEachSmallRing(6, [&](const Points& points) {
    ++rings;
    if (IsSanitized() && rings % 16 != 0) return;
    wrong += MismatchesInAllForms(check, points, GetParam(), false,
                                  {1, 2, 3, 7}, hashes);
  });
  EXPECT_EQ(rings, 74613u);
  EXPECT_EQ(wrong, 0u);
  std::cout << rings << " rings, " << check.checked()
            << " batched answers, targets " << check.targets() << "\n";
}

TEST_P(SearchTest, AnswersOnEverySmallWideRing) {
  SearchCheck check;
  const auto hashes = SmallCircleHashes();
  uint64_t wrong = 0;
  ForEachSmallRing(4, [&](const Points& points) {
    wrong += MismatchesInAllForms(check, points, GetParam(), true, {1, 2, 3, 7},
                                  hashes);
  });
  EXPECT_EQ(wrong, 0u);
}

// Draws rings of every hostile kind.
class RingMaker {
 public:
  RingMaker(uint32_t width, uint64_t seed) : width_(width), random_(seed) {}

  Points Make(size_t size) {
    const uint64_t kind = random_() % 6;
    std::vector<uint64_t> positions;
    const uint64_t base = random_();
    for (size_t i = 0; i < size; ++i) {
      positions.push_back(Kept(Position(kind, base, i)));
    }
    std::sort(positions.begin(), positions.end());
    Points points = WithOwnOwners(std::move(positions));
    // Neighbours often have one owner.
    if (random_() % 2 == 0) {
      for (uint32_t& owner : points.owners) {
        owner = static_cast<uint32_t>(random_() % 3);
      }
    }
    return points;
  }

  // Each position and what lies beside it, the ends, and a few at random.
  std::vector<uint64_t> Hashes(const Points& points, size_t most) {
    std::vector<uint64_t> hashes = {0, 1, kMax, kMax - 1, kMax << 32};
    const size_t step = points.positions.size() * 3 / most + 1;
    for (size_t i = 0; i < points.positions.size(); i += step) {
      const uint64_t p = points.positions[i];
      const uint64_t beside = width_ == 32 ? uint64_t{1} << 32 : 1;
      hashes.insert(hashes.end(), {p - beside, p, p + beside});
    }
    for (int i = 0; i < 8; ++i) hashes.push_back(random_());
    return hashes;
  }

  size_t Size() {
    const uint64_t pick = random_() % 10;
    if (pick == 0) return 1;
    if (pick < 7) return 1 + random_() % 70;
    return (size_t{1} << (1 + random_() % 7)) - 1 + random_() % 3;
  }

 private:
  [[nodiscard]] uint64_t Kept(uint64_t p) const {
    return width_ == 32 ? p >> 32 << 32 : p;
  }
  uint64_t Position(uint64_t kind, uint64_t base, size_t i) {
    switch (kind) {
      case 0:  // uniform
        return random_();
      case 1:  // forced ties
        return (base + random_() % 4) << 60;
      case 2:  // all equal
        return base;
      case 3:  // a cluster that shares a bucket
        return base + (random_() % 64 << 32);
      case 4:  // the ends of the circle
        return i % 3 == 0 ? 0 : i % 3 == 1 ? kMax : random_();
      default:  // nine tenths in a cluster
        return i % 10 == 0 ? random_() : base + (random_() >> 20);
    }
  }

  uint32_t width_;
  std::mt19937_64 random_;
};

TEST_P(SearchTest, AnswersOnRandomHostileRings) {
  const int kRings = IsSanitized() ? 3'000 : 100'000;  // for each width
  SearchCheck check;
  RingMaker maker(GetParam(), 20261130 + GetParam());
  uint64_t wrong = 0;
  for (int i = 0; i < kRings; ++i) {
    const Points points = maker.Make(maker.Size());
    const auto hashes = maker.Hashes(points, 32);
    const bool is_wide = i % 8 == 0;
    wrong +=
        MismatchesInAllForms(check, points, GetParam(), is_wide,
                             {0, 1 + static_cast<uint32_t>(i % 40)}, hashes);
    ASSERT_EQ(wrong, 0u) << "ring " << i;
  }
  std::cout << kRings << " rings, " << check.checked() << " batched answers\n";
}

// Sizes at which vectors, tree levels and prefetching begin and end.
TEST_P(SearchTest, AnswersOnLargeRings) {
  SearchCheck check;
  RingMaker maker(GetParam(), 7);
  for (size_t size :
       {255u, 256u, 257u, 272u, 4096u, 4913u, 5000u, 60'000u, 120'000u}) {
    for (int i = 0; i < 6; ++i) {
      const Points points = maker.Make(size);
      const auto hashes = maker.Hashes(points, 4096);
      for (bool is_wide : {false, true}) {
        // Slots of a narrow ring fit 16 bits.
        if (!is_wide && size > detail::kMaxNarrowSlots) {
          Points few = points;
          for (uint32_t& owner : few.owners) owner %= 50'000;
          ASSERT_EQ(
              MismatchesInAllForms(check, few, GetParam(), false, {0}, hashes),
              0u);
          continue;
        }
        ASSERT_EQ(MismatchesInAllForms(check, points, GetParam(), is_wide, {0},
                                       hashes),
                  0u)
            << size << " points, try " << i;
      }
    }
  }
}

// Every tail of a batch, and the batch of nothing.
TEST_P(SearchTest, BatchesOfEveryLength) {
  SearchCheck check;
  RingMaker maker(GetParam(), 3);
  const Points points = maker.Make(500);
  const auto hashes = maker.Hashes(points, 500);
  for (size_t count = 0; count <= 130; ++count) {
    const std::vector<uint64_t> some(hashes.begin(),
                                     hashes.begin() + static_cast<long>(count));
    ASSERT_EQ(MismatchesInAllForms(check, points, GetParam(), false, {0}, some),
              0u);
  }
}

}  // namespace
}  // namespace clockwise
