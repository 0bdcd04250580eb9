// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What moves when a node is added to so many: the exact plan, against asking
// both rings for the owner of each arc, and against building the new ring.
//
//   Plan/plan:replicas-1/nodes:10000
#include <functional>
#include <memory>
#include <string>

#include "clockwise/plan.h"
#include "placement/arcs.h"
#include "rings.h"
#include "rounds.h"

namespace clockwise::bench {
namespace {

// A ring, and the same with one node more.
struct Case {
  explicit Case(uint32_t nodes)
      : builder(BuilderOf(Options(64, Layout::kLine), nodes + 1)),
        before(Take(BuilderOf(Options(64, Layout::kLine), nodes).Build())),
        after(Take(builder.Build())) {}

  RingBuilder builder;
  Ring before, after;
};

MigrationPlan PlanOf(const Case& c, uint32_t replicas) {
  return Take(MigrationPlan::Create(c.before, c.after, {replicas}));
}

// The share that moves, by two lookups for each arc of both rings together.
HashCount MovedByLookups(const Case& c) {
  HashCount moved = 0;
  ForEachArc(c.before, c.after,
             [&](uint64_t begin, uint64_t end, size_t, size_t) {
               if (c.before.node(c.before.Owner(end)).id !=
                   c.after.node(c.after.Owner(end)).id) {
                 moved += WidthOf(begin, end);
               }
             });
  return moved;
}

using CaseOf = std::function<const Case&()>;

// Does it `count` times; `once` returns something to keep.
template <typename Once>
Contender ContenderOf(const std::string& name, CaseOf case_of, Once once) {
  return {"plan:" + name, [=](size_t, size_t count) {
            uint64_t sum = 0;
            for (size_t i = 0; i < count; ++i) sum += once(case_of());
            return sum;
          }};
}

Contender Replicas(CaseOf case_of, uint32_t replicas) {
  return ContenderOf(
      "replicas-" + std::to_string(replicas), std::move(case_of),
      [replicas](const Case& c) {
        return static_cast<uint64_t>(PlanOf(c, replicas).moved());
      });
}

Group GroupOf(uint32_t nodes) {
  auto made = std::make_shared<std::unique_ptr<Case>>();
  const CaseOf case_of = [made, nodes]() -> const Case& {
    if (*made == nullptr) *made = std::make_unique<Case>(nodes);
    return **made;
  };
  return {"nodes:" + std::to_string(nodes),
          1,
          1,
          [case_of] {
            const Case& c = case_of();
            Require(PlanOf(c, 1).moved() == MovedByLookups(c), "moved");
          },
          {ContenderOf("lookups", case_of,
                       [](const Case& c) {
                         return static_cast<uint64_t>(MovedByLookups(c));
                       }),
           ContenderOf("build", case_of,
                       [](const Case& c) {
                         return Take(c.builder.Build()).point_count();
                       }),
           Replicas(case_of, 1), Replicas(case_of, 3)}};
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (uint32_t nodes : {100u, 1000u, 10000u}) {
    groups.push_back(GroupOf(nodes));
  }
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Plan", Groups());
}
