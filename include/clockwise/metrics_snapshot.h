// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What there is to know of a ring that serves, gathered at one time, as a
// Prometheus page or as JSON. Whatever is not set is left out, not 0.
//
//   MetricsSnapshot snapshot = MetricsSnapshot::Of(ring);
//   snapshot.AddCounts(counts.Read());
//   snapshot.router = router->stats();
//   Answer("text/plain; version=0.0.4", ToPrometheus(snapshot));
//
// A snapshot is a value: it belongs to one thread at a time. What is gathered
// here allocates, and may throw std::bad_alloc. Series are bounded: some for
// each node of the ring, and none for keys, which are in the JSON alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clockwise/balance.h"
#include "clockwise/bounded_load.h"
#include "clockwise/detail/api.h"
#include "clockwise/hash.h"
#include "clockwise/health.h"
#include "clockwise/hot_keys.h"
#include "clockwise/load_table.h"
#include "clockwise/metrics.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/router.h"

namespace clockwise {

inline constexpr size_t kHealthStateCount = 5;
inline constexpr size_t kHealthReasonCount = 7;

// How often nodes changed their state, summed over reports. For one thread at a
// time, as HealthTracker::Evaluate is.
struct HealthCounts {
  // By the state a node came to and the reason: to kEjected they are ejections,
  // to kReturning readmissions.
  std::array<std::array<uint64_t, kHealthReasonCount>, kHealthStateCount>
      changes{};
  uint64_t panics = 0;  // evaluations that found one

  // Adds the events of a report. Saturates.
  CW_API void Add(const HealthReport& report) noexcept;
};

// A node of the ring, and what was added to the snapshot of it.
struct NodeMetrics {
  std::string id;
  std::string zone;
  NodeIndex slot = kNoNode;  // of the ring
  Weight weight;
  Due due;

  std::optional<uint64_t> count;  // requests since the node came

  // Of requests since the ring last changed.
  struct Load {
    double share = 0;      // of all
    double ratio = 0;      // of that to what is due
    double deviation = 0;  // of the ratio, by chance alone
    BalanceVerdict verdict;
  };
  std::optional<Load> load;

  struct Health {
    HealthState state = HealthState::kHealthy;
    HealthLevel level = kFullLevel;
  };
  std::optional<Health> health;

  // Requests in flight, and how many the node may have with the next one.
  struct InFlight {
    uint64_t requests = 0;
    uint64_t cap = 0;
  };
  std::optional<InFlight> in_flight;
};

struct MetricsSnapshot {
  std::string ring;  // its name
  std::string scheme;
  uint64_t epoch = 0;
  Hash128 digest;
  // Of a ring that health changed on this host alone (RingView::local): how
  // often, and the digest to compare with other hosts'. Else 0 and `digest`.
  uint64_t local = 0;
  Hash128 base_digest;
  std::vector<NodeMetrics> nodes;  // by ascending id, drained ones included

  // All counts; those of nodes are in `nodes` as well.
  std::optional<Counts> counts;
  // About the largest ratio of a share to its due that chance alone explains.
  std::optional<double> expected_peak;
  std::optional<uint64_t> in_flight;  // in all, those that arrive included
  std::optional<RouterStats> router;
  std::optional<HealthCounts> health;
  std::optional<std::vector<HotKey>> hot_keys;  // HotKeySketch::Top, Above

  // Returns the ring and its nodes, and nothing else. For a published ring:
  // Of(router->Current(pin).ring()).
  CW_API static MetricsSnapshot Of(const Ring& ring);

  // Adds counts: of nodes by id, so that those of another ring do no harm.
  // Counts of nodes that this ring has not are departed. Shares, and what they
  // are worth, are of the requests since the ring last changed; they are set if
  // the counts were tracked with this ring, there are any, and weights are.
  //
  // Requests are taken to be of independent keys. Hot keys are not: they are
  // what chance does not explain.
  CW_API void AddCounts(Counts all);
  // Adds states and levels of nodes that have points. The tracker tracks this
  // ring. For the thread of Evaluate.
  CW_API void AddHealth(const HealthTracker& tracker);
  // Adds requests in flight and caps of nodes that have one. `bounded` was
  // built from this ring over `loads`.
  CW_API void AddLoads(const BoundedLoad& bounded, const LoadTable& loads);
};

// Returns the text exposition format, version 0.0.4, UTF-8, by families with
// their HELP and TYPE: Content-Type "text/plain; version=0.0.4". All samples
// have the label `ring`; those of nodes `node` and `zone`.
//
// Names, ids and zones may be any bytes, and labels only UTF-8. So in label
// values a backslash is doubled, and each byte that is a control character but
// newline, or not of well-formed UTF-8, is "\xNN" (lower-case hex): two ids
// never become one, and each can be read back. On top of it comes the format's
// own escaping of backslash, quote and newline.
//
// Whole numbers are written in full; readers that keep doubles round those of
// 2^53 and above. Hot keys have their rank for a label, not the key.
CW_API std::string ToPrometheus(const MetricsSnapshot& snapshot);

// Returns one JSON object, indented by two. Whole numbers of 2^53 and above are
// texts, as in members files. A name, id, zone or key that is not UTF-8 has its
// bytes in hex, in a field of that name and "_hex".
CW_API std::string ToJson(const MetricsSnapshot& snapshot);

}  // namespace clockwise
