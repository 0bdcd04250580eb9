// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a watcher does, round by round, whatever calls it and by whatever clock.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "clockwise/watch.h"

namespace clockwise {

class WatchLoop {
 public:
  using Duration = WatchOptions::Duration;

  // `source` must outlive the loop. kInvalidOptions, kOutOfMemory.
  static Result<std::unique_ptr<WatchLoop>> Create(
      MembersSource& source, Membership::PublishRing publish,
      WatchOptions options);

  // Publishes what the state holds, if there is one. Once, before the rounds.
  void Begin(Duration now);
  // Reads if it must or it is time to, and steps. May throw std::bad_alloc;
  // the next round goes on.
  void Round(Duration now, bool must_read, bool is_confirmed);
  // How long there is nothing to do, unless the source changes.
  [[nodiscard]] Duration Idle(Duration now) const;

  [[nodiscard]] WatchStats stats() const;
  // For a round that threw.
  void CountRefusal(const Status& status) { Refuse(status); }

 private:
  WatchLoop(MembersSource& source, WatchOptions options)
      : source_(source), options_(std::move(options)) {}

  void LoadState();
  void Save(const Ring& ring);
  [[nodiscard]] bool IsUnsaved() const;
  void Read(Duration now, bool is_confirmed);
  Status Want(MembersOrRing content, Duration now, bool is_confirmed);
  void Step(Duration now);
  void Refuse(const Status& status);
  void Tell(WatchEvent::Kind kind, const Status& status = {},
            HealthReport health = {});

  MembersSource& source_;
  const WatchOptions options_;
  std::optional<Membership> membership_;
  std::optional<Ring> state_;  // what was there at the beginning
  Status state_fault_;
  Duration now_{};
  Duration next_read_{};
  Duration retry_{};  // of reading what could not be read
  Duration next_save_{};
  uint64_t saved_epoch_ = 0;

  mutable std::mutex mutex_;  // guards stats_
  WatchStats stats_;
};

}  // namespace clockwise
