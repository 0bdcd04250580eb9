// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How fast each layout finds the owner of a hash:
//
//   Owner/layout:line/width:32/points:16000/mode:latency
//
// `line` asks the Ring, which looks up its width and layout in each call;
// `line_view`, and the other layouts, their typed view.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "clockwise/detail/search.h"
#include "contenders.h"
#include "keys.h"
#include "maglev.h"
#include "modes.h"
#include "rings.h"
#include "rounds.h"
#include "target.h"

namespace clockwise::bench {
namespace {

enum class Shape { kUniform, kHostile };

// The rings of one size, one for each layout, and the answers they must give.
template <int kWidth>
class Case {
 public:
  using T = detail::Position<kWidth>;

  Case(Shape shape, uint32_t points)
      : hashes(QueriesOf(shape)),
        lines(RingOf(shape, points, Layout::kLine)),
        lower_bound(lines) {
    for (Layout layout :
         {Layout::kSorted, Layout::kEytzinger, Layout::kSplus}) {
      others.emplace(layout, RingOf(shape, points, layout));
    }
    for (uint64_t h : hashes)
      hashes32.push_back(static_cast<uint32_t>(h >> 32));
    if (shape == Shape::kUniform) {
      map = std::make_unique<MapRing<T>>(lines);
      maglev = std::make_unique<MaglevTable>(points / kVnodes);
    }
    Check();
  }

  [[nodiscard]] const Ring& RingWith(Layout layout) const {
    return layout == Layout::kLine ? lines : others.at(layout);
  }
  [[nodiscard]] auto line_view() const {
    return detail::LineView<kWidth, false>(lines.image());
  }

  std::vector<uint64_t> hashes;
  std::vector<uint32_t> hashes32;
  Ring lines;
  LowerBoundRing<T> lower_bound;
  std::map<Layout, Ring> others;
  std::unique_ptr<MapRing<T>> map;  // uniform rings only
  std::unique_ptr<MaglevTable> maglev;

 private:
  static std::vector<uint64_t> QueriesOf(Shape shape) {
    if (shape == Shape::kUniform) return Hashes(kQueries);
    return HashesWithin(kClusterBegin, kClusterArc, kQueries, 9);
  }
  static Ring RingOf(Shape shape, uint32_t points, Layout layout) {
    return shape == Shape::kUniform ? UniformRing(kWidth, points, layout)
                                    : HostileRing(kWidth, points, layout);
  }

  void Check() const {
    std::vector<NodeIndex> owners(hashes.size());
    for (size_t i = 0; i < hashes.size(); ++i) {
      owners[i] = lower_bound.view()(hashes[i]);
    }
    for (Layout layout :
         {Layout::kSorted, Layout::kEytzinger, Layout::kSplus, Layout::kLine}) {
      CheckRing(RingWith(layout), owners);
    }
    for (size_t i = 0; i < hashes.size(); ++i) {
      Require(line_view().Owner(hashes[i]) == owners[i], "line view");
      Require(!map || (*map)(hashes[i]) == owners[i], "map");
    }
  }

  void CheckRing(const Ring& ring, const std::vector<NodeIndex>& owners) const {
    const std::string name(LayoutName(ring.layout()));
    for (size_t i = 0; i < hashes.size(); ++i) {
      Require(ring.Owner(hashes[i]) == owners[i], name);
    }
    std::vector<NodeIndex> batch(hashes.size());
    for (int64_t target : Targets()) {
      UseTarget(target);
      ring.Owners(hashes.data(), hashes.size(), batch.data());
      Require(batch == owners, name + " batch " + TargetName(target));
      if (kWidth != 32) continue;
      ring.Owners(hashes32.data(), hashes32.size(), batch.data());
      Require(batch == owners, name + " batch of 32 " + TargetName(target));
    }
  }
};

// Built when first asked for, and kept.
template <int kWidth>
const Case<kWidth>& CaseOf(Shape shape, uint32_t points) {
  static std::map<std::pair<Shape, uint32_t>, std::unique_ptr<Case<kWidth>>>
      cases;
  auto& kept = cases[{shape, points}];
  if (!kept) kept = std::make_unique<Case<kWidth>>(shape, points);
  return *kept;
}

// Lists the contenders of one group.
template <int kWidth>
class Lister {
  using CaseType = Case<kWidth>;

 public:
  Lister(Shape shape, uint32_t points, Mode mode)
      : shape_(shape), points_(points), mode_(mode) {}

  std::vector<Contender> Run() {
    Single("std_lower_bound",
           [](const CaseType& c) { return c.lower_bound.view(); });
    if (mode_ == Mode::kBatch) {
      Batches();
    } else {
      Singles();
    }
    if (shape_ == Shape::kHostile) return std::move(list_);
    Single("maglev_65537", [](const CaseType& c) { return c.maglev->view(); });
    if (mode_ == Mode::kLatency) {
      Single("std_map_string", [](const CaseType& c) {
        return [&map = *c.map](uint64_t h) { return map(h); };
      });
    }
    return std::move(list_);
  }

 private:
  void Singles() {
    Single("line", [](const CaseType& c) {
      return [&ring = c.lines](uint64_t h) { return ring.Owner(h); };
    });
    Single("line_view", [](const CaseType& c) {
      return [view = c.line_view()](uint64_t h) { return view.Owner(h); };
    });
    View<detail::SplusView<kWidth, false>>("splus", Layout::kSplus);
    View<detail::EytzingerView<kWidth, false>>("eytzinger", Layout::kEytzinger);
    View<detail::SortedView<kWidth, false>>("sorted", Layout::kSorted);
  }

  // `pick(case)` gives a function from a hash to its owner.
  template <typename Pick>
  void Single(const std::string& name, Pick pick) {
    const auto run = [shape = shape_, points = points_, mode = mode_, pick](
                         size_t first, size_t count) {
      const CaseType& c = CaseOf<kWidth>(shape, points);
      const auto owner_of = [owner = pick(c), hashes = c.hashes.data()](
                                size_t i, NodeIndex last) {
        return owner(hashes[i] ^ last);
      };
      return RunSingle(mode, owner_of, first, count);
    };
    list_.push_back({"layout:" + name, run});
  }

  template <typename ViewType>
  void View(const std::string& name, Layout layout) {
    Single(name, [layout](const CaseType& c) {
      return [view = ViewType(c.RingWith(layout).image())](uint64_t h) {
        return view.Owner(h);
      };
    });
  }

  void Batches() {
    for (int64_t target : Targets()) {
      for (Layout layout : {Layout::kLine, Layout::kSplus, Layout::kEytzinger,
                            Layout::kSorted}) {
        Batch(std::string(LayoutName(layout)), layout, target,
              &CaseType::hashes);
      }
      if (kWidth == 32) {
        Batch("line_hash32", Layout::kLine, target, &CaseType::hashes32);
      }
    }
  }

  template <typename Hash>
  void Batch(const std::string& name, Layout layout, int64_t target,
             std::vector<Hash> CaseType::*hashes) {
    const auto run = [shape = shape_, points = points_, layout, hashes](
                         size_t first, size_t count) {
      const CaseType& c = CaseOf<kWidth>(shape, points);
      const auto owners_of = [&ring = c.RingWith(layout),
                              from = (c.*hashes).data()](size_t i, size_t some,
                                                         NodeIndex* owners) {
        ring.Owners(from + i, some, owners);
      };
      return RunBatches(owners_of, first, count);
    };
    list_.push_back({"layout:" + name, run, target});
  }

  Shape shape_;
  uint32_t points_;
  Mode mode_;
  std::vector<Contender> list_;
};

template <int kWidth>
Group GroupOf(Shape shape, uint32_t points, Mode mode) {
  const std::string ring = shape == Shape::kHostile ? "ring:hostile/" : "";
  return {ring + "width:" + std::to_string(kWidth) +
              "/points:" + std::to_string(points) + "/mode:" + ModeName(mode),
          kQueries, 4096, [shape, points] { CaseOf<kWidth>(shape, points); },
          Lister<kWidth>(shape, points, mode).Run()};
}

void Append(Shape shape, uint32_t points, std::vector<Group>& groups) {
  for (Mode mode : {Mode::kLatency, Mode::kIndependent, Mode::kBatch}) {
    groups.push_back(GroupOf<32>(shape, points, mode));
    groups.push_back(GroupOf<64>(shape, points, mode));
  }
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (uint32_t points : {1280u, 16000u, 160000u, 1600000u}) {
    Append(Shape::kUniform, points, groups);
  }
  for (uint32_t points : {16000u, 160000u}) {
    Append(Shape::kHostile, points, groups);
  }
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Owner", Groups());
}
