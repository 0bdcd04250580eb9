// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Processes that map one ring file have its pages once between them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdio>
#include <fstream>

#include "ring_maker.h"
#include "sanitized.h"

namespace clockwise {
namespace {

constexpr int kProcesses = 4;

// Of this process, as the kernel adds them up; in bytes.
struct Memory {
  int64_t resident = 0;
  int64_t proportional = 0;  // pages of n processes are a page's nth part each
};

Memory MemoryNow() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  Memory memory;
  for (std::string line; std::getline(rollup, line);) {
    long kib = 0;
    if (std::sscanf(line.c_str(), "Rss: %ld", &kib) == 1) {
      memory.resident = kib * 1024;
    } else if (std::sscanf(line.c_str(), "Pss: %ld", &kib) == 1) {
      memory.proportional = kib * 1024;
    }
  }
  return memory;
}

// What a process reports: how much more it has with the ring loaded and read.
struct Report {
  int64_t resident;
  int64_t proportional;
};

struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends.data()), 0); }
  std::array<int, 2> ends{};
  template <typename T>
  void Put(const T& value) const {
    if (write(ends[1], &value, sizeof value) != sizeof value) _exit(2);
  }
  template <typename T>
  T Take() const {
    T value{};
    if (read(ends[0], &value, sizeof value) != sizeof value) _exit(3);
    return value;
  }
};

// What processes wait for and tell. All take each step together: what a page
// counts for depends on who else has it.
struct Steps {
  Pipe start, measured, load, loaded, go, reports, leave;
};

// Loads, reads every page, and reports.
[[noreturn]] void LoadAndReport(const std::string& path,
                                const RingLoadOptions& options,
                                const Steps& steps) {
  steps.start.Take<char>();
  const Memory before = MemoryNow();
  steps.measured.Put('m');
  steps.load.Take<char>();
  const auto ring = LoadRing(path, options);
  if (!ring.ok()) _exit(4);
  uint64_t sum = 0;
  for (size_t i = 0; i < ring.value().point_count(); ++i) {
    sum += ring.value().Owner(ring.value().PositionAt(i));
  }
  steps.loaded.Put(sum);
  steps.go.Take<char>();
  const Memory after = MemoryNow();
  steps.reports.Put(Report{after.resident - before.resident,
                           after.proportional - before.proportional});
  steps.leave.Take<char>();
  _exit(0);
}

void PutToAll(const Pipe& pipe) {
  for (int i = 0; i < kProcesses; ++i) pipe.Put('.');
}

template <typename T>
std::vector<T> TakeFromAll(const Pipe& pipe) {
  std::vector<T> all;
  for (int i = 0; i < kProcesses; ++i) all.push_back(pipe.Take<T>());
  return all;
}

// The reports of processes that have the ring at one time.
std::vector<Report> LoadInProcesses(const std::string& path,
                                    const RingLoadOptions& options) {
  const Steps steps;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    children.push_back(fork());
    if (children.back() == 0) LoadAndReport(path, options, steps);
  }
  PutToAll(steps.start);
  TakeFromAll<char>(steps.measured);
  PutToAll(steps.load);
  TakeFromAll<uint64_t>(steps.loaded);
  PutToAll(steps.go);
  const std::vector<Report> all = TakeFromAll<Report>(steps.reports);
  PutToAll(steps.leave);
  for (pid_t child : children) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  return all;
}

TEST(RingFileShareTest, FourProcessesHaveOneCopy) {
  if (IsSanitized()) {
    GTEST_SKIP() << "a sanitizer's own pages are counted as well";
  }
  if (MemoryNow().proportional == 0) {
    GTEST_SKIP() << "the kernel does not add up shares of pages";
  }
  if (std::endian::native != std::endian::little) {
    GTEST_SKIP() << "hosts of another byte order copy";
  }
  const std::string path = ::testing::TempDir() + "ring_file_share.cwr";
  const Ring ring = MakeRing(WithVnodes(2000), NumberedNodes("n", 0, 100));
  ASSERT_TRUE(SaveRing(ring, path).ok());
  const auto bytes = static_cast<int64_t>(ring.bytes());
  RingLoadOptions options;
  const int64_t part = bytes / kProcesses + bytes / 8;
  for (const Report& report : LoadInProcesses(path, options)) {
    EXPECT_GE(report.resident, bytes);
    EXPECT_LT(report.proportional, part);
  }
  // Not so where each has its own.
  options.mode = LoadMode::kCopy;
  for (const Report& report : LoadInProcesses(path, options)) {
    EXPECT_GT(report.proportional, part);
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace clockwise
