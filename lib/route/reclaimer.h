// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Frees what is retired, after a grace period, and watches for readers that
// hold one up. Two threads: one is blocked as long as a grace period takes, the
// other looks on.
#pragma once

#include <memory>

#include "clockwise/domain.h"
#include "clockwise/status.h"

namespace clockwise {

// What may be retired. Linked through itself, so that retiring allocates
// nothing and cannot fail.
class Retired {
 public:
  virtual ~Retired() = default;
  // Called once no reader can hold it, on the reclaimer's thread.
  virtual void Free() noexcept = 0;

 private:
  friend class Reclaimer;
  Retired* next_ = nullptr;
};

class Reclaimer {
 public:
  // kNoThread if the system has none.
  static Result<std::unique_ptr<Reclaimer>> Start(const DomainOptions& options);
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;
  // Frees all that waits, without a grace period: no reader may be left. Waits
  // for its threads, unless the calling thread is inside a read section that
  // they may wait for; then they end by themselves.
  ~Reclaimer();

  // Frees `retired` after a grace period that begins now or later. In order.
  // Never blocks for long; takes no memory.
  void Retire(Retired* retired) noexcept;
  [[nodiscard]] uint64_t grace_periods() const noexcept;

 private:
  struct State;  // shared with the threads
  class Queue;
  explicit Reclaimer(std::shared_ptr<State> state) noexcept;

  std::shared_ptr<State> state_;
};

}  // namespace clockwise
