// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What n replicas of a 64-bit hash take, by topology: 160 points a node, nodes
// dealt to zones in turn.
//
//   Replicas/replicas:spread/nodes:100/zones:5/n:3/mode:latency
//
// `sets` is how one writes it down: std::lower_bound over the points, a walk
// that keeps nodes and labels of zones in sets, and a second one for zones that
// are used already. `spread_excluded` asks a predicate that excludes none.
// `walk` has the first n nodes without regard to zones, `walk_index` those of
// SpreadIndex::Clockwise. In mode `latency` each hash is xor-ed with the last
// replica found before.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "clockwise/clockwise.h"
#include "contenders.h"
#include "keys.h"
#include "modes.h"
#include "rings.h"
#include "rounds.h"

namespace clockwise::bench {
namespace {

constexpr size_t kItems = size_t{1} << 12;

// What is measured: a ring, and how many replicas.
struct Shape {
  uint32_t nodes, zones, count;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

std::string NameOf(const Shape& shape) {
  return "nodes:" + std::to_string(shape.nodes) +
         "/zones:" + std::to_string(shape.zones) +
         "/n:" + std::to_string(shape.count);
}

Ring RingOf(const Shape& shape) {
  auto builder = Take(RingBuilder::Create(Options(64, Layout::kLine)));
  for (uint32_t i = 0; i < shape.nodes; ++i) {
    Node node = NodeNumber(i);
    node.zone = "zone-" + std::to_string(i % shape.zones);
    const Status status = builder.Add(node);
    Require(status.ok(), status.message());
  }
  return Take(builder.Build());
}

// Sorted points, and the zone of each node, with sets to remember by. Zones
// are to differ as far as there are enough; then nodes go round by zone.
class Sets {
 public:
  Sets(const Ring& ring, uint32_t zones) : zone_count_(zones) {
    for (size_t i = 0; i < ring.point_count(); ++i) {
      positions_.push_back(ring.PositionAt(i));
      owners_.push_back(ring.OwnerAt(i));
    }
    for (NodeIndex slot = 0; slot < ring.slot_count(); ++slot) {
      zones_.emplace_back(ring.node(slot).zone);
    }
  }

  void Find(uint64_t hash, size_t count, std::vector<NodeIndex>& found) const {
    const auto first = static_cast<size_t>(
        std::lower_bound(positions_.begin(), positions_.end(), hash) -
        positions_.begin());
    std::set<NodeIndex> taken;
    found.clear();
    while (found.size() < count && taken.size() < zones_.size()) {
      std::set<std::string> used;  // zones of this round
      for (size_t i = 0; i < owners_.size() && found.size() < count; ++i) {
        const NodeIndex node = owners_[(first + i) % owners_.size()];
        if (taken.count(node) > 0 || !used.insert(zones_[node]).second) {
          continue;
        }
        taken.insert(node);
        found.push_back(node);
        if (used.size() == zone_count_) break;
      }
    }
  }

 private:
  size_t zone_count_;
  std::vector<uint64_t> positions_;
  std::vector<NodeIndex> owners_;
  std::vector<std::string> zones_;
};

SpreadPlan PlanOf(const SpreadIndex& index, const Ring& ring, uint32_t count) {
  SpreadPolicy policy;
  policy.count = count;
  return Take(index.Plan(ring, policy));
}

struct Case {
  explicit Case(const Shape& wanted)
      : shape(wanted),
        hashes(Hashes(kItems)),
        ring(RingOf(shape)),
        index(Take(SpreadIndex::Build(ring))),
        plan(PlanOf(index, ring, shape.count)),
        sets(ring, shape.zones) {
    std::vector<NodeIndex> found(shape.count), nodes;
    for (uint64_t hash : hashes) {
      sets.Find(hash, shape.count, nodes);
      const auto answer = index.Replicas(ring, hash, plan, found);
      Require(answer.count == shape.count && found == nodes,
              "replicas in zones");
      size_t i = 0;
      std::vector<NodeIndex> plain(shape.count);
      ring.Replicas(hash, shape.count, plain.data());
      for (NodeIndex node : index.Clockwise(ring, hash)) {
        if (i == shape.count) break;
        Require(node == plain[i++], "nodes clockwise");
      }
    }
  }

  Shape shape;
  std::vector<uint64_t> hashes;
  Ring ring;
  SpreadIndex index;
  SpreadPlan plan;
  Sets sets;
};

const Case& CaseOf(const Shape& shape) {
  static std::map<Shape, std::unique_ptr<Case>> cases;
  auto& kept = cases[shape];
  if (!kept) kept = std::make_unique<Case>(shape);
  return *kept;
}

// `find(case, hash, nodes)` writes the replicas of a hash to `nodes`.
template <typename Find>
Contender ContenderOf(const std::string& name, const Shape& shape, Mode mode,
                      Find find) {
  return {"replicas:" + name, [=](size_t first, size_t count) {
            const Case& c = CaseOf(shape);
            std::vector<NodeIndex> nodes(shape.count);
            const auto last_of = [&](size_t i, NodeIndex last) {
              find(c, c.hashes[i] ^ last, nodes);
              return nodes.back();
            };
            return RunSingle(mode, last_of, first, count);
          }};
}

Group GroupOf(const Shape& shape, Mode mode) {
  using Nodes = std::vector<NodeIndex>;
  const auto of = [&](const char* name, auto find) {
    return ContenderOf(name, shape, mode, find);
  };
  return {NameOf(shape) + "/mode:" + ModeName(mode),
          kItems,
          256,
          [shape] { CaseOf(shape); },
          {of("sets",
              [](const Case& c, uint64_t hash, Nodes& nodes) {
                c.sets.Find(hash, c.shape.count, nodes);
              }),
           of("spread",
              [](const Case& c, uint64_t hash, Nodes& nodes) {
                c.index.Replicas(c.ring, hash, c.plan, nodes);
              }),
           of("spread_excluded",
              [](const Case& c, uint64_t hash, Nodes& nodes) {
                c.index.Replicas(c.ring, hash, c.plan, nodes,
                                 [](NodeIndex n) { return n == kNoNode; });
              }),
           of("walk",
              [](const Case& c, uint64_t hash, Nodes& nodes) {
                c.ring.Replicas(hash, nodes.size(), nodes.data());
              }),
           of("walk_index", [](const Case& c, uint64_t hash, Nodes& nodes) {
             size_t i = 0;
             for (NodeIndex node : c.index.Clockwise(c.ring, hash)) {
               nodes[i++] = node;
               if (i == nodes.size()) break;
             }
           })}};
}

// Whole turns: every node, without labels.
Ring WholeRing(uint32_t nodes) {
  return UniformRing(64, nodes * kVnodes, Layout::kLine);
}

struct WholeTurn {
  explicit WholeTurn(uint32_t nodes)
      : ring(WholeRing(nodes)), index(Take(SpreadIndex::Build(ring))) {}
  Ring ring;
  SpreadIndex index;
};

const WholeTurn& WholeTurnOf(uint32_t nodes) {
  static std::map<uint32_t, std::unique_ptr<WholeTurn>> kept;
  auto& turn = kept[nodes];
  if (!turn) turn = std::make_unique<WholeTurn>(nodes);
  return *turn;
}

template <typename Walk>
uint64_t Turns(Walk walk, size_t first, size_t count) {
  uint64_t sum = 0;
  for (size_t i = first; i < first + count; ++i) {
    for (NodeIndex node : walk(Fmix64(i))) sum += node;
  }
  return sum;
}

Group WholeTurnsOf(uint32_t nodes) {
  return {
      "nodes:" + std::to_string(nodes) + "/mode:turn",
      4,
      1,
      [nodes] {
        const WholeTurn& turn = WholeTurnOf(nodes);
        size_t met = 0;
        for (NodeIndex node : turn.index.Clockwise(turn.ring, 1)) {
          met += node < nodes;
        }
        Require(met == nodes, "a whole turn");
      },
      {{"replicas:walk",
        [nodes](size_t first, size_t count) {
          const WholeTurn& turn = WholeTurnOf(nodes);
          return Turns([&](uint64_t h) { return turn.ring.Clockwise(h); },
                       first, count);
        }},
       {"replicas:walk_index", [nodes](size_t first, size_t count) {
          const WholeTurn& turn = WholeTurnOf(nodes);
          return Turns(
              [&](uint64_t h) { return turn.index.Clockwise(turn.ring, h); },
              first, count);
        }}}};
}

Group BuildsOf(uint32_t nodes) {
  return {"nodes:" + std::to_string(nodes) + "/mode:build",
          4,
          1,
          [nodes] { WholeTurnOf(nodes); },
          {{"replicas:ring",
            [nodes](size_t, size_t count) {
              uint64_t sum = 0;
              for (size_t i = 0; i < count; ++i) {
                sum += WholeRing(nodes).point_count();
              }
              return sum;
            }},
           {"replicas:index", [nodes](size_t, size_t count) {
              uint64_t sum = 0;
              for (size_t i = 0; i < count; ++i) {
                sum +=
                    Take(SpreadIndex::Build(WholeTurnOf(nodes).ring)).bytes();
              }
              return sum;
            }}}};
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (const Shape& shape :
       {Shape{100, 5, 3}, {100, 5, 5}, {100, 3, 4}, {1000, 5, 3}}) {
    groups.push_back(GroupOf(shape, Mode::kLatency));
    groups.push_back(GroupOf(shape, Mode::kIndependent));
  }
  for (uint32_t nodes : {1000u, 4000u}) groups.push_back(WholeTurnsOf(nodes));
  groups.push_back(BuildsOf(100));
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Replicas", Groups());
}
