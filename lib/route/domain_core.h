// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What the handles of a domain share.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "clockwise/domain.h"
#include "route/copy_places.h"
#include "route/reclaimer.h"
#include "route/ring_set.h"

namespace clockwise {

class DomainCore {
 public:
  // With places other than those of this machine, for tests.
  static Result<std::shared_ptr<DomainCore>> Create(DomainOptions options,
                                                    CopyPlaces places);
  ~DomainCore();

  [[nodiscard]] const DomainOptions& options() const noexcept {
    return options_;
  }
  [[nodiscard]] const std::shared_ptr<const CopyPlaces>& places()
      const noexcept {
    return places_;
  }
  // What a router answers from before its first ring.
  [[nodiscard]] const RingSet& empty_set() const noexcept { return *empty_; }
  [[nodiscard]] Reclaimer& reclaimer() const noexcept { return *reclaimer_; }

  // Whether this is a child in which AfterForkChild was not called yet.
  [[nodiscard]] bool IsForked() const noexcept;
  // kForked there, for `what`, which is not to be done.
  [[nodiscard]] Status RefuseIfForked(const char* what) const;
  // The process that the domain last was made fit for.
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  Status AfterForkChild();

  [[nodiscard]] bool is_numa_degraded() const noexcept {
    return is_degraded_.load(std::memory_order_relaxed);
  }
  // Notes, and logs the first time, that copies of `set` could not be placed.
  void ReportMisplaced(const RingSet& set) noexcept;

 private:
  DomainCore(DomainOptions options, CopyPlaces places);
  Status Start();

  const DomainOptions options_;
  const std::shared_ptr<const CopyPlaces> places_;
  std::unique_ptr<RingSet> empty_;
  std::unique_ptr<Reclaimer> reclaimer_;
  pid_t pid_;
  std::atomic<bool> is_degraded_{false};
};

// What the C interface and tests need to know of handles.
struct DomainAccess {
  // Whether two handles are of one domain: they have the same core.
  static const DomainCore* CoreOf(const Domain& domain) noexcept {
    return domain.core_.get();
  }
  // Whether the calling thread is the one that registered `reader`.
  static bool IsOnItsThread(const Reader& reader) noexcept {
    return detail::IsOwnThread(reader.side_);
  }
  // For tests: a domain of a topology that this machine does not have.
  static Result<Domain> Create(DomainOptions options, CopyPlaces places) {
    auto core = DomainCore::Create(std::move(options), std::move(places));
    if (!core.ok()) return core.status();
    return Domain(std::move(core).value());
  }
};

}  // namespace clockwise
