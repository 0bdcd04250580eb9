// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// router_torture --flavour qsbr|memb|bp --seconds N [--readers R] [--fault F]
//
// Publishes as fast as it can under readers that stutter, change CPUs, come and
// go, and hold every answer against the ring of the epoch that it claims. Exit
// 0: clean; 1: a fault was seen; 2: misuse. --fault plants one: that is another
// build of the same program, which this one starts.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "route/fault.h"
#include "torture.h"

namespace {

using clockwise::Fault;
using clockwise::Flavour;
using clockwise::torture::Options;

struct NamedFault {
  std::string_view name;
  Fault fault;
};
constexpr NamedFault kFaults[] = {
    {"no-grace-period", Fault::kNoGracePeriod},
    {"publish-before-built", Fault::kPublishBeforeBuilt},
    {"missing-release", Fault::kMissingRelease},
    {"early-free", Fault::kEarlyFree},
    {"unregistered-reader", Fault::kUnregisteredReader},
    {"mixed-copies", Fault::kMixedCopies},
    {"epoch-back", Fault::kEpochBack},
};

[[noreturn]] void Misuse(const std::string& why) {
  std::fprintf(stderr,
               "router_torture: %s\n"
               "usage: router_torture --flavour qsbr|memb|bp --seconds N "
               "[--readers R] [--max-live L] [--seed S] [--calm] "
               "[--fault NAME]\n",
               why.c_str());
  std::exit(2);
}

uint64_t Number(const char* text, uint64_t least, uint64_t most) {
  char* end = nullptr;
  errno = 0;
  const unsigned long long n = std::strtoull(text, &end, 10);
  if (*text == '\0' || *end != '\0' || *text == '-' || errno != 0 ||
      n < least || n > most) {
    Misuse(std::string(text) + ": " + std::to_string(least) + " to " +
           std::to_string(most));
  }
  return n;
}

Flavour ParseFlavour(std::string_view text) {
  for (const Flavour f : {Flavour::kQsbr, Flavour::kMemb, Flavour::kBp}) {
    if (text == clockwise::FlavourName(f)) return f;
  }
  Misuse("unknown flavour " + std::string(text));
}

Fault ParseFault(std::string_view text) {
  const auto* named =
      std::find_if(std::begin(kFaults), std::end(kFaults),
                   [&](const NamedFault& f) { return f.name == text; });
  if (named == std::end(kFaults)) Misuse("unknown fault " + std::string(text));
  return named->fault;
}

void PlantFault(Fault fault, char** argv) {
#ifdef CW_FAULTS
  clockwise::seeded_fault = fault;
  static_cast<void>(argv);
#else
  static_cast<void>(fault);
  const std::string other =
      std::filesystem::read_symlink("/proc/self/exe").string() + "_faults";
  execv(other.c_str(), argv);
  Misuse(other + ": " + std::strerror(errno));
#endif
}

// Freed memory that is read may hold any address: that is a fault seen.
extern "C" void OnCrash(int) {
  constexpr std::string_view kLine = "router_torture: crashed: faults=1\n";
  static_cast<void>(!write(2, kLine.data(), kLine.size()));
  _exit(1);
}
extern "C" void OnAlarm(int) {
  constexpr std::string_view kLine = "router_torture: hangs: faults=1\n";
  static_cast<void>(!write(2, kLine.data(), kLine.size()));
  _exit(1);
}

Options Parse(int argc, char** argv) {
  Options options;
  std::optional<Fault> fault;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--calm") {
      options.calm = true;
      continue;
    }
    if (++i == argc) Misuse(std::string(name) + " needs a value");
    if (name == "--flavour") {
      options.flavour = ParseFlavour(argv[i]);
    } else if (name == "--seconds") {
      options.seconds = static_cast<double>(Number(argv[i], 1, 86400));
    } else if (name == "--readers") {
      options.readers = static_cast<unsigned>(Number(argv[i], 1, 1024));
    } else if (name == "--max-live") {
      options.max_live = static_cast<uint32_t>(Number(argv[i], 3, 1024));
    } else if (name == "--seed") {
      options.seed = Number(argv[i], 0, UINT64_MAX);
    } else if (name == "--fault") {
      fault = ParseFault(argv[i]);
    } else {
      Misuse("unknown option " + std::string(name));
    }
  }
  if (fault) PlantFault(*fault, argv);
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
#ifdef CW_FAULTS
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT}) signal(number, OnCrash);
#else
  static_cast<void>(&OnCrash);
#endif
  signal(SIGALRM, OnAlarm);
  alarm(static_cast<unsigned>(options.seconds) + 60);
  return clockwise::torture::Torture(options).Run() ? 0 : 1;
}
