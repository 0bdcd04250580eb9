// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What publishing does to the slowest lookups of a reader: the time of each
// lookup of one thread, alone on the last CPU, while another one builds rings
// of 16,000 points and publishes them so many times a second, and while it does
// not, in turn. One line of percentiles a phase, and the medians of the pairs.
//
//   publish_tail_bench [--pairs=9] [--seconds=1] [--rate=100]
//                      [--flavour=qsbr|memb|bp] [--prefetch=yes|no] [--check]
//
// The reader looks once every 64 lookups whether there is a new ring, and then
// prefetches it; the lookup after that bears the time of it. A time includes
// reading the clock twice, some 10 to 20 ns. --check: only holds the answers
// against the reference.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "clockwise/router.h"
#include "contenders.h"
#include "keys.h"
#include "machine.h"
#include "rings.h"
#include "rounds.h"
#include "tail.h"
#include "ticks.h"

namespace clockwise::bench {
namespace {

constexpr uint32_t kNodes = 100;  // 16,000 points
constexpr size_t kTurn = 64;      // lookups between two Quiescent
constexpr double kShares[] = {0.5, 0.99, 0.999, 0.9999, 1};
constexpr size_t kFigures = std::size(kShares);
using Figures = std::array<double, kFigures>;  // ns

struct Plan {
  Flavour flavour = Flavour::kQsbr;
  int pairs = 9;
  double seconds = 1;
  double rate = 100;
  bool prefetches = true;
  bool is_check = false;
};

void RunOn(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

unsigned LastCpu() {
  return static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN)) - 1;
}

class Bench {
 public:
  explicit Bench(const Plan& plan)
      : plan_(plan),
        builder_(BuilderOf(Options(32, Layout::kLine), kNodes)),
        domain_(Take(Domain::Create({.flavour = plan.flavour}))),
        router_(Take(Router::Create(domain_))),
        hashes_(Hashes(kQueries)),
        ticks_per_ns_(TicksPerNanosecond()) {
    Publish();
    const LowerBoundRing<uint32_t> reference(Take(builder_.Build()));
    for (uint64_t hash : hashes_) owners_.push_back(reference.view()(hash));
  }

  // Lookups for as long as a phase lasts, their times counted.
  Figures Read() {
    Tail tail;
    Reader reader = Take(domain_.Register("reader"));
    const uint64_t end =
        Nanoseconds() + static_cast<uint64_t>(plan_.seconds * 1e9);
    for (size_t i = 0; Nanoseconds() < end; i = (i + kTurn) % kQueries) {
      ReadTurn(reader, i, tail);
    }
    Figures figures;
    for (size_t i = 0; i < kFigures; ++i) {
      figures[i] =
          static_cast<double>(tail.Percentile(kShares[i])) / ticks_per_ns_;
    }
    return figures;
  }

  // Builds and publishes at the planned rate until `is_over`; returns how
  // often.
  uint64_t Write(const std::atomic<bool>& is_over) {
    const auto period = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(1 / plan_.rate));
    uint64_t count = 0;
    for (auto at = Clock::now(); !is_over; ++count) {
      Publish();
      std::this_thread::sleep_until(at += period);
    }
    return count;
  }

  // Every answer, right after a publish.
  void Check() {
    Publish();
    Tail tail;
    Reader reader = Take(domain_.Register("reader"));
    for (size_t i = 0; i < kQueries; i += kTurn) ReadTurn(reader, i, tail);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void Publish() { Take(router_->Publish(Take(builder_.Build()))); }

  // Sections of memb and bp are a lookup each, as for one request.
  void ReadTurn(Reader& reader, size_t first, Tail& tail) {
    NodeIndex owners[kTurn];
    for (size_t i = 0; i < kTurn; ++i) {
      const uint64_t hash = hashes_[first + i];
      const uint64_t begin = Ticks();
      if (i == 0 && plan_.prefetches) MeetRing(reader);
      {
        const Pin pin(reader);
        owners[i] = router_->Current(pin).Owner(hash);
      }
      tail.Add(Ticks() - begin);
    }
    reader.Quiescent();
    for (size_t i = 0; i < kTurn; ++i) {
      Require(owners[i] == owners_[first + i], "an owner");
    }
  }

  void MeetRing(const Reader& reader) {
    const Pin pin(reader);
    const PublishedRing& ring = router_->Current(pin);
    if (ring.epoch() == epoch_) return;
    epoch_ = ring.epoch();
    ring.Prefetch();
  }

  const Plan plan_;
  RingBuilder builder_;
  Domain domain_;
  std::unique_ptr<Router> router_;
  std::vector<uint64_t> hashes_;
  std::vector<NodeIndex> owners_;
  double ticks_per_ns_;
  uint64_t epoch_ = 0;  // that the reader met last
};

struct Phase {
  Figures figures;
  uint64_t publishes = 0;
};

// The reader on the last CPU; the caller, and the domain's threads, not.
Phase RunPhase(Bench& bench, bool is_publishing) {
  Phase phase;
  std::atomic<bool> is_over{false};
  std::thread reader([&] {
    RunOn(LastCpu());
    phase.figures = bench.Read();
    is_over = true;
  });
  if (is_publishing) phase.publishes = bench.Write(is_over);
  reader.join();
  return phase;
}

void Print(const char* what, const Phase& phase) {
  std::printf("%-10s %9llu", what,
              static_cast<unsigned long long>(phase.publishes));
  for (double ns : phase.figures) std::printf(" %9.0f", ns);
  std::printf("\n");
  std::fflush(stdout);
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Medians over pairs, of times and of what publishing makes of them.
void PrintMedians(const std::vector<Phase>& idle,
                  const std::vector<Phase>& publishing) {
  std::printf("\n%-10s %9s %9s %9s %9s %9s\n", "medians", "p50", "p99", "p99.9",
              "p99.99", "longest");
  const auto print = [&](const char* what, const char* form, auto value_of) {
    std::printf("%-10s", what);
    for (size_t f = 0; f < kFigures; ++f) {
      std::vector<double> values;
      for (size_t i = 0; i < idle.size(); ++i) {
        values.push_back(
            value_of(idle[i].figures[f], publishing[i].figures[f]));
      }
      std::printf(form, Median(values));
    }
    std::printf("\n");
  };
  print("idle", " %9.0f", [](double a, double) { return a; });
  print("publishing", " %9.0f", [](double, double b) { return b; });
  print("more, ns", " %+9.0f", [](double a, double b) { return b - a; });
  print("ratio", " %9.2f", [](double a, double b) { return b / a; });
}

void PrintHead(const Plan& plan) {
  for (const auto& [name, value] : Machine()) {
    std::printf("# %s: %s\n", name.c_str(), value.c_str());
  }
  std::printf("# flavour %s, %.0f publishes/s of %u points, %g s a phase, %s\n",
              std::string(FlavourName(plan.flavour)).c_str(), plan.rate,
              kNodes * kVnodes, plan.seconds,
              plan.prefetches ? "prefetching" : "not prefetching");
  std::printf("%-10s %9s %9s %9s %9s %9s %9s\n", "ns", "publishes", "p50",
              "p99", "p99.9", "p99.99", "longest");
}

void Run(const Plan& plan) {
  RunOn(0);
  Bench bench(plan);
  bench.Check();
  if (plan.is_check) return;
  PrintHead(plan);
  std::vector<Phase> idle, publishing;
  for (int pair = 0; pair < plan.pairs; ++pair) {
    Print("idle", idle.emplace_back(RunPhase(bench, false)));
    Print("publishing", publishing.emplace_back(RunPhase(bench, true)));
  }
  PrintMedians(idle, publishing);
}

// Whether `text` is "--name=value"; then gives the value.
bool Flag(std::string_view text, std::string_view name, std::string& value) {
  if (!text.starts_with(name) || !text.substr(name.size()).starts_with("=")) {
    return false;
  }
  value = text.substr(name.size() + 1);
  return true;
}

bool SetFlavour(const std::string& name, Plan& plan) {
  for (Flavour flavour : {Flavour::kQsbr, Flavour::kMemb, Flavour::kBp}) {
    if (name != FlavourName(flavour)) continue;
    plan.flavour = flavour;
    return true;
  }
  return false;
}

bool Set(std::string_view text, Plan& plan) {
  std::string value;
  if (text == "--check") return plan.is_check = true;
  if (Flag(text, "--pairs", value)) {
    return (plan.pairs = std::atoi(value.c_str())) > 0;
  }
  if (Flag(text, "--seconds", value)) {
    return (plan.seconds = std::atof(value.c_str())) > 0;
  }
  if (Flag(text, "--rate", value)) {
    return (plan.rate = std::atof(value.c_str())) > 0;
  }
  if (Flag(text, "--prefetch", value)) {
    plan.prefetches = value == "yes";
    return plan.prefetches || value == "no";
  }
  return Flag(text, "--flavour", value) && SetFlavour(value, plan);
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  Plan plan;
  for (int i = 1; i < argc; ++i) {
    if (Set(argv[i], plan)) continue;
    std::cerr << "publish_tail_bench: cannot take " << argv[i] << "\n";
    return 2;
  }
  Run(plan);
}
