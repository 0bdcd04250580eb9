// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Read sections and grace periods. Together with rcu.cc the only place that
// knows liburcu.
//
// liburcu keeps a word for each thread of each flavour: what the thread reads,
// if anything. The operations here act on that word as liburcu's own do, but
// find it through a pointer kept from registration: finding it anew costs four
// look-ups of thread-local storage in a shared library. Grace periods are
// liburcu's, except in a forked child.
//
// In a forked child liburcu's locks may be held by threads that are not there,
// and its registry lists those threads. After AfterForkChild the process uses
// neither: threads are kept in a registry of our own, and Synchronize waits for
// those itself.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "clockwise/detail/read_side.h"
#include "clockwise/domain.h"

namespace clockwise::rcu {

// One thread in one flavour. Its Readers and the thread itself share it; it
// ends with the last of them.
struct Thread : detail::ReadSide {
  Flavour flavour = Flavour::kMemb;
  // Whether the host registered the thread before us, and so will unregister.
  bool is_adopted = false;
  unsigned long* word = nullptr;  // liburcu's; a dummy once the thread ended
  uint32_t readers = 0;           // that the thread itself has not yet dropped
  pid_t tid = 0;                  // as the kernel numbers threads
  std::string name;               // of the reader registered last
  std::atomic<uint32_t> owners{0};
};

// To be called before all else, by each domain: this process uses what is here.
void Begin() noexcept;
// Whether this is a child of one that did, in which AfterForkChild was not
// called yet.
[[nodiscard]] bool IsForked() noexcept;

// Registers the calling thread, once however often it is called, and counts one
// reader more. May throw std::bad_alloc. Not in a forked child.
Thread* Join(Flavour flavour, std::string name);
// Counts one reader less; the thread is unregistered with its last one. On any
// other thread, or in a forked child, it only gives up its share of `thread`.
void Part(Thread* thread) noexcept;

// QSBR, on the own thread and without pins: nothing read before is needed any
// more. Else, and in other flavours, these do nothing.
void Quiescent(Thread* thread) noexcept;
void Offline(Thread* thread) noexcept;

// Whether the calling thread is inside a read section of the flavour, begun by
// a pin of ours or by the host.
[[nodiscard]] bool IsReading(Flavour flavour) noexcept;

// Takes a QSBR thread offline while it waits for grace periods itself.
class OfflineScope {
 public:
  explicit OfflineScope(Flavour flavour) noexcept;
  OfflineScope(const OfflineScope&) = delete;
  OfflineScope& operator=(const OfflineScope&) = delete;
  ~OfflineScope();

 private:
  bool was_online_;
};

// Waits until all read sections of the flavour that had begun have ended.
// Blocks; called by reclaimers alone.
void Synchronize(Flavour flavour);

// Calls f(name, tid) for each registered thread that a running grace period of
// the flavour waits for.
void ForEachHolder(
    Flavour flavour,
    const std::function<void(const std::string& name, pid_t tid)>& f);

// Makes this forked child, in which only the calling thread runs, fit to
// register, read and reclaim again. Nothing to do in any other process.
void AfterForkChild();

}  // namespace clockwise::rcu
