// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The same lookups by a bare pointer and through a router, to be counted in
// instructions: one function each, 64 lookups a section.
// tests/read_cost_test.py runs it under callgrind.
#include <cstdio>
#include <vector>

#include "contenders.h"
#include "keys.h"
#include "rings.h"
#include "rounds.h"
#include "sync_methods.h"

// libhwy measures a timer when it is loaded, with an instruction that valgrind
// does not know on virtual machines that hide it. This one comes first.
namespace hwy::platform {
double TimerResolution();
double TimerResolution() { return 1e-8; }
}  // namespace hwy::platform

namespace clockwise::bench {

constexpr size_t kSection = 64;
constexpr size_t kCounted = 256 * kSection;

// What is counted, by the name of its instance.
template <typename M, Load kLoad>
[[gnu::noinline]] uint64_t Count(typename M::Thread& thread,
                                 const uint64_t* hashes) {
  return RunSections<kSection, kLoad, M>(thread, hashes, kCounted);
}

template <typename M>
void Run(const Ring& ring, const std::vector<uint64_t>& hashes, uint64_t sum) {
  M method(ring);
  typename M::Thread thread(method);
  // One section before, so that the thread is online.
  RunSections<kSection, Load::kPerSection, M>(thread, hashes.data(), kSection);
  Require((Count<M, Load::kPerLookup>(thread, hashes.data())) == sum, "loads");
  Require((Count<M, Load::kPerSection>(thread, hashes.data())) == sum, "held");
  thread.Offline();
}

void RunAll() {
  const Ring ring = UniformRing(32, 1280, Layout::kLine);
  const std::vector<uint64_t> hashes = Hashes(kCounted);
  const LowerBoundRing<uint32_t> reference(ring);
  uint64_t sum = 0;
  for (uint64_t hash : hashes) sum += reference.view()(hash);
  Run<Bare>(ring, hashes, sum);
  Run<Routed<Flavour::kQsbr>>(ring, hashes, sum);
  Run<Routed<Flavour::kMemb>>(ring, hashes, sum);
  Run<Routed<Flavour::kBp>>(ring, hashes, sum);
  std::printf("lookups\t%zu\n", kCounted);
}

}  // namespace clockwise::bench

int main() { clockwise::bench::RunAll(); }
