// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What bounded loads cost beside a plain lookup, and what they are worth.
//
//   Acquire/loads:bounded/threads:1/keys:uniform
//
// Each item acquires a ticket and releases the one that was acquired 256 items
// before. `owner` only looks the owner up; `owner_counted` counts requests by
// node, with no cap and no total. `threads` counts the one that is measured;
// the other does the same. Keys are hashes, uniform or Zipf(1.1), on 16,000
// points. --skew prints how evenly nodes are loaded instead.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "beside.h"
#include "clockwise/clockwise.h"
#include "keys.h"
#include "rings.h"
#include "rounds.h"
#include "skew.h"
#include "zipf.h"

namespace clockwise::bench {
namespace {

constexpr uint32_t kNodes = 100;
constexpr size_t kHeld = 256;  // in flight: caps of 4, a mean of 2.56
constexpr size_t kZipfKeys = 100'000;

enum class Draw { kUniform, kZipf };

std::vector<uint64_t> Requests(Draw draw, size_t count, uint64_t seed) {
  if (draw == Draw::kUniform) return Hashes(count, seed);
  const Zipf zipf(kZipfKeys, 1.1);
  const std::vector<uint64_t> keys = Hashes(kZipfKeys, 99);
  Random random(seed);
  std::vector<uint64_t> hashes(count);
  for (uint64_t& hash : hashes) hash = keys[zipf(random())];
  return hashes;
}

// What all contenders of one kind of keys share.
struct Scene {
  explicit Scene(Draw draw)
      : hashes(Requests(draw, kQueries, 1)),
        ring(UniformRing(64, kNodes * kVnodes, Layout::kLine)),
        loads(Take(LoadTable::Create(kNodes))),
        bounded(Take(BoundedLoad::Build(ring, loads))),
        counts(kNodes) {
    CheckBounded();
    CheckTwoChoices();
  }

  // Every ticket is within the cap of its own requests in flight, and first in
  // ring order of those that are: no node that it spilled over had room.
  void CheckBounded() {
    std::array<Ticket, kHeld> tickets;
    for (size_t i = 0; i < hashes.size(); ++i) {
      Ticket& ticket = tickets[i % kHeld];
      ticket.Release();
      ticket = bounded.Acquire(ring, hashes[i]);
      Require(ticket.outcome() == AcquireOutcome::kPlaced, "outcome");
      Require(ticket.load() <= bounded.Cap(ticket.node(), ticket.in_flight()),
              "a cap is broken");
      uint32_t spills = 0;
      for (const NodeIndex node : ring.Clockwise(hashes[i])) {
        if (node == ticket.node()) break;
        Require(loads.load(node) >= bounded.Cap(node, ticket.in_flight()),
                "a node with room was passed over");
        ++spills;
      }
      Require(spills == ticket.spills(), "spills");
    }
  }

  void CheckTwoChoices() {
    std::array<Ticket, kHeld> tickets;
    std::array<NodeIndex, 3> of{};
    for (size_t i = 0; i < hashes.size(); ++i) {
      Require(ring.Replicas(hashes[i], 3, of.data()) == 3, "replicas");
      Ticket& ticket = tickets[i % kHeld];
      ticket = bounded.AcquireOfTwo(of, hashes[i]);
      const bool is_one = std::count(of.begin(), of.end(), ticket.node()) == 1;
      Require(is_one || ticket.outcome() == AcquireOutcome::kAllFull, "choice");
      Require(!ticket || ticket.load() <=
                             bounded.Cap(ticket.node(), ticket.in_flight()),
              "a cap is broken by a choice");
    }
  }

  struct alignas(64) Count {
    std::atomic<uint64_t> requests{0};
  };
  std::vector<uint64_t> hashes;
  Ring ring;
  LoadTable loads;
  BoundedLoad bounded;
  std::vector<Count> counts;
};

Scene& SceneOf(Draw draw) {
  static Scene uniform(Draw::kUniform), zipf(Draw::kZipf);
  return draw == Draw::kUniform ? uniform : zipf;
}

uint64_t RunOwner(Scene& scene, size_t first, size_t count) {
  uint64_t sum = 0;
  for (size_t i = first; i < first + count; ++i) {
    sum += scene.ring.Owner(scene.hashes[i]);
  }
  return sum;
}

uint64_t RunCounted(Scene& scene, size_t first, size_t count) {
  std::array<NodeIndex, kHeld> held;
  held.fill(kNoNode);
  const auto release = [&](NodeIndex node) {
    if (node == kNoNode) return;
    scene.counts[node].requests.fetch_sub(1, std::memory_order_relaxed);
  };
  uint64_t sum = 0;
  for (size_t i = first; i < first + count; ++i) {
    const NodeIndex node = scene.ring.Owner(scene.hashes[i]);
    scene.counts[node].requests.fetch_add(1, std::memory_order_relaxed);
    release(held[i % kHeld]);
    held[i % kHeld] = node;
    sum += node;
  }
  for (const NodeIndex node : held) release(node);
  return sum;
}

uint64_t RunBounded(Scene& scene, size_t first, size_t count) {
  std::array<Ticket, kHeld> held;
  uint64_t sum = 0;
  for (size_t i = first; i < first + count; ++i) {
    held[i % kHeld] = scene.bounded.Acquire(scene.ring, scene.hashes[i]);
    sum += held[i % kHeld].node();
  }
  return sum;
}

uint64_t RunTwoChoices(Scene& scene, size_t first, size_t count) {
  std::array<Ticket, kHeld> held;
  std::array<NodeIndex, 3> replicas{};
  uint64_t sum = 0;
  for (size_t i = first; i < first + count; ++i) {
    scene.ring.Replicas(scene.hashes[i], 3, replicas.data());
    held[i % kHeld] =
        scene.bounded.AcquireOfTwo(replicas, i * 0x9E3779B97F4A7C15u,
                                   {.when_full = WhenFull::kLeastLoaded});
    sum += held[i % kHeld].node();
  }
  return sum;
}

using Run = uint64_t (*)(Scene&, size_t, size_t);

Contender ContenderOf(const std::string& name, Run run, Draw draw,
                      int threads) {
  Contender contender;
  contender.name = "loads:" + name;
  contender.run = [run, draw](size_t first, size_t count) {
    return run(SceneOf(draw), first, count);
  };
  if (threads > 1) {
    contender.beside = [run, draw]() -> std::shared_ptr<void> {
      return std::make_shared<Beside>(
          [run, &scene = SceneOf(draw)](size_t first, size_t count) {
            Keep(run(scene, first, count));
          });
    };
  }
  return contender;
}

Group GroupOf(int threads, Draw draw) {
  return {"threads:" + std::to_string(threads) +
              "/keys:" + (draw == Draw::kUniform ? "uniform" : "zipf"),
          kQueries,
          4096,
          [draw] { SceneOf(draw); },
          {ContenderOf("owner", RunOwner, draw, threads),
           ContenderOf("owner_counted", RunCounted, draw, threads),
           ContenderOf("bounded", RunBounded, draw, threads),
           ContenderOf("two_of_three", RunTwoChoices, draw, threads)}};
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (int threads : {1, 2}) {
    for (Draw draw : {Draw::kUniform, Draw::kZipf}) {
      groups.push_back(GroupOf(threads, draw));
    }
  }
  return groups;
}

void PrintSkew(const char* name, const Skew& skew) {
  std::printf("| %s | %.2f | %.2f | %.1f |\n", name, skew.mean_peak,
              skew.worst_peak, 100 * skew.spilled);
}

// Zipf(1.1) over 100,000 keys, 100 nodes of weight 1.
void PrintSkews() {
  constexpr size_t kInFlight = 10'000;
  const Ring ring = UniformRing(64, kNodes * kVnodes, Layout::kLine);
  LoadTable loads = Take(LoadTable::Create(kNodes));
  const std::vector<uint64_t> hashes = Requests(Draw::kZipf, kQueries, 1);
  std::printf("| | peak to mean | worst | spilled, %% |\n|---|---|---|---|\n");
  PrintSkew("plain ring", PlainSkew(ring, hashes, kInFlight, kNodes));
  for (const uint32_t factor : {100u, 110u, 125u, 150u, 200u}) {
    const BoundedLoad bounded =
        Take(BoundedLoad::Build(ring, loads, {.factor = factor}));
    PrintSkew(("factor " + std::to_string(factor) + " %").c_str(),
              BoundedSkew(ring, bounded, hashes, kInFlight, kNodes));
  }
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  if (argc == 2 && std::strcmp(argv[1], "--skew") == 0) {
    PrintSkews();
    return 0;
  }
  return Main(argc, argv, "Acquire", Groups());
}
