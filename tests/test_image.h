// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Images made straight from positions, in any form, for tests of the searches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "search/lines.h"
#include "search/sections.h"
#include "search/trees.h"

namespace clockwise {

struct ImageForm {
  uint32_t width = 64;
  bool is_wide = false;
  Layout layout = Layout::kLine;
  uint32_t forced_lines = 0;
  bool with_escape_tree = false;
};

// `positions` ascend and are left-aligned; point i is owned by slot owners[i].
class TestImage {
 public:
  TestImage(const std::vector<uint64_t>& positions,
            const std::vector<uint32_t>& owners, const ImageForm& form) {
    RingImage header{};
    header.magic = RingImage::kMagic;
    header.points = static_cast<uint32_t>(positions.size());
    header.slots = header.nodes = header.points;
    header.width = static_cast<uint8_t>(form.width);
    header.layout = form.layout;
    header.is_wide = form.is_wide;
    PlaceSections(header, form.with_escape_tree, form.forced_lines);
    bytes_.reset(std::aligned_alloc(64, header.bytes));
    auto* image = new (bytes_.get()) RingImage(header);
    ForForm(*image, [&](auto f) {
      using F = decltype(f);
      auto* p = MutableAt<typename F::Position>(image, image->positions_at);
      auto* o = MutableAt<typename F::Owner>(image, image->owners_at);
      for (size_t i = 0; i < positions.size(); ++i) {
        p[i] = detail::ToPosition<F::kWidth>(positions[i]);
        o[i] = static_cast<typename F::Owner>(owners[i]);
      }
    });
    SealPoints(image);
    if (form.layout == Layout::kLine) BuildLines(image);
    if (form.layout == Layout::kEytzinger) BuildEytzinger(image);
    if (form.layout == Layout::kSplus || form.with_escape_tree) {
      BuildSplus(image);
    }
  }

  [[nodiscard]] const RingImage* get() const {
    return static_cast<const RingImage*>(bytes_.get());
  }

 private:
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  std::unique_ptr<void, Free> bytes_;
};

}  // namespace clockwise
