// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "simulate_run.h"

#include <algorithm>
#include <utility>

#include "failure.h"

namespace clockwise::tool {
namespace {

// Loads of all stages together beyond which those amid a cascade are not kept.
constexpr size_t kKeptLoads = size_t{1} << 20;

class Runner {
 public:
  Runner(const Ring& ring, const ArcLoads& loads, const Variant& variant)
      : ring_(ring),
        cluster_(ValueOf(Simulation::Create(ring, loads, variant.options))) {
    run_.variant = variant;
    run_.vnodes = ring.vnodes();
    run_.ring = &ring;
    Record(Event::kStart, kNoNode, 0);
    Cascade();
  }

  void Take(const SimulateStep& step) {
    ++step_;
    round_ = 0;
    const NodeIndex node = ring_.Find(step.id);
    if (HasFallen(node)) return Record(Event::kDownAlready, node, 0);
    const bool is_drain = step.is_drain || run_.variant.is_half_drain;
    if (is_drain && !Halve(node)) return;
    Kill(node, is_drain ? Event::kGone : Event::kKill);
    Cascade();
  }

  SimulateRun End() && { return std::move(run_); }

 private:
  [[nodiscard]] double LoadOf(NodeIndex node) const {
    return cluster_.Percent(node, cluster_.loads()[node]);
  }

  [[nodiscard]] bool HasFallen(NodeIndex node) const {
    return ring_.node(node).points != 0 && !cluster_.IsUp(node);
  }

  // Returns whether the node is there still: a cascade may have taken it.
  bool Halve(NodeIndex node) {
    const double had = LoadOf(node);
    ThrowIfError(cluster_.HalfDrain(node));
    Record(Event::kHalf, node, had);
    Cascade();
    return !HasFallen(node);
  }

  void Kill(NodeIndex node, Event event) {
    const double had = LoadOf(node);
    ThrowIfError(cluster_.Kill(node));
    Record(event, node, had);
  }

  void Cascade() {
    if (!run_.variant.is_cascade) return;
    for (NodeIndex next = cluster_.NextToFail(); next != kNoNode;
         next = cluster_.NextToFail()) {
      ++round_;
      Kill(next, Event::kFail);
    }
    if (run_.stages.back().loads.empty()) KeepLoads(run_.stages.back());
  }

  // Whether the loads of another stage amid a cascade may be kept.
  [[nodiscard]] bool HasRoom() const {
    return run_.stages.size() * cluster_.loads().size() <= kKeptLoads;
  }

  void KeepLoads(Stage& stage) const {
    const auto total = static_cast<double>(cluster_.total());
    for (NodeIndex slot = 0; slot < cluster_.loads().size(); ++slot) {
      stage.loads.push_back(LoadOf(slot));
      stage.shares.push_back(static_cast<double>(cluster_.loads()[slot]) /
                             total);
    }
  }

  void Record(Event event, NodeIndex node, double had) {
    Stage stage;
    stage.step = step_;
    stage.round = event == Event::kFail ? round_ : 0;
    stage.event = event;
    stage.node = node;
    stage.had = had;
    stage.up = cluster_.up_count();
    stage.mean = cluster_.MeanPercent();
    stage.peak = cluster_.Peak();
    if (stage.peak != kNoNode) stage.peak_load = LoadOf(stage.peak);
    stage.above = cluster_.CountAbove(100);
    stage.spilled = static_cast<double>(cluster_.spilled()) /
                    static_cast<double>(cluster_.total());
    if (event != Event::kFail || HasRoom()) KeepLoads(stage);
    run_.stages.push_back(std::move(stage));
  }

  const Ring& ring_;
  Simulation cluster_;
  SimulateRun run_;
  uint32_t step_ = 0;
  uint32_t round_ = 0;
};

}  // namespace

uint32_t SimulateRun::FellUntil(const Stage& stage) const {
  const auto fell = std::count_if(
      stages.data(), &stage + 1,
      [](const Stage& each) { return each.event == Event::kFail; });
  return static_cast<uint32_t>(fell);
}

bool SimulateRun::IsAlarm() const {
  return end().up == 0 || end().above > 0 || Fell() > 0;
}

SimulateRun RunSteps(const Ring& ring, const ArcLoads& loads,
                     const Variant& variant,
                     const std::vector<SimulateStep>& steps) {
  Runner runner(ring, loads, variant);
  for (const SimulateStep& step : steps) runner.Take(step);
  return std::move(runner).End();
}

}  // namespace clockwise::tool
