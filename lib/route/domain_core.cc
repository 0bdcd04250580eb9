// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "route/domain_core.h"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include "clockwise/ring_builder.h"
#include "route/rcu.h"

namespace clockwise {
namespace {

constexpr std::chrono::milliseconds kLeastStall(10);
constexpr std::chrono::hours kMostStall(1);

Status Check(const DomainOptions& options) {
  if (options.flavour > Flavour::kBp) {
    return Status(Code::kInvalidOptions,
                  "flavour " +
                      std::to_string(static_cast<int>(options.flavour)) +
                      "; 0 to 2");
  }
  if (options.stall_after < kLeastStall || options.stall_after > kMostStall) {
    return Status(Code::kInvalidOptions,
                  "stall_after " + std::to_string(options.stall_after.count()) +
                      " ms; 10 ms to 1 hour");
  }
  return Status();
}

Status Forked(const char* what) {
  return Status(Code::kForked,
                std::string(what) + " in a forked child before AfterForkChild");
}

Result<Ring> EmptyRing() {
  auto builder = RingBuilder::Create({});
  if (!builder.ok()) return builder.status();
  return builder.value().Build();
}

}  // namespace

DomainCore::DomainCore(DomainOptions options, CopyPlaces places)
    : options_(std::move(options)),
      places_(std::make_shared<const CopyPlaces>(std::move(places))),
      pid_(getpid()) {}

// In a child that was not made fit the reclaimer's threads are not there.
DomainCore::~DomainCore() {
  if (IsForked()) reclaimer_.release();
}

Result<std::shared_ptr<DomainCore>> DomainCore::Create(DomainOptions options,
                                                       CopyPlaces places) {
  if (Status refused = Check(options); !refused.ok()) return refused;
  rcu::Begin();
  if (rcu::IsForked()) return Forked("making a domain");
  std::shared_ptr<DomainCore> core(
      new DomainCore(std::move(options), std::move(places)));
  Result<Ring> empty = EmptyRing();
  if (!empty.ok()) return empty.status();
  core->empty_ = std::make_unique<RingSet>(core->places_);
  core->empty_->Fill(std::move(empty).value(), 0, nullptr);
  if (Status refused = core->Start(); !refused.ok()) return refused;
  core->ReportMisplaced(*core->empty_);
  return core;
}

Status DomainCore::Start() {
  auto reclaimer = Reclaimer::Start(options_);
  if (!reclaimer.ok()) return reclaimer.status();
  // One of the parent stays behind: its threads, and who knows which locks, are
  // gone.
  static_cast<void>(reclaimer_.release());
  reclaimer_ = std::move(reclaimer).value();
  return Status();
}

bool DomainCore::IsForked() const noexcept { return pid_ != getpid(); }

Status DomainCore::RefuseIfForked(const char* what) const {
  return IsForked() ? Forked(what) : Status();
}

Status DomainCore::AfterForkChild() {
  if (!IsForked()) return Status();
  rcu::AfterForkChild();
  if (Status refused = Start(); !refused.ok()) return refused;
  pid_ = getpid();
  return Status();
}

void DomainCore::ReportMisplaced(const RingSet& set) noexcept {
  if (set.misplaced().empty()) return;
  if (is_degraded_.exchange(true, std::memory_order_relaxed)) return;
  if (!options_.on_log) return;
  char line[128];  // no std::string: memory may be short
  std::snprintf(line, sizeof(line),
                "no memory could be placed for copy %u of a ring: readers of "
                "its NUMA node share another copy",
                set.misplaced().front());
  options_.on_log(line);
}

}  // namespace clockwise
