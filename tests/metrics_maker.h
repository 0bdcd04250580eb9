// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What tests of metrics share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "clockwise/clockwise.h"
#include "ring_maker.h"

namespace clockwise {

// Ids that a careless text would be broken by, or would make alike.
inline std::vector<std::string> HostileIds() {
  return {"plain",
          "quote\"d",
          "back\\slash",
          "back\\\\slash",
          "new\nline",
          "new\\nline",
          std::string("n\0ul", 4),
          "n\\x00ul",
          "\xff\xfe",
          "\\xff\\xfe",
          "cut \xe2\x82",
          "surrogate \xed\xa0\x80",
          "overlong \xc0\xaf",
          "euro \xe2\x82\xac",
          "tab\tand\rreturn",
          "},evil{node=\"x\"} 1",
          "# TYPE evil counter",
          std::string(255, '\\'),
          std::string(255, '\xff'),
          std::string(255, 'a')};
}

// A ring of them; all in a zone of a hostile name.
inline Ring HostileRing() {
  RingOptions options = WithVnodes(8);
  options.name = "ring \"\\\n";
  std::vector<Node> nodes;
  for (const std::string& id : HostileIds()) {
    nodes.push_back(MakeNode(id));
    nodes.back().zone = "zone\n\"\\\x80";
  }
  return std::move(MakeBuilder(options, nodes).Build(uint64_t{1} << 53))
      .value();
}

// All there is to say of a ring, filled in.
inline MetricsSnapshot FullSnapshot(const Ring& ring) {
  auto collector = std::move(CountCollector::Create()).value();
  EXPECT_TRUE(collector.Track(ring).ok());
  auto thread = std::move(collector.Join()).value();
  for (NodeIndex slot = 0; slot < ring.slot_count(); ++slot) {
    thread.CountTimes(slot, slot == 0 ? UINT64_MAX / 2 : 1000 + slot);
  }
  thread.CountTimes(kNoNode, 7);
  thread.Count(Drift::kConflicting);

  MetricsSnapshot snapshot = MetricsSnapshot::Of(ring);
  snapshot.AddCounts(collector.Read());
  auto health = std::move(HealthTracker::Create({})).value();
  EXPECT_TRUE(health.Track(ring).ok());
  snapshot.AddHealth(health);
  LoadTable loads = std::move(LoadTable::Create(ring.slot_count())).value();
  const auto bounded = std::move(BoundedLoad::Build(ring, loads)).value();
  const Ticket ticket = bounded.Acquire(ring, ring.HashOf("k"));
  snapshot.AddLoads(bounded, loads);
  snapshot.router = RouterStats{.serving_epoch = 3, .newest_epoch = 4};
  snapshot.router->refused[static_cast<size_t>(Code::kStaleEpoch)] = 5;
  snapshot.health = HealthCounts();
  snapshot.health->changes[2][0] = 6;
  auto keys = std::move(HotKeySketch::Create({})).value();
  keys.Add("hot \"\xff\"", 40);
  keys.Add("hot", 30);
  snapshot.hot_keys = keys.Top(2);
  return snapshot;
}

}  // namespace clockwise
