// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How contenders are compared, and the main function of every benchmark.
//
// Nanoseconds on a shared machine drift by tens of percent from minute to
// minute; the ratio of two contenders that take turns within one process does
// not. So `--ratios` runs all contenders of a group in rounds: in each, every
// contender in turn does one untimed warm pass and one timed pass of the same
// items, in CPU time of its thread. It prints the times of all rounds, from
// which tools/bench takes the median of the ratios. Without it the same
// contenders run as named Google Benchmarks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clockwise::bench {

// One way to do what a group measures.
struct Contender {
  std::string name;  // "layout:line"
  // Does items [first, first + count) of the group; returns a checksum.
  std::function<uint64_t(size_t first, size_t count)> run;
  int64_t target = 0;  // of Highway, to run with; 0: any
  // Other threads: what it returns lives while `run` is measured. May be none.
  std::function<std::shared_ptr<void>()> beside = {};
};

// Contenders that do the same items, of which each answers alike.
struct Group {
  std::string name;  // "width:32/points:16000/mode:latency"
  size_t items;      // of one pass
  size_t stretch;    // items of one iteration of a named benchmark
  // Draws keys, builds rings, and holds every answer of every contender
  // against the reference; aborts on a wrong one. Called before timing.
  std::function<void()> prepare;
  std::vector<Contender> contenders;
};

// Aborts, with a message, unless `is_right`.
void Require(bool is_right, const std::string& what);

// Keeps a result alive.
template <typename T>
void Keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

// Runs what the command line asks for: named benchmarks `verb/contender/group`,
// or with --ratios rounds, or with --check only `prepare`. --only=REGEX takes
// the groups whose names it matches, --rounds=N (9) so many rounds, and
// --all-targets rounds with every target, not just the CPU's best.
int Main(int argc, char** argv, const std::string& verb,
         std::vector<Group> groups);

}  // namespace clockwise::bench
