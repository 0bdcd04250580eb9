// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What it costs to read a ring that may be replaced at any time: one thread's
// CPU time per lookup, other readers and a writer beside it.
//
//   Route/sync:qsbr/section:64/readers:2/writer:busy
//
// `section` is how many lookups share a pin, a lock or a counted pointer, and
// one ring; in `64_loads` each of them asks for the ring that serves now.
// `readers` counts the thread that is measured; the others do what it does.
// The writer publishes copies of one ring so many times a second; `busy`: as
// fast as it can.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "contenders.h"
#include "keys.h"
#include "rings.h"
#include "rounds.h"
#include "sync_methods.h"

namespace clockwise::bench {
namespace {

constexpr uint32_t kPoints = 16000;
constexpr uint32_t kIdle = 0;
constexpr uint32_t kBusy = ~uint32_t{0};

const Ring& TheRing() {
  static const Ring ring = UniformRing(32, kPoints, Layout::kLine);
  return ring;
}

const std::vector<uint64_t>& TheHashes() {
  static const std::vector<uint64_t> hashes = Hashes(kQueries);
  return hashes;
}

uint64_t RightSum() {
  static const uint64_t sum = [] {
    const LowerBoundRing<uint32_t> reference(TheRing());
    uint64_t owners = 0;
    for (uint64_t hash : TheHashes()) owners += reference.view()(hash);
    return owners;
  }();
  return sum;
}

struct Scene {
  uint32_t readers;
  uint32_t rate;  // publishes a second, or kIdle, kBusy

  [[nodiscard]] std::string Name() const {
    const std::string writer = rate == kIdle   ? "idle"
                               : rate == kBusy ? "busy"
                                               : std::to_string(rate);
    return "readers:" + std::to_string(readers) + "/writer:" + writer;
  }
};

// A method with the measured thread's leave to read. Made on first use, on that
// thread; never destroyed.
template <typename M>
struct Stage {
  M method{TheRing()};
  typename M::Thread thread{method};
  uint64_t epoch = 1;

  static Stage& Get() {
    static auto* stage = new Stage;
    return *stage;
  }
};

// The other readers and the writer, from its making to its end.
template <size_t kLookups, Load kLoad, typename M>
class Company {
 public:
  explicit Company(Scene scene) : scene_(scene) {
    for (uint32_t i = 1; i < scene.readers; ++i) {
      threads_.emplace_back([this] { Read(); });
    }
    if (scene.rate != kIdle) threads_.emplace_back([this] { Write(); });
  }
  ~Company() {
    is_over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  static constexpr size_t kStretch = 4096;

  void Read() {
    typename M::Thread thread(Stage<M>::Get().method);
    size_t first = 0;
    while (!is_over_) {
      Keep(RunSections<kLookups, kLoad, M>(thread, &TheHashes()[first],
                                           kStretch));
      first = (first + kStretch) % kQueries;
    }
    thread.Offline();
  }

  void Write() {
    using Clock = std::chrono::steady_clock;
    Stage<M>& stage = Stage<M>::Get();
    auto at = Clock::now();
    while (!is_over_) {
      stage.method.Publish(Take(TheRing().Copy(++stage.epoch)));
      if (scene_.rate == kBusy) continue;
      at += std::chrono::nanoseconds(1'000'000'000 / scene_.rate);
      std::this_thread::sleep_until(at);
    }
  }

  const Scene scene_;
  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

template <size_t kLookups, Load kLoad, typename M>
Contender ContenderOf(const std::string& sync, Scene scene) {
  Contender contender;
  contender.name = "sync:" + sync + "/section:" + std::to_string(kLookups) +
                   (kLookups > 1 && kLoad == Load::kPerLookup ? "_loads" : "");
  contender.run = [](size_t first, size_t count) {
    typename M::Thread& thread = Stage<M>::Get().thread;
    const uint64_t sum =
        RunSections<kLookups, kLoad, M>(thread, &TheHashes()[first], count);
    thread.Offline();
    return sum;
  };
  contender.beside = [scene]() -> std::shared_ptr<void> {
    return std::make_shared<Company<kLookups, kLoad, M>>(scene);
  };
  return contender;
}

template <typename M>
void Append(const std::string& sync, Scene scene, Group& group) {
  auto& list = group.contenders;
  list.push_back(ContenderOf<1, Load::kPerSection, M>(sync, scene));
  list.push_back(ContenderOf<64, Load::kPerLookup, M>(sync, scene));
  list.push_back(ContenderOf<64, Load::kPerSection, M>(sync, scene));
}

Group GroupOf(Scene scene) {
  Group group;
  group.name = scene.Name();
  group.items = kQueries;
  group.stretch = 4096;
  Append<Bare>("bare", scene, group);
  Append<Routed<Flavour::kQsbr>>("qsbr", scene, group);
  Append<Routed<Flavour::kMemb>>("memb", scene, group);
  Append<Routed<Flavour::kBp>>("bp", scene, group);
  Append<ByMutex>("mutex", scene, group);
  Append<BySharedMutex>("shared_mutex", scene, group);
  Append<ByAtomicSharedPtr>("atomic_shared_ptr", scene, group);
  group.prepare = [contenders = group.contenders] {
    for (const Contender& contender : contenders) {
      const std::shared_ptr<void> company = contender.beside();
      Require(contender.run(0, kQueries) == RightSum(), contender.name);
    }
  };
  return group;
}

std::vector<Group> Groups() {
  const uint32_t cores = std::max(2u, std::thread::hardware_concurrency());
  std::vector<Group> groups;
  for (uint32_t readers = 1; readers <= cores; readers *= 2) {
    for (uint32_t rate : {kIdle, 100u, 1000u, kBusy}) {
      groups.push_back(GroupOf({readers, rate}));
    }
  }
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Route", Groups());
}
