// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A proxy with many small rings: each hash asks one of them, picked at random,
// so that what does not fit the caches together is paid for.
//
//   Owner/layout:line/width:32/rings:100/points:1280/mode:latency
#include <memory>
#include <string>
#include <vector>

#include "contenders.h"
#include "keys.h"
#include "maglev.h"
#include "modes.h"
#include "rings.h"
#include "rounds.h"

namespace clockwise::bench {
namespace {

constexpr uint32_t kRings = 100;
constexpr uint32_t kPoints = 1280;
constexpr uint32_t kNodes = kPoints / kVnodes;

// The views of all rings, side by side.
template <int kWidth>
class Case {
 public:
  using T = detail::Position<kWidth>;

  Case() : hashes(Hashes(kQueries)) {
    Random random(2);
    for (size_t i = 0; i < kQueries; ++i) {
      picks.push_back(static_cast<uint16_t>(random() % kRings));
    }
    const uint32_t small = PrimeFrom(100 * kNodes);
    for (uint64_t seed = 0; seed < kRings; ++seed) {
      rings.push_back(UniformRing(kWidth, kPoints, Layout::kLine, seed));
      lower_bounds_.emplace_back(rings.back());
      tables_.emplace_back(kNodes, kMaglevSlots, seed);
      small_tables_.emplace_back(kNodes, small, seed);
    }
    for (size_t i = 0; i < kRings; ++i) {
      line_views.emplace_back(rings[i].image());
      lower_bound.push_back(lower_bounds_[i].view());
      maglev.push_back(tables_[i].view());
      small_maglev.push_back(small_tables_[i].view());
    }
    Check();
  }

  std::vector<uint64_t> hashes;
  std::vector<uint16_t> picks;
  std::vector<Ring> rings;
  std::vector<detail::LineView<kWidth, false>> line_views;
  std::vector<LowerBoundView<T>> lower_bound;
  std::vector<MaglevView> maglev, small_maglev;

 private:
  void Check() const {
    for (size_t i = 0; i < kQueries; ++i) {
      const NodeIndex owner = lower_bound[picks[i]](hashes[i]);
      Require(rings[picks[i]].Owner(hashes[i]) == owner, "ring");
      Require(line_views[picks[i]].Owner(hashes[i]) == owner, "line view");
    }
  }

  std::vector<LowerBoundRing<T>> lower_bounds_;
  std::vector<MaglevTable> tables_, small_tables_;
};

template <int kWidth>
const Case<kWidth>& TheCase() {
  static const Case<kWidth> the_case;
  return the_case;
}

// `ask(case, ring, hash)` answers one hash.
template <int kWidth, typename Ask>
Contender ContenderOf(const std::string& name, Mode mode, Ask ask) {
  return {"layout:" + name, [mode, ask](size_t first, size_t count) {
            const Case<kWidth>& c = TheCase<kWidth>();
            const auto owner_of = [&c, ask](size_t i, NodeIndex last) {
              return ask(c, c.picks[i], c.hashes[i] ^ last);
            };
            return RunSingle(mode, owner_of, first, count);
          }};
}

template <int kWidth>
Group GroupOf(Mode mode) {
  using C = Case<kWidth>;
  const auto contender = [mode](const std::string& name, auto ask) {
    return ContenderOf<kWidth>(name, mode, ask);
  };
  return {"width:" + std::to_string(kWidth) +
              "/rings:100/points:1280/mode:" + ModeName(mode),
          kQueries,
          4096,
          [] { TheCase<kWidth>(); },
          {contender("std_lower_bound",
                     [](const C& c, size_t ring, uint64_t hash) {
                       return c.lower_bound[ring](hash);
                     }),
           contender("line",
                     [](const C& c, size_t ring, uint64_t hash) {
                       return c.rings[ring].Owner(hash);
                     }),
           contender("line_view",
                     [](const C& c, size_t ring, uint64_t hash) {
                       return c.line_views[ring].Owner(hash);
                     }),
           contender("maglev_65537",
                     [](const C& c, size_t ring, uint64_t hash) {
                       return c.maglev[ring](hash);
                     }),
           contender("maglev_809", [](const C& c, size_t ring, uint64_t hash) {
             return c.small_maglev[ring](hash);
           })}};
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (Mode mode : {Mode::kLatency, Mode::kIndependent}) {
    groups.push_back(GroupOf<32>(mode));
    groups.push_back(GroupOf<64>(mode));
  }
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Owner", Groups());
}
