// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What each placement takes to find the owner of a 64-bit hash, beside a ring:
//
//   Owner/placement:rendezvous/nodes:64/mode:latency
//
// `rendezvous_loop` is the plain loop over nodes that its SIMD is held against,
// `jump_loop` batches of single calls. `anchor` has a capacity of 1.1 times the
// nodes and a tenth of them removed. Mode `build` makes whole placements.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clockwise/clockwise.h"
#include "keys.h"
#include "modes.h"
#include "rings.h"
#include "rounds.h"
#include "target.h"

namespace clockwise::bench {
namespace {

constexpr size_t kItems = size_t{1} << 16;

std::vector<Node> Nodes(uint32_t count, bool is_weighted = false) {
  std::vector<Node> nodes;
  for (uint32_t i = 0; i < count; ++i) {
    nodes.push_back(NodeNumber(i));
    if (is_weighted) nodes[i].weight = Weight::Thousandths(500 + i % 7 * 250);
  }
  return nodes;
}

AnchorOptions AnchorOf(uint32_t nodes) {
  AnchorOptions options;
  options.capacity = nodes + nodes / 10;
  for (uint32_t i = 0; i < nodes; i += 10) options.removed.push_back(i);
  return options;
}

Ring RingOf(uint32_t nodes) {
  return UniformRing(64, nodes * kVnodes, Layout::kLine);
}

// Rendezvous hashing as one writes it down.
class RendezvousLoop {
 public:
  explicit RendezvousLoop(uint32_t nodes) {
    for (uint32_t i = 0; i < nodes; ++i) hashes_.push_back(Xxh3_64(NodeId(i)));
  }
  [[nodiscard]] NodeIndex Owner(uint64_t hash) const {
    uint64_t best = 0;
    NodeIndex at = 0;
    for (size_t i = 0; i < hashes_.size(); ++i) {
      const uint64_t score = Fmix64(hash ^ hashes_[i]);
      at = score > best ? static_cast<NodeIndex>(i) : at;
      best = score > best ? score : best;
    }
    return at;
  }

 private:
  std::vector<uint64_t> hashes_;
};

// The placements of one number of nodes, and hashes to ask for.
struct Case {
  explicit Case(uint32_t nodes)
      : hashes(Hashes(kItems)),
        ring(RingOf(nodes)),
        modulo(Take(Modulo::Build(Nodes(nodes)))),
        jump(Take(Jump::Build(Nodes(nodes)))),
        loop(nodes),
        rendezvous(Take(Rendezvous::Build(Nodes(nodes)))),
        weighted(Take(Rendezvous::Build(Nodes(nodes, true)))),
        maglev(Take(Maglev::Build(Nodes(nodes)))),
        probes(Take(MultiProbe::Build(Nodes(nodes)))),
        anchor(Take(Anchor::Build(Nodes(nodes), AnchorOf(nodes)))),
        slots(Take(Slots::Build(Nodes(nodes)))) {
    for (int64_t target : Targets()) {
      UseTarget(target);
      CheckBatch(ring);
      CheckBatch(modulo);
      CheckBatch(jump);
      CheckBatch(rendezvous);
      CheckBatch(weighted);
      CheckBatch(maglev);
      CheckBatch(probes);
      CheckBatch(anchor);
      CheckBatch(slots);
    }
    for (uint64_t hash : hashes) {
      const auto count = static_cast<int32_t>(nodes);
      Require(rendezvous.Owner(hash) == loop.Owner(hash), "rendezvous");
      Require(static_cast<int32_t>(jump.Owner(hash)) == JumpHash(hash, count),
              "jump");
      Require(modulo.Owner(hash) == hash % nodes, "modulo");
    }
  }

  template <typename P>
  void CheckBatch(const P& placement) const {
    std::vector<NodeIndex> owners(hashes.size());
    placement.Owners(hashes.data(), hashes.size(), owners.data());
    for (size_t i = 0; i < hashes.size(); ++i) {
      Require(placement.Owner(hashes[i]) == owners[i],
              "batch of " + std::string(placement.scheme()));
    }
  }

  std::vector<uint64_t> hashes;
  Ring ring;
  Modulo modulo;
  Jump jump;
  RendezvousLoop loop;
  Rendezvous rendezvous, weighted;
  Maglev maglev;
  MultiProbe probes;
  Anchor anchor;
  Slots slots;
};

// Built when first asked for, and kept.
const Case& CaseOf(uint32_t nodes) {
  static std::map<uint32_t, std::unique_ptr<Case>> cases;
  auto& kept = cases[nodes];
  if (!kept) kept = std::make_unique<Case>(nodes);
  return *kept;
}

// Lists the contenders of one group.
class Lister {
 public:
  Lister(uint32_t nodes, Mode mode) : nodes_(nodes), mode_(mode) {}

  std::vector<Contender> Run() {
    const bool is_batch = mode_ == Mode::kBatch;
    Single("rendezvous_loop", &Case::loop);
    if (is_batch) Single("jump_loop", &Case::jump);
    for (int64_t target : Targets()) {
      Add("ring", &Case::ring, is_batch ? target : 0);
      Add("rendezvous", &Case::rendezvous, target);
      Add("jump", &Case::jump, is_batch ? target : 0);
      Add("multi-probe", &Case::probes, is_batch ? target : 0);
    }
    Add("rendezvous_weighted", &Case::weighted, 0);
    Add("modulo", &Case::modulo, 0);
    Add("maglev", &Case::maglev, 0);
    Add("anchor", &Case::anchor, 0);
    Add("slots", &Case::slots, 0);
    return std::move(list_);
  }

 private:
  template <typename P>
  void Add(const std::string& name, P Case::*placement, int64_t target) {
    for (const Contender& listed : list_) {
      if (target == 0 && listed.name == "placement:" + name) return;
    }
    mode_ == Mode::kBatch ? Batch(name, placement, target)
                          : Single(name, placement, target);
  }

  template <typename P>
  void Single(const std::string& name, P Case::*placement, int64_t target = 0) {
    const auto run = [nodes = nodes_, mode = mode_, placement](size_t first,
                                                               size_t count) {
      const Case& c = CaseOf(nodes);
      const auto owner_of = [&p = c.*placement, hashes = c.hashes.data()](
                                size_t i, NodeIndex last) {
        return p.Owner(hashes[i] ^ last);
      };
      return RunSingle(mode, owner_of, first, count);
    };
    list_.push_back({"placement:" + name, run, target});
  }

  template <typename P>
  void Batch(const std::string& name, P Case::*placement, int64_t target) {
    const auto run = [nodes = nodes_, placement](size_t first, size_t count) {
      const Case& c = CaseOf(nodes);
      const auto owners_of = [&p = c.*placement, hashes = c.hashes.data()](
                                 size_t i, size_t some, NodeIndex* owners) {
        p.Owners(hashes + i, some, owners);
      };
      return RunBatches(owners_of, first, count);
    };
    list_.push_back({"placement:" + name, run, target});
  }

  uint32_t nodes_;
  Mode mode_;
  std::vector<Contender> list_;
};

Group LookupsOf(uint32_t nodes, Mode mode) {
  return {"nodes:" + std::to_string(nodes) + "/mode:" + ModeName(mode), kItems,
          4096, [nodes] { CaseOf(nodes); }, Lister(nodes, mode).Run()};
}

// `build()` makes a placement.
template <typename Build>
Contender BuildOf(const std::string& name, Build build) {
  return {"placement:" + name, [build](size_t, size_t count) {
            uint64_t sum = 0;
            for (size_t i = 0; i < count; ++i)
              sum += build().Owner(uint64_t{i});
            return sum;
          }};
}

Group BuildsOf(uint32_t nodes) {
  const auto of = [nodes] { return Nodes(nodes); };
  return {
      "nodes:" + std::to_string(nodes) + "/mode:build",
      16,
      1,
      [] {},
      {BuildOf("ring", [nodes] { return RingOf(nodes); }),
       BuildOf("rendezvous", [of] { return Take(Rendezvous::Build(of())); }),
       BuildOf("maglev", [of] { return Take(Maglev::Build(of())); }),
       BuildOf("multi-probe", [of] { return Take(MultiProbe::Build(of())); }),
       BuildOf(
           "anchor",
           [of, nodes] { return Take(Anchor::Build(of(), AnchorOf(nodes))); }),
       BuildOf("slots", [of] { return Take(Slots::Build(of())); })}};
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (uint32_t nodes : {64u, 1024u}) {
    for (Mode mode : {Mode::kLatency, Mode::kIndependent, Mode::kBatch}) {
      groups.push_back(LookupsOf(nodes, mode));
    }
    groups.push_back(BuildsOf(nodes));
  }
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Owner", Groups());
}
