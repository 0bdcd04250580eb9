// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What building and changing a ring costs, per point of the ring:
//
//   Build/path:full/change:none/width:32/nodes:1000
//
// Paths: `naive` is per-name XXH3 and std::sort, and builds no lines; `full` a
// full build; `merge` one from the ring before the change. Blocks come from the
// default source, which recycles them, unless `fresh` says that each is mapped
// anew, as the first ones are.
#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "keys.h"
#include "placement/build.h"
#include "rings.h"
#include "rounds.h"
#include "search/sections.h"

namespace clockwise::bench {
namespace {

// Maps each block anew, and asks for huge pages where the default source does.
class FreshSource final : public BlockSource {
 public:
  explicit FreshSource(bool with_huge_pages) : huge_(with_huge_pages) {}

  void* Acquire(size_t bytes) noexcept override {
    const size_t room = Room(bytes);
    void* map = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return nullptr;
    if (huge_ && bytes >= kHuge) madvise(map, room, MADV_HUGEPAGE);
    return map;
  }
  void Release(void* block, size_t bytes) noexcept override {
    munmap(block, Room(bytes));
  }

 private:
  static constexpr size_t kHuge = size_t{2} << 20;
  // Whole huge pages from a page boundary on lie in it somewhere.
  [[nodiscard]] size_t Room(size_t bytes) const {
    return huge_ && bytes >= kHuge ? (bytes + 2 * kHuge - 1) / kHuge * kHuge
                                   : bytes;
  }

  bool huge_;
};

BlockSource* FreshHuge() {
  static FreshSource source(true);
  return &source;
}
BlockSource* FreshSmall() {
  static FreshSource source(false);
  return &source;
}

// The change that a build makes to `nodes` nodes.
enum class Change { kNone, kAdd, kRemove, kReweight };

const char* ChangeName(Change change) {
  switch (change) {
    case Change::kAdd:
      return "add";
    case Change::kRemove:
      return "remove";
    case Change::kReweight:
      return "reweight";
    case Change::kNone:
      break;
  }
  return "none";
}

Status Apply(Change change, uint32_t nodes, RingBuilder& builder) {
  switch (change) {
    case Change::kAdd:
      return builder.Add(NodeNumber(nodes));
    case Change::kRemove:
      return builder.Remove(NodeId(nodes / 2));
    case Change::kReweight:
      return builder.SetWeight(NodeId(nodes / 2), Weight::Thousandths(1500));
    case Change::kNone:
      break;
  }
  return {};
}

// Base rings, which stay.
const Ring& Base(uint32_t width, uint32_t nodes) {
  static std::map<std::pair<uint32_t, uint32_t>, std::unique_ptr<Ring>> rings;
  auto& kept = rings[{width, nodes}];
  if (!kept) {
    kept = std::make_unique<Ring>(
        UniformRing(width, nodes * kVnodes, Layout::kLine));
  }
  return *kept;
}

// A builder from the base with the change, each time anew, and its build.
Ring BuildChanged(uint32_t width, uint32_t nodes, Change change, BuildPath path,
                  BlockSource* source) {
  RingBuilder builder = RingBuilder::From(Base(width, nodes));
  Require(Apply(change, nodes, builder).ok(), "change");
  BuildRequest request;
  request.path = path;
  request.source = source;
  return Take(BuilderAccess::Build(builder, request));
}

// The points of `nodes` nodes without this library: names "id#i", each hashed
// whole, sorted by position. Returns the sorted points.
template <typename Position>
const auto& NaivePoints(uint32_t nodes) {
  struct Point {
    Position position;
    uint32_t owner;
  };
  static std::vector<Point> points;  // as if recycled
  points.clear();
  char name[64];
  for (uint32_t node = 0; node < nodes; ++node) {
    const std::string id = NodeId(node);
    std::memcpy(name, id.data(), id.size());
    name[id.size()] = '#';
    char* const number = name + id.size() + 1;
    for (uint32_t i = 0; i < kVnodes; ++i) {
      const char* end = std::to_chars(number, name + sizeof name, i).ptr;
      const uint64_t hash = Xxh3_64({name, static_cast<size_t>(end - name)});
      points.push_back(
          {static_cast<Position>(hash >> (64 - 8 * sizeof(Position))), node});
    }
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return a.position != b.position ? a.position < b.position
                                    : a.owner < b.owner;
  });
  return points;
}

// Aborts unless merging gives the bytes of a full build. The epoch is equal.
void CheckBuilds(uint32_t width, uint32_t nodes) {
  for (Change change : {Change::kAdd, Change::kRemove, Change::kReweight}) {
    const Ring full =
        BuildChanged(width, nodes, change, BuildPath::kFull, nullptr);
    const Ring merged =
        BuildChanged(width, nodes, change, BuildPath::kMerge, FreshHuge());
    Require(
        full.image()->bytes == merged.image()->bytes &&
            std::memcmp(full.image(), merged.image(), full.image()->bytes) == 0,
        "merged ring");
  }
}

// Lists the contenders of one group. All times are per point of the base.
class Lister {
 public:
  Lister(uint32_t width, uint32_t nodes) : width_(width), nodes_(nodes) {}

  std::vector<Contender> Run() {
    list_.push_back(
        {"path:naive/change:none",
         [width = width_, nodes = nodes_](size_t, size_t) {
           return width == 32
                      ? uint64_t{NaivePoints<uint32_t>(nodes).front().owner}
                      : NaivePoints<uint64_t>(nodes).front().owner;
         }});
    Collect();
    Full();
    for (Change change : {Change::kAdd, Change::kRemove, Change::kReweight}) {
      Changed("full", change, BuildPath::kFull, nullptr);
      Changed("merge", change, BuildPath::kMerge, nullptr);
    }
    Changed("merge_fresh", Change::kAdd, BuildPath::kMerge, FreshHuge());
    Changed("merge_fresh_4k", Change::kAdd, BuildPath::kMerge, FreshSmall());
    Changed("full_fresh", Change::kNone, BuildPath::kFull, FreshHuge());
    return std::move(list_);
  }

 private:
  // What the calls of Add cost before a build.
  void Collect() {
    list_.push_back({"path:collect/change:none",
                     [width = width_, nodes = nodes_](size_t, size_t) {
                       const auto builder =
                           BuilderOf(Options(width, Layout::kLine), nodes);
                       return uint64_t{builder.Contains("node-00000")};
                     }});
  }

  // Of a builder that is there.
  void Full() {
    const auto run = [width = width_, nodes = nodes_](size_t, size_t) {
      static std::map<std::pair<uint32_t, uint32_t>, RingBuilder> builders;
      auto found = builders.find({width, nodes});
      if (found == builders.end()) {
        found = builders
                    .emplace(std::pair(width, nodes),
                             BuilderOf(Options(width, Layout::kLine), nodes))
                    .first;
      }
      return uint64_t{Take(found->second.Build()).point_count()};
    };
    list_.push_back({"path:full/change:none", run});
  }

  void Changed(const std::string& name, Change change, BuildPath path,
               BlockSource* source) {
    const auto run = [width = width_, nodes = nodes_, change, path, source](
                         size_t, size_t) {
      return uint64_t{
          BuildChanged(width, nodes, change, path, source).point_count()};
    };
    list_.push_back({"path:" + name + "/change:" + ChangeName(change), run});
  }

  uint32_t width_;
  uint32_t nodes_;
  std::vector<Contender> list_;
};

// One base size where adding a node keeps the count of lines, and one, a
// little larger, where it changes it.
std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (uint32_t nodes : {100u, 1000u, 1075u, 10000u}) {
    for (uint32_t width : {32u, 64u}) {
      groups.push_back(
          {"width:" + std::to_string(width) + "/nodes:" + std::to_string(nodes),
           size_t{nodes} * kVnodes, size_t{nodes} * kVnodes,
           [width, nodes] { CheckBuilds(width, nodes); },
           Lister(width, nodes).Run()});
    }
  }
  return groups;
}

// Prints the bytes a point that `line` adds to the sorted points.
void PrintIndexBytes() {
  for (uint32_t nodes : {8u, 100u, 1000u, 10000u}) {
    const auto& image = *Base(32, nodes).image();
    std::printf("# index_bytes_a_point/points:%u\t%.3f\n", image.points,
                static_cast<double>(image.positions_at - image.search_at) /
                    image.points);
  }
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  if (argc > 1 && std::string_view(argv[1]) == "--ratios") PrintIndexBytes();
  return Main(argc, argv, "Build", Groups());
}
