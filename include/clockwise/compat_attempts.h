// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Whom a peer asks when the owner of a key fails, and whom when it is full:
// retry orders and bounded loads as peers have them. In the library
// clockwise-compat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/detail/api.h"
#include "clockwise/members.h"
#include "clockwise/status.h"

namespace clockwise {

// Writes to `nodes` whom the peer of the placement's scheme asks for `key`, one
// after another as each fails, the first being the owner where it is not down.
// Returns how many it wrote: `count`, or fewer where the peer has no more.
//
//   nginx-consistent     distinct nodes point by point, and no more than 20
//                        points beyond the first: nginx then goes round robin
//   nginx-hash           distinct nodes by hashing on, 20 times at most
//   likewise envoy-ring-hash      the node of each following point, often the
//   same again envoy-maglev         that of another hash each time, perhaps the
//   same again spymemcached-ketama  of another hash each time, perhaps the same
//   again; the
//                        client asks for 7
//   others               Replicas(): distinct nodes, or the owner alone
//
// Nodes that are `down` are passed over; nginx does so at the cost of a step,
// and Envoy not at all: it makes rings of healthy hosts. O(steps * count). May
// throw std::bad_alloc. Any thread.
CW_API size_t Attempts(const AnyPlacement& placement, std::string_view key,
                       size_t count, NodeIndex* nodes,
                       std::span<const NodeIndex> down = {});

// Envoy's answer to attempt 0, 1, … for a hash, of envoy-ring-hash and
// envoy-maglev; kNoNode without hosts.
[[nodiscard]] CW_API NodeIndex EnvoyAttempt(const AnyPlacement& placement,
                                            uint64_t hash,
                                            uint64_t attempt) noexcept;

// Requests that nodes have in flight, by node number, and their sum.
struct InFlight {
  std::span<const uint32_t> of_node;  // node_count() of them
  uint64_t total = 0;
};

// HAProxy 2.6, `hash-type consistent` with `hash-balance-factor`: the node
// nearest to the key that has fewer in flight than its share of the requests,
// times the factor. Any thread.
class HaproxyBoundedLoad {
 public:
  // Of members of scheme haproxy-consistent. `factor`, in percent, is 101 to
  // 65,536; kInvalidOptions for others and for another scheme, otherwise as
  // BuildPlacement.
  CW_API static Result<HaproxyBoundedLoad> Build(const Members& members,
                                                 uint32_t factor);

  // Returns the node for a request that is about to be added to those in
  // flight; kNoNode without points. The owner, if it is not full: one lookup;
  // otherwise O(log points + points walked).
  [[nodiscard]] CW_API NodeIndex Pick(std::string_view key,
                                      const InFlight& in_flight) const noexcept;

  [[nodiscard]] const AnyPlacement& placement() const noexcept {
    return placement_;
  }

 private:
  struct Point {
    uint32_t position;
    NodeIndex node;
  };
  struct Capacity {
    uint64_t weight;  // points
    uint64_t before;  // of the nodes before it in the list
  };
  HaproxyBoundedLoad(AnyPlacement placement, uint32_t factor) noexcept
      : placement_(std::move(placement)), factor_(factor) {}
  [[nodiscard]] bool IsFree(NodeIndex node,
                            const InFlight& in_flight) const noexcept;

  AnyPlacement placement_;
  uint32_t factor_;
  uint64_t total_weight_ = 0;
  std::vector<Point> points_;  // all of them, in the tree's order
  std::vector<Capacity> capacities_;
};

// Envoy's hash_balance_factor, with ring_hash and maglev: where the host of the
// hash is over its share, times the factor, hosts are asked in an order drawn
// from the hash, and the first that is not over takes it; else the least
// loaded. Read in Envoy's source; not held against a running Envoy. Any thread.
class EnvoyBoundedLoad {
 public:
  // Of members of scheme envoy-ring-hash or envoy-maglev. `factor`, in percent,
  // is 100 or more; kInvalidOptions for others and for another scheme,
  // otherwise as BuildPlacement.
  CW_API static Result<EnvoyBoundedLoad> Build(const Members& members,
                                               uint32_t factor);

  // Returns the host for a request that is about to be added to those in
  // flight; kNoNode without hosts. Where its own host is over, O(hosts), and
  // may throw std::bad_alloc.
  [[nodiscard]] CW_API NodeIndex Pick(std::string_view key,
                                      const InFlight& in_flight,
                                      uint64_t attempt = 0) const;

  [[nodiscard]] const AnyPlacement& placement() const noexcept {
    return placement_;
  }

 private:
  struct Host {
    NodeIndex node;
    double share;  // of all weights
  };
  EnvoyBoundedLoad(AnyPlacement placement, uint32_t factor) noexcept
      : placement_(std::move(placement)), factor_(factor) {}
  [[nodiscard]] double Overload(NodeIndex node, double share,
                                const InFlight& in_flight) const noexcept;

  AnyPlacement placement_;
  uint32_t factor_;
  std::vector<Host> hosts_;     // as they are listed
  std::vector<double> shares_;  // by node number
};

}  // namespace clockwise
