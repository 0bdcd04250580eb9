// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "machine.h"

#include <unistd.h>

#include <fstream>

#include "target.h"

namespace clockwise::bench {
namespace {

// The value of the first line of /proc/cpuinfo that begins with `field`.
std::string CpuInfo(const std::string& field) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with(field) && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

std::string KiB(int name) { return std::to_string(sysconf(name) / 1024); }

std::string TargetList() {
  std::string list;
  for (int64_t target : Targets()) {
    if (!list.empty()) list += ' ';
    list += TargetName(target);
  }
  return list;
}

std::string Compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Machine() {
  return {
      {"cpu", CpuInfo("model name") + ", family " + CpuInfo("cpu family") +
                  " model " + CpuInfo("model\t")},
      {"cores", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))},
      {"caches_kib", "L1d " + KiB(_SC_LEVEL1_DCACHE_SIZE) + ", L2 " +
                         KiB(_SC_LEVEL2_CACHE_SIZE) + ", L3 " +
                         KiB(_SC_LEVEL3_CACHE_SIZE)},
      {"compiler", Compiler()},
      {"flags", CLOCKWISE_BENCH_FLAGS},
      {"highway_targets", TargetList()},
  };
}

}  // namespace clockwise::bench
