// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "rounds.h"

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <regex>

#include "machine.h"
#include "target.h"

namespace clockwise::bench {
namespace {

struct Flags {
  bool ratios = false;
  bool check = false;
  bool all_targets = false;
  int rounds = 9;
  std::string only;
};

// Takes our flags out of the command line.
Flags TakeFlags(int& argc, char** argv) {
  Flags flags;
  const auto is_ours = [&flags](const std::string& text) {
    if (text == "--ratios") return flags.ratios = true;
    if (text == "--check") return flags.check = true;
    if (text == "--all-targets") return flags.all_targets = true;
    if (text.starts_with("--rounds=")) {
      flags.rounds = std::max(std::atoi(text.c_str() + 9), 1);
      return true;
    }
    if (text.starts_with("--only=")) {
      flags.only = text.substr(7);
      return true;
    }
    return false;
  };
  argc =
      static_cast<int>(std::remove_if(argv + 1, argv + argc, is_ours) - argv);
  argv[argc] = nullptr;
  return flags;
}

double ThreadNanoseconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

std::string FullName(const Contender& contender) {
  return contender.target == 0
             ? contender.name
             : contender.name + "/target:" + TargetName(contender.target);
}

std::shared_ptr<void> Beside(const Contender& contender) {
  return contender.beside ? contender.beside() : nullptr;
}

double NanosecondsPerItem(const Contender& contender, const Group& group) {
  UseTarget(contender.target);
  const std::shared_ptr<void> beside = Beside(contender);
  Keep(contender.run(0, group.items));
  const double begin = ThreadNanoseconds();
  Keep(contender.run(0, group.items));
  return (ThreadNanoseconds() - begin) / static_cast<double>(group.items);
}

// Leaves out all targets but the best.
void DropTargets(Group& group) {
  std::erase_if(group.contenders, [](const Contender& contender) {
    return contender.target != 0 && contender.target != Targets().front();
  });
}

void RunRounds(const Group& group, int rounds) {
  std::vector<std::vector<double>> times(group.contenders.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < times.size(); ++i) {
      times[i].push_back(NanosecondsPerItem(group.contenders[i], group));
    }
  }
  for (size_t i = 0; i < times.size(); ++i) {
    std::printf("%s\t%s", group.name.c_str(),
                FullName(group.contenders[i]).c_str());
    for (double t : times[i]) std::printf("\t%.4f", t);
    std::printf("\n");
  }
  std::fflush(stdout);
}

void RunNamed(benchmark::State& state, const Group& group,
              const Contender& contender) {
  group.prepare();
  UseTarget(contender.target);
  const std::shared_ptr<void> beside = Beside(contender);
  Keep(contender.run(0, group.items));
  size_t first = 0;
  for (auto _ : state) {
    Keep(contender.run(first, group.stretch));
    first += group.stretch;
    if (first + group.stretch > group.items) first = 0;
  }
  state.counters["item"] =
      benchmark::Counter(static_cast<double>(group.stretch),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

void Register(const std::string& verb, const Group& group) {
  for (const Contender& contender : group.contenders) {
    std::string name = verb + "/" + contender.name + "/" + group.name;
    if (contender.target != 0)
      name += "/target:" + TargetName(contender.target);
    benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) {
      RunNamed(state, group, contender);
    });
  }
}

int RunGoogleBenchmark(int argc, char** argv, const std::string& verb,
                       const std::vector<Group>& groups) {
  for (const Group& group : groups) Register(verb, group);
  for (const auto& [name, value] : Machine()) {
    benchmark::AddCustomContext(name, value);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace

void Require(bool is_right, const std::string& what) {
  if (is_right) return;
  std::cerr << "wrong answer: " << what << "\n";
  std::abort();
}

int Main(int argc, char** argv, const std::string& verb,
         std::vector<Group> groups) {
  const Flags flags = TakeFlags(argc, argv);
  const std::regex only(flags.only);
  std::erase_if(groups, [&](const Group& group) {
    return !std::regex_search(group.name, only);
  });
  if (!flags.ratios && !flags.check) {
    return RunGoogleBenchmark(argc, argv, verb, groups);
  }
  if (flags.ratios) {
    for (const auto& [name, value] : Machine()) {
      std::printf("# %s\t%s\n", name.c_str(), value.c_str());
    }
  }
  for (Group& group : groups) {
    group.prepare();
    if (!flags.all_targets) DropTargets(group);
    if (flags.ratios) RunRounds(group, flags.rounds);
  }
  UseTarget(0);
  return 0;
}

}  // namespace clockwise::bench
