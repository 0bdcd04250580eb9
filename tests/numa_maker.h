// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Short ways to tests of copies on NUMA nodes.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "router_maker.h"

namespace clockwise {

// While it lives, hwloc sees another machine than this one.
class Environment {
 public:
  using Variables = std::vector<std::pair<const char*, std::string>>;

  explicit Environment(Variables variables) : variables_(std::move(variables)) {
    for (const auto& [name, value] : variables_) {
      setenv(name, value.c_str(), 1);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value] : variables_) unsetenv(name);
  }

 private:
  Variables variables_;
};

// A machine that is only described: memory can be bound to any of its nodes.
inline Environment::Variables Synthetic(std::string description) {
  return {{"HWLOC_SYNTHETIC", std::move(description)},
          {"HWLOC_THISSYSTEM", "0"}};
}

// As described, but memory is bound by this machine's kernel.
inline Environment::Variables SyntheticOnThisKernel(std::string description) {
  return {{"HWLOC_SYNTHETIC", std::move(description)},
          {"HWLOC_THISSYSTEM", "1"}};
}

// The CPUs that this thread may run on.
inline std::vector<unsigned> AllowedCpus() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  std::vector<unsigned> cpus;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

inline bool RunOn(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof(set), &set) == 0;
}

// The image that a reader is given now. It stays as long as it is the newest.
inline const detail::RingImage* ImageOf(const Router& router,
                                        const Reader& reader) {
  const Pin pin(reader);
  return router.Current(pin).image();
}

inline void ExpectSameAnswers(const Router& router, const Reader& reader,
                              const Ring& ring) {
  const Pin pin(reader);
  const PublishedRing& published = router.Current(pin);
  EXPECT_EQ(published.epoch(), ring.epoch());
  EXPECT_EQ(published.image()->epoch, ring.epoch());
  int wrong = 0;
  for (const std::string& key : Keys("key-", 0, 200)) {
    wrong += published.Owner(key) != ring.Owner(key) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0);
}

// Counts what a domain logs.
struct Log {
  std::vector<std::string> lines;

  DomainOptions Options() {
    DomainOptions options;
    options.on_log = [this](std::string_view line) {
      lines.emplace_back(line);
    };
    return options;
  }
};

}  // namespace clockwise
