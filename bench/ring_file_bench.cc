// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// From a ring file to the first answer, against building the ring. The file is
// in the page cache, as for every process of a host but the first.
//
//   Load/load:map-full/width:64/points:1600000
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "clockwise/ring_file.h"
#include "rings.h"
#include "rounds.h"

namespace clockwise::bench {
namespace {

constexpr const char* kKey = "user:42";

// A ring in a file that goes when the program does.
class Case {
 public:
  explicit Case(uint32_t points)
      : builder(BuilderOf(Options(64, Layout::kLine), points / kVnodes)) {
    std::string name = "/tmp/ring_file_bench_XXXXXX";
    const int fd = mkstemp(name.data());
    Require(fd >= 0 && close(fd) == 0, name);
    path = name;
    const Ring ring = Take(builder.Build());
    const Status saved = SaveRing(ring, path);
    Require(saved.ok(), saved.message());
    owner = ring.Owner(kKey);
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;
  ~Case() { unlink(path.c_str()); }

  RingBuilder builder;
  std::string path;
  NodeIndex owner = kNoNode;
};

using CaseOf = std::function<const Case&()>;

// Makes a ring and asks it one key, `count` times.
template <typename Make>
Contender ContenderOf(const std::string& name, CaseOf case_of, Make make) {
  return {"load:" + name, [=](size_t, size_t count) {
            const Case& the_case = case_of();
            uint64_t sum = 0;
            for (size_t i = 0; i < count; ++i) {
              const Ring ring = Take(make(the_case));
              sum += ring.Owner(kKey);
            }
            Require(sum == count * the_case.owner, "owner");
            return sum;
          }};
}

Contender Load(const std::string& name, CaseOf case_of, LoadMode mode,
               RingFileCheck check) {
  RingLoadOptions options;
  options.mode = mode;
  options.check = check;
  return ContenderOf(name, std::move(case_of), [options](const Case& c) {
    return LoadRing(c.path, options);
  });
}

Group GroupOf(uint32_t points) {
  auto made = std::make_shared<std::unique_ptr<Case>>();
  const CaseOf case_of = [made, points]() -> const Case& {
    if (*made == nullptr) *made = std::make_unique<Case>(points);
    return **made;
  };
  using enum LoadMode;
  using enum RingFileCheck;
  return {"width:64/points:" + std::to_string(points),
          1,
          1,
          [case_of] { (void)case_of(); },
          {ContenderOf("build", case_of,
                       [](const Case& c) { return c.builder.Build(); }),
           Load("map-trusted", case_of, kMap, kTrustedWriterOnly),
           Load("map-full", case_of, kMap, kFull),
           Load("copy-full", case_of, kCopy, kFull),
           Load("map-derive", case_of, kMap, kDerive)}};
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (uint32_t points : {1280u, 16000u, 160000u, 1600000u}) {
    groups.push_back(GroupOf(points));
  }
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Load", Groups());
}
