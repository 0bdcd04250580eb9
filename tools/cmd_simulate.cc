// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "clockwise/scheme.h"
#include "output.h"
#include "picture.h"
#include "simulate_args.h"
#include "simulate_report.h"

namespace clockwise::tool {
namespace {

// A ring and what its arcs have to carry.
struct Cluster {
  Ring ring;
  ArcLoads loads;
};

// What halves points, or makes others, is done to rings of clockwise-1 alone.
void CheckScheme(const Ring& ring, const SimulateArgs& args) {
  if (ring.scheme() == kNativeScheme) return;
  const bool is_drain =
      std::ranges::any_of(args.steps, &SimulateStep::is_drain);
  const char* flag = is_drain               ? "--drain"
                     : args.is_half_drain   ? "--half-drain"
                     : !args.vnodes.empty() ? "--with-vnodes"
                                            : nullptr;
  if (flag == nullptr) return;
  throw Failure(Exit::kMisuse,
                fmt::format("{}: scheme {} has no vnodes that could be changed",
                            flag, ring.scheme()));
}

Ring RingOf(const Members& members) {
  const Scheme* scheme = FindScheme(members.options.scheme);
  if (scheme != nullptr && !scheme->is_ring()) {
    throw Failure(Exit::kMisuse,
                  fmt::format("scheme {} is no ring: it has no next node for "
                              "the keys of one that is down",
                              scheme->id));
  }
  return ValueOf(BuildRing(members));
}

// Counts the keys of all clusters in one pass: they hash alike. Returns how
// many there are.
uint64_t CountKeys(const KeyArgs& args, std::deque<Cluster>& clusters) {
  std::vector<uint64_t> hashes(KeySource::kBatch);
  KeySource source(args);
  Progress progress;
  for (auto keys = source.Next(); !keys.empty(); keys = source.Next()) {
    clusters[0].ring.HashesOf(keys.data(), keys.size(), hashes.data());
    for (Cluster& cluster : clusters) {
      cluster.loads.Count({hashes.data(), keys.size()});
    }
    progress.Update(source.count());
  }
  if (source.count() == 0) {
    throw Failure(Exit::kRefused, "the files hold no keys");
  }
  return source.count();
}

void AddCluster(Ring ring, const Members& members, bool has_keys,
                std::deque<Cluster>& clusters) {
  if (ring.point_count() == 0) {
    throw Failure(Exit::kRefused,
                  fmt::format("{}: no node has points; nothing to simulate",
                              members.source));
  }
  ArcLoads loads =
      ValueOf(has_keys ? ArcLoads::Create(ring) : ArcLoads::OfCircle(ring));
  clusters.push_back({std::move(ring), std::move(loads)});
}

SimulateReport MakeReport(const SimulateArgs& args,
                          std::deque<Cluster>& clusters) {
  const std::vector<uint32_t> vnodes = VnodesOf(args);
  const std::vector<Variant> variants = VariantsOf(args, vnodes);
  MembersOrRing read = ReadMembers(args.members);
  Members& members = read.members;
  const bool has_keys = !args.keys.files.empty();
  AddCluster(
      read.ring ? *std::exchange(read.ring, std::nullopt) : RingOf(members),
      members, has_keys, clusters);
  CheckScheme(clusters[0].ring, args);
  SimulateReport report;
  report.steps = ResolveSteps(clusters[0].ring, args.steps);
  for (const uint32_t count : vnodes) {
    members.options.vnodes = count;
    AddCluster(RingOf(members), members, has_keys, clusters);
  }
  if (has_keys) report.keys = CountKeys(args.keys, clusters);
  const size_t same = variants.size() - vnodes.size();
  for (size_t i = 0; i < variants.size(); ++i) {
    const Cluster& cluster = clusters[i < same ? 0 : i - same + 1];
    report.runs.push_back(
        RunSteps(cluster.ring, cluster.loads, variants[i], report.steps));
  }
  return report;
}

Exit Simulate(const SimulateArgs& args) {
  if (args.steps.empty()) {
    throw Failure(Exit::kMisuse, "no step: give --kill ID or --drain ID");
  }
  const uint64_t top = ParseCount("--top", args.top, 1);
  if (args.picture) CheckPictureName(*args.picture);
  std::deque<Cluster> clusters;  // a report has views of them
  const SimulateReport report = MakeReport(args, clusters);
  Print(args.json ? ToJson(report) : ToText(report, top));
  if (args.picture) DrawPicture(ToJson(report), *args.picture);
  return report.runs.front().IsAlarm() ? Exit::kAlarm : Exit::kOk;
}

constexpr const char* kFooter =
    "The load is the keys of FILE, each as much as any other; without FILE\n"
    "the circle itself. A node's capacity is in proportion to its weight. One\n"
    "that is down is passed over in the walk, as by `route --exclude`: keys "
    "of\n"
    "survivors stay. `mean` is what all survivors had if they were alike,\n"
    "`peak` what the most loaded one has. An heir inherits a part of what the\n"
    "node left; `had` and `has` are its own load before and after.\n"
    "With --bounded all keys are in flight at once. Those past the last point\n"
    "are placed first, then the others in the order of their hashes. Each\n"
    "what-if is a run of its own; the last table has all side by side.\n"
    "\n"
    "Exit code 3 where a node falls in a cascade, a survivor is above 100% at\n"
    "the end, or none is left; what-ifs do not count. --picture needs python3\n"
    "and matplotlib.\n"
    "\n"
    "JSON: `runs`, the cluster as it is first, each with its `stages`. "
    "`event`\n"
    "is start, kill, half-drain, gone (the rest of a drain), fail (in `round`\n"
    "of the cascades of this step) or down-already; `node` whom it befell,\n"
    "`had` the load of that before; then `up` nodes, `mean`, `peak`,\n"
    "`peak_node`, nodes `above` 100, and of all `nodes` the `load`, the\n"
    "`share` of all load and what was `gained` of it since the stage before.\n"
    "Loads are percent of capacity; `share`, `gained` and `spilled` fractions\n"
    "of 1. `nodes` is null amid a long cascade of many nodes.\n"
    "\n"
    "Examples:\n"
    "  clockwise simulate -m members.json --kill cache-1,cache-2 --cascade\n"
    "  clockwise simulate -m members.json keys.txt --kill cache-1 \\\n"
    "      --bounded 125 --with-vnodes 1024 --picture cache-1.svg\n"
    "  clockwise simulate -m members.json --drain cache-3 --kill cache-4 \\\n"
    "      --json";

}  // namespace

void AddSimulate(CLI::App& app, Action& action) {
  auto args = std::make_shared<SimulateArgs>();
  CLI::App& verb = AddVerb(app, "simulate", "What happens when nodes die", args,
                           Simulate, action);
  AddMembersOptions(verb, args->members);
  AddKeyFileOptions(verb, args->keys);
  AddSimulateOptions(verb, *args);
  SetFooter(verb, kFooter);
}

}  // namespace clockwise::tool
