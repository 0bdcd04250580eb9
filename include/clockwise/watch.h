// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Follows a source of members, and publishes what it says: as a thread of its
// own, for programs that do not step a Membership themselves.
//
//   WatchOptions options;
//   options.state_path = "/var/lib/proxy/sessions.ring";
//   auto watcher =
//   Watcher::Start(FollowFile("/etc/proxy/members.json").value(),
//                                 *router, options).value();
//
// Whatever is wrong with what it reads, the last good ring serves on, and the
// event says why: a file that is gone or half written, an epoch that fell, an
// epoch that came back with other nodes, most of the nodes gone, another
// recipe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "clockwise/detail/api.h"
#include "clockwise/health.h"
#include "clockwise/members_source.h"
#include "clockwise/membership.h"
#include "clockwise/router.h"
#include "clockwise/status.h"

namespace clockwise {

// What a watcher tells of.
struct WatchEvent {
  enum class Kind : uint8_t {
    kPublished = 0,    // a ring came to serve, or waits to (Router::Publish)
    kRefused = 1,      // what was read was not taken; `status` says why
    kStateFailed = 2,  // state_path was not read or written
    kHealth = 3,       // nodes were ejected, came back …: see `health`
  };
  Kind kind = Kind::kPublished;
  Status status;       // not ok: what is wrong, with the source's name
  uint64_t epoch = 0;  // of what serves
  uint64_t local = 0;
  Hash128 base_digest;
  HealthReport health;
};

struct WatchOptions {
  using Duration = std::chrono::nanoseconds;

  // All is read again once in this time, whether it has changed or not: 10 ms
  // to a day. What could not be read is read again sooner, from a second on,
  // twice as late each time.
  Duration reread = std::chrono::seconds(30);
  // A file that holds the ring of the newest epoch, written anew before that is
  // published (SaveRing): after a restart it serves at once, before the source
  // is read, and no epoch is below one that served. Where it cannot be written
  // rings are published all the same, and it is tried again. Empty: none.
  std::string state_path;
  // As Membership has them; last_epoch and last_digest are those of state_path
  // where it is there.
  MembershipOptions membership;
  // May be null; must outlive the watcher, which alone evaluates it, once in
  // `health_interval`.
  HealthTracker* health = nullptr;
  Duration health_interval = std::chrono::seconds(1);
  // Called by Start and then on the watcher's thread; may not end the watcher,
  // and throws nothing. The same refusal again is no event.
  std::function<void(const WatchEvent&)> on_event;
};

struct WatchStats {
  uint64_t reads = 0;
  uint64_t refused = 0;    // reads, and rings, of which nothing was taken
  uint64_t published = 0;  // rings, local ones included
  uint64_t state_failures = 0;
  uint64_t epoch = 0;        // of what serves; 0: nothing yet
  std::string last_refusal;  // empty once something was taken again
};

class Watcher {
 public:
  // Publishes what state_path holds, reads the source once, and goes on in a
  // thread. A state or a source that cannot be read is an event, not an error:
  // either may come later. `router` must outlive the watcher. kInvalidOptions,
  // kNoThread, kOutOfMemory.
  CW_API static Result<std::unique_ptr<Watcher>> Start(
      std::unique_ptr<MembersSource> source, Router& router,
      WatchOptions options = {});
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  // Waits for its thread; the ring serves on.
  CW_API ~Watcher();

  // Reads the source now, and takes what it says even where that is suspicious
  // or another recipe (not where an epoch falls or conflicts). For an operator
  // who has seen the refusal. Any thread; does not wait.
  CW_API void Confirm() noexcept;
  // Reads the source now. Any thread; does not wait.
  CW_API void Reread() noexcept;
  // Any thread; takes a lock. May throw std::bad_alloc.
  [[nodiscard]] CW_API WatchStats stats() const;

 private:
  struct Core;
  explicit Watcher(std::unique_ptr<Core> core) noexcept;

  std::unique_ptr<Core> core_;
};

}  // namespace clockwise
