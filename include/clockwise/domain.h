// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Who reads published rings, and when an old ring may be freed.
//
// A Domain knows the threads that read (Reader) and frees retired rings on a
// thread of its own, after a grace period of liburcu: when every read section
// that had begun before has ended. Any number of Routers share one, and one
// Quiescent() of a thread speaks for all of them. See router.h for the rings,
// and for which operation may run with which.
#pragma once

#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "clockwise/detail/api.h"
#include "clockwise/detail/read_side.h"
#include "clockwise/status.h"

namespace clockwise {

class DomainCore;
namespace rcu {
struct Thread;
}

// How threads say that they read.
enum class Flavour : uint8_t {
  // For threads that own a loop: reading costs nothing, and once per turn the
  // thread says Quiescent(). Before it blocks it says Offline().
  kQsbr = 0,
  // For threads that mark sections: a few nanoseconds per Pin.
  kMemb = 1,
  // As kMemb, with the thread's place kept by liburcu until the thread ends.
  kBp = 2,
};

// Returns "qsbr", "memb" or "bp".
CW_API std::string_view FlavourName(Flavour flavour) noexcept;

// A reader that keeps retired rings from being freed, or has ceased to.
struct Stall {
  std::string reader;  // its name; empty: a thread that has no Reader here
  int64_t thread = 0;  // as the kernel numbers threads; 0: no Reader here
  std::chrono::milliseconds age{};  // how long a grace period waits already
  bool has_ended = false;
};

struct DomainOptions {
  Flavour flavour = Flavour::kMemb;
  // One copy of each ring per NUMA node (topology.h); false: one copy.
  bool numa_copies = true;
  // A grace period of this age is a stall: 10 ms to 1 hour.
  std::chrono::milliseconds stall_after{1000};
  // Called at most 250 ms later, once for each reader that holds up the grace
  // period, and again when it is over. On a thread of the domain, without
  // locks; it may publish, but not wait for grace periods, and not throw.
  std::function<void(const Stall&)> on_stall = {};
  // Called once, if a copy could not be placed on its NUMA node: by Create, or
  // by the first Publish that met it, which it must neither wait for nor throw
  // through.
  std::function<void(std::string_view line)> on_log = {};
};

// A thread's leave to read. Made by Domain::Register on the thread that uses
// it; only its moves and its end may be on another one. A thread may hold
// several, of several domains. A thread that ends is unregistered, with or
// without its readers having ended.
class Reader {
 public:
  CW_API Reader(Reader&&) noexcept;
  CW_API Reader& operator=(Reader&&) noexcept;
  CW_API ~Reader();

  // QSBR: what this thread read before is not needed any more. Once per batch
  // or turn of the loop: grace periods wait for it. A few instructions; no
  // system call unless a grace period sleeps. Does nothing while the thread
  // holds a pin, and in other flavours.
  CW_API void Quiescent() noexcept;
  // QSBR: as Quiescent, and grace periods do not wait for this thread until it
  // pins again. Before it blocks. Does nothing while it holds a pin.
  CW_API void Offline() noexcept;

  // From the next pin on, reads the copy on the NUMA node of the CPU that this
  // thread runs on, as when it registered. Copy 0 where that has none.
  CW_API void Rebind() noexcept;
  // The same for a NUMA node, as the kernel numbers them; kInvalidOptions if
  // the domain has no copy there.
  CW_API Status RebindToNode(unsigned os_index);
  // Number of that copy, below Domain::copy_count().
  [[nodiscard]] CW_API uint32_t copy() const noexcept;

 private:
  friend class Domain;
  friend class Pin;
  friend struct DomainAccess;
  Reader(std::shared_ptr<DomainCore> domain, rcu::Thread* thread) noexcept;

  detail::ReadSide* side_ = nullptr;
  uint32_t copy_at_ = 0;  // bytes from the first copy
  std::shared_ptr<DomainCore> domain_;
};

// While it lives, what its thread reads from routers of the domain stays.
// Nestable; on one thread. One per batch is cheapest.
class [[nodiscard]] Pin {
 public:
  CW_INLINE explicit Pin(const Reader& reader) noexcept
      : side_(reader.side_),
        copy_at_(reader.copy_at_),
        domain_(reader.domain_.get()) {
    assert(detail::IsOwnThread(side_));
    if (side_->depth++ == 0 && side_->enters_by_call) detail::EnterRead(side_);
  }
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;
  CW_INLINE ~Pin() {
    if (--side_->depth == 0 && side_->leaves_by_call) detail::LeaveRead(side_);
  }

 private:
  friend class Router;
  detail::ReadSide* side_;
  size_t copy_at_;
  const DomainCore* domain_;
};

// Shared by its copies, its Readers and its Routers; ends with the last.
class Domain {
 public:
  // kInvalidOptions where an option is out of its range; kNoThread where the
  // system has no thread to free rings on; kOutOfMemory; kForked in a forked
  // child of a process that had a domain.
  CW_API static Result<Domain> Create(DomainOptions options);
  // The one that a process needs as a rule: kMemb, all else as by default. The
  // same on every call that succeeds; never ends.
  CW_API static Result<Domain> Default();

  // Lets the calling thread read. `name` is what a stall is reported by. The
  // first reader of a thread in a flavour registers the thread with liburcu,
  // unless the program has done so itself; that one must then not unregister
  // it while there is a Reader. kForked in a forked child; kOutOfMemory.
  CW_API Result<Reader> Register(std::string name = {}) const;

  // Copies of each ring: one per NUMA node that had memory for this process
  // when the domain was created, at least 1.
  [[nodiscard]] CW_API uint32_t copy_count() const noexcept;
  // Whether ever a copy could not be placed, so that its node's readers shared
  // another. The next ring tries again.
  [[nodiscard]] CW_API bool is_numa_degraded() const noexcept;
  [[nodiscard]] CW_API Flavour flavour() const noexcept;
  // Grace periods waited for so far.
  [[nodiscard]] CW_API uint64_t grace_periods() const noexcept;

  // After fork(), in the child, from its only thread: publishing, registering
  // and reclaiming answer kForked before and work after. Pins that this thread
  // holds, and its readers, stay good throughout; those of other threads are
  // gone. What the parent had retired and not yet freed stays allocated.
  // kNoThread if the system has none. Nothing to do in any other process.
  CW_API Status AfterForkChild() const;

 private:
  friend class Router;
  friend struct DomainAccess;
  explicit Domain(std::shared_ptr<DomainCore> core) noexcept;

  std::shared_ptr<DomainCore> core_;
};

}  // namespace clockwise
