// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What it costs to count requests by node.
//
//   Count/counts:own/threads:1/keys:uniform
//
// Each item counts one owner, drawn before: of 100 nodes on 16,000 points, keys
// uniform, Zipf(1.1) or one key alone. `none` only reads the owners. `own` and
// `own_batch` are CountCollector::Thread, one at a time and 256 together;
// `own_fetch_add` has counters of its own as well, and adds with a locked
// instruction. `shared` is one array of counters for all threads,
// `shared_lines` the same with a cache line for each. `threads` counts the one
// that is measured; the other does the same.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "beside.h"
#include "clockwise/clockwise.h"
#include "keys.h"
#include "rings.h"
#include "rounds.h"
#include "zipf.h"

namespace clockwise::bench {
namespace {

constexpr uint32_t kNodes = 100;
constexpr size_t kBatch = 256;
constexpr size_t kZipfKeys = 100'000;

enum class Draw { kUniform, kZipf, kOne };
constexpr const char* kDrawNames[] = {"uniform", "zipf", "one"};

std::vector<NodeIndex> OwnersOf(const Ring& ring, Draw draw) {
  const Zipf zipf(kZipfKeys, 1.1);
  const std::vector<uint64_t> keys = Hashes(kZipfKeys, 99);
  Random random(1);
  std::vector<NodeIndex> owners(kQueries);
  for (NodeIndex& owner : owners) {
    const uint64_t hash = draw == Draw::kUniform ? random()
                          : draw == Draw::kZipf  ? keys[zipf(random())]
                                                 : keys[0];
    owner = ring.Owner(hash);
  }
  return owners;
}

using Counter = std::atomic<uint64_t>;
struct alignas(64) Line {
  Counter count{0};
};

// What one thread has for itself.
struct Worker {
  explicit Worker(CountCollector& collector)
      : thread(Take(collector.Join())), counters(kNodes) {}
  CountCollector::Thread thread;
  std::vector<Counter> counters;
};

// What all contenders of one kind of keys share.
struct Scene {
  explicit Scene(Draw draw)
      : ring(UniformRing(64, kNodes * kVnodes, Layout::kLine)),
        owners(OwnersOf(ring, draw)),
        collector(Take(CountCollector::Create(kNodes))),
        shared(kNodes),
        lines(kNodes),
        measured(collector),
        other(collector) {
    Require(collector.Track(ring).ok(), "track");
  }

  Ring ring;
  std::vector<NodeIndex> owners;
  CountCollector collector;
  std::vector<Counter> shared;
  std::vector<Line> lines;
  Worker measured, other;
};

Scene& SceneOf(Draw draw) {
  static Scene uniform(Draw::kUniform), zipf(Draw::kZipf), one(Draw::kOne);
  Scene* const scenes[] = {&uniform, &zipf, &one};
  return *scenes[static_cast<size_t>(draw)];
}

using Run = uint64_t (*)(Scene&, Worker&, size_t, size_t);

uint64_t RunNone(Scene& scene, Worker&, size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) Keep(scene.owners[i]);
  return count;
}

uint64_t RunOwn(Scene& scene, Worker& worker, size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    worker.thread.Count(scene.owners[i]);
  }
  return count;
}

uint64_t RunOwnBatch(Scene& scene, Worker& worker, size_t first, size_t count) {
  for (size_t i = first; i < first + count; i += kBatch) {
    worker.thread.Count(&scene.owners[i], kBatch);
  }
  return count;
}

uint64_t RunOwnFetchAdd(Scene& scene, Worker& worker, size_t first,
                        size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    worker.counters[scene.owners[i]].fetch_add(1, std::memory_order_relaxed);
  }
  return count;
}

uint64_t RunShared(Scene& scene, Worker&, size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    scene.shared[scene.owners[i]].fetch_add(1, std::memory_order_relaxed);
  }
  return count;
}

uint64_t RunLines(Scene& scene, Worker&, size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    scene.lines[scene.owners[i]].count.fetch_add(1, std::memory_order_relaxed);
  }
  return count;
}

struct Way {
  const char* name;
  Run run;
  // What it has counted of a node; null where it counts nothing.
  uint64_t (*counted)(Scene&, const Counts&, NodeIndex);
};

uint64_t CountedOwn(Scene& scene, const Counts& counts, NodeIndex node) {
  const auto id = scene.ring.node(node).id;
  for (const NodeCount& count : counts.nodes) {
    if (count.id == id) return count.count;
  }
  return 0;
}

constexpr Way kWays[] = {
    {"own", RunOwn, CountedOwn},
    {"own_batch", RunOwnBatch, CountedOwn},
    {"own_fetch_add", RunOwnFetchAdd,
     [](Scene& scene, const Counts&, NodeIndex node) {
       return scene.measured.counters[node].load();
     }},
    {"shared", RunShared,
     [](Scene& scene, const Counts&, NodeIndex node) {
       return scene.shared[node].load();
     }},
    {"shared_lines", RunLines,
     [](Scene& scene, const Counts&, NodeIndex node) {
       return scene.lines[node].count.load();
     }},
    {"none", RunNone, nullptr},
};

// Each way counts every owner once.
void Check(Scene& scene) {
  std::vector<uint64_t> expected(kNodes, 0);
  for (NodeIndex owner : scene.owners) ++expected[owner];
  for (const Way& way : kWays) {
    if (way.counted == nullptr) continue;
    std::vector<uint64_t> before(kNodes);
    const Counts at_first = scene.collector.Read();
    for (NodeIndex node = 0; node < kNodes; ++node) {
      before[node] = way.counted(scene, at_first, node);
    }
    way.run(scene, scene.measured, 0, kQueries);
    const Counts counts = scene.collector.Read();
    for (NodeIndex node = 0; node < kNodes; ++node) {
      Require(way.counted(scene, counts, node) - before[node] == expected[node],
              std::string(way.name) + ": count");
    }
  }
}

Contender ContenderOf(const Way& way, Draw draw, int threads) {
  Contender contender;
  contender.name = std::string("counts:") + way.name;
  contender.run = [run = way.run, draw](size_t first, size_t count) {
    Scene& scene = SceneOf(draw);
    return run(scene, scene.measured, first, count);
  };
  if (threads > 1) {
    contender.beside = [run = way.run, draw]() -> std::shared_ptr<void> {
      return std::make_shared<Beside>(
          [run, &scene = SceneOf(draw)](size_t first, size_t count) {
            Keep(run(scene, scene.other, first, count));
          });
    };
  }
  return contender;
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (int threads : {1, 2}) {
    for (Draw draw : {Draw::kUniform, Draw::kZipf, Draw::kOne}) {
      Group group{"threads:" + std::to_string(threads) +
                      "/keys:" + kDrawNames[static_cast<size_t>(draw)],
                  kQueries,
                  4096,
                  [draw] { Check(SceneOf(draw)); },
                  {}};
      for (const Way& way : kWays) {
        group.contenders.push_back(ContenderOf(way, draw, threads));
      }
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Count", Groups());
}
