// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/domain.h"

#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/router.h"
#include "route/domain_core.h"
#include "route/rcu.h"

namespace clockwise {
namespace {

constexpr uint32_t AtOf(uint32_t copy) {
  return copy * static_cast<uint32_t>(sizeof(PublishedRing));
}

rcu::Thread* ThreadOf(detail::ReadSide* side) {
  return static_cast<rcu::Thread*>(side);
}

}  // namespace

std::string_view FlavourName(Flavour flavour) noexcept {
  switch (flavour) {
    case Flavour::kQsbr:
      return "qsbr";
    case Flavour::kMemb:
      return "memb";
    case Flavour::kBp:
      return "bp";
  }
  return "unknown";
}

Domain::Domain(std::shared_ptr<DomainCore> core) noexcept
    : core_(std::move(core)) {}

Result<Domain> Domain::Create(DomainOptions options) try {
  const bool numa_copies = options.numa_copies;
  auto core = DomainCore::Create(
      std::move(options),
      numa_copies ? CopyPlaces::OfThisMachine() : CopyPlaces());
  if (!core.ok()) return core.status();
  return Domain(std::move(core).value());
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

// Made by the first call that succeeds, without a lock, which might be taken
// when the process forks.
Result<Domain> Domain::Default() try {
  static std::atomic<const Domain*> shared{nullptr};
  const Domain* domain = shared.load(std::memory_order_acquire);
  if (domain != nullptr) return *domain;
  auto made = Create({});
  if (!made.ok()) return made;
  // Never destroyed: threads may read until the process ends.
  auto own = std::make_unique<const Domain>(std::move(made).value());
  if (shared.compare_exchange_strong(domain, own.get(),
                                     std::memory_order_acq_rel)) {
    domain = own.release();
  }
  return *domain;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<Reader> Domain::Register(std::string name) const try {
  if (Status forked = core_->RefuseIfForked("registering"); !forked.ok()) {
    return forked;
  }
  Reader reader(core_, rcu::Join(core_->options().flavour, std::move(name)));
  reader.Rebind();
  return reader;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

uint32_t Domain::copy_count() const noexcept { return core_->places()->size(); }
bool Domain::is_numa_degraded() const noexcept {
  return core_->is_numa_degraded();
}
Flavour Domain::flavour() const noexcept { return core_->options().flavour; }
uint64_t Domain::grace_periods() const noexcept {
  return core_->reclaimer().grace_periods();
}
Status Domain::AfterForkChild() const try {
  return core_->AfterForkChild();
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Reader::Reader(std::shared_ptr<DomainCore> domain, rcu::Thread* thread) noexcept
    : side_(thread), domain_(std::move(domain)) {}

Reader::Reader(Reader&& other) noexcept
    : side_(std::exchange(other.side_, nullptr)),
      copy_at_(other.copy_at_),
      domain_(std::move(other.domain_)) {}

Reader& Reader::operator=(Reader&& other) noexcept {
  std::swap(side_, other.side_);
  std::swap(copy_at_, other.copy_at_);
  std::swap(domain_, other.domain_);
  return *this;
}

Reader::~Reader() {
  if (side_ != nullptr) rcu::Part(ThreadOf(side_));
}

void Reader::Quiescent() noexcept { rcu::Quiescent(ThreadOf(side_)); }
void Reader::Offline() noexcept { rcu::Offline(ThreadOf(side_)); }

void Reader::Rebind() noexcept {
  copy_at_ = AtOf(domain_->places()->CopyNearby());
}

Status Reader::RebindToNode(unsigned os_index) {
  const auto copy = domain_->places()->CopyOnNode(os_index);
  if (!copy) {
    return Status(Code::kInvalidOptions, "NUMA node " +
                                             std::to_string(os_index) +
                                             ": no copies of rings lie there");
  }
  copy_at_ = AtOf(*copy);
  return Status();
}

uint32_t Reader::copy() const noexcept { return copy_at_ / AtOf(1); }

}  // namespace clockwise
