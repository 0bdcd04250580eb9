// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#define _LGPL_SOURCE 1  // liburcu's read side, inlined
#include "route/rcu.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <urcu/urcu-bp.h>
#include <urcu/urcu-memb.h>
#include <urcu/urcu-qsbr.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "route/fault.h"
#include "route/tsan.h"

#ifdef CW_HAS_TSAN
// ThreadSanitizer takes the inlined ones for racing on liburcu's futex.
#undef urcu_qsbr_quiescent_state
#undef urcu_qsbr_thread_offline
#undef urcu_qsbr_thread_online
extern "C" {
void urcu_qsbr_quiescent_state(void);
void urcu_qsbr_thread_offline(void);
void urcu_qsbr_thread_online(void);
}
#endif

namespace clockwise::rcu {
namespace {

constexpr int kFlavours = 3;

// Same bits in memb and bp.
constexpr unsigned long kCount = URCU_GP_COUNT;
constexpr unsigned long kNesting = URCU_GP_CTR_NEST_MASK;
constexpr unsigned long kPhase = URCU_GP_CTR_PHASE;
static_assert(kCount == URCU_BP_GP_COUNT && kPhase == URCU_BP_GP_CTR_PHASE);

// The word of a thread that has ended.
unsigned long no_word = 0;

unsigned long Load(const unsigned long* word) noexcept {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
void Store(unsigned long* word, unsigned long value) noexcept {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

unsigned long* GraceWord(Flavour flavour) noexcept {
  switch (flavour) {
    case Flavour::kQsbr:
      return &urcu_qsbr_gp.ctr;
    case Flavour::kMemb:
      return &urcu_memb_gp.ctr;
    case Flavour::kBp:
      break;
  }
  return &urcu_bp_gp.ctr;
}

// The word of bp comes first in its record, which liburcu aligns less than its
// type says: no member of it is named.
static_assert(offsetof(struct urcu_bp_reader, ctr) == 0);

// What of a forked process has to be made anew: see AfterForkChild.
struct Process {
  // That uses it: 0 until there is a domain. Before that a fork changes
  // nothing, as when a server loads the library and then forks its workers.
  std::atomic<pid_t> pid{0};
  // Whether liburcu's locks and registry are of no use.
  bool is_alone = false;
  std::mutex mutex;  // of `threads`
  std::vector<Thread*> threads;
  std::mutex synchronizing[kFlavours];  // alone only
};

// Never destroyed: threads may end after static storage is.
std::atomic<Process*> process{new Process};

Process& ThisProcess() noexcept {
  return *process.load(std::memory_order_acquire);
}

void Disown(Thread* thread) noexcept {
  if (thread->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete thread;
  }
}

// Makes liburcu know the calling thread, unless it does; returns whether it
// did. A thread that begins in a forked child stays unknown to it.
bool RegisterUnlessKnown(Flavour flavour) {
  const bool is_alone = ThisProcess().is_alone;
  switch (flavour) {
    case Flavour::kQsbr:
      if (URCU_TLS(urcu_qsbr_reader).registered) return true;
      if (is_alone) return false;
      urcu_qsbr_register_thread();
      urcu_qsbr_thread_offline();  // until the first pin
      return false;
    case Flavour::kMemb:
      if (URCU_TLS(urcu_memb_reader).registered) return true;
      if (!is_alone) urcu_memb_register_thread();
      return false;
    case Flavour::kBp:
      if (URCU_TLS(urcu_bp_reader) != nullptr) return true;
      if (!is_alone) {
        urcu_bp_register();
      } else {  // with what liburcu would have taken from its arena
        URCU_TLS(urcu_bp_reader) = new struct urcu_bp_reader();
      }
      return false;
  }
  return true;
}

unsigned long* WordOfCaller(Flavour flavour) noexcept {
  switch (flavour) {
    case Flavour::kQsbr:
      return &URCU_TLS(urcu_qsbr_reader).ctr;
    case Flavour::kMemb:
      return &URCU_TLS(urcu_memb_reader).ctr;
    case Flavour::kBp:
      break;
  }
  return URCU_TLS(urcu_bp_reader) != nullptr
             ? reinterpret_cast<unsigned long*>(URCU_TLS(urcu_bp_reader))
             : &no_word;
}

// On the own thread. bp needs nothing: liburcu sees the thread end.
void Unregister(const Thread& thread) noexcept {
  if (thread.is_adopted) return;
  if (ThisProcess().is_alone) {
    Store(thread.word, 0);
  } else if (thread.flavour == Flavour::kQsbr) {
    TsanRelease();
    urcu_qsbr_unregister_thread();
  } else if (thread.flavour == Flavour::kMemb) {
    TsanRelease();
    urcu_memb_unregister_thread();
  }
}

void Delist(Thread* thread) noexcept {
  Process& here = ThisProcess();
  const std::lock_guard lock(here.mutex);
  std::erase(here.threads, thread);
}

// The calling thread in each flavour, null where it is not registered.
struct Slots {
  Thread* of[kFlavours] = {};

  Thread*& operator[](Flavour flavour) noexcept {
    return of[static_cast<int>(flavour)];
  }
  // A thread that ends holds nothing back, whatever became of its readers.
  ~Slots() {
    for (Thread*& thread : of) {
      if (thread != nullptr) Leave(thread);
    }
  }
  static void Leave(Thread*& slot) noexcept {
    Thread* thread = std::exchange(slot, nullptr);
    if (!IsForked()) {
      Delist(thread);
      Unregister(*thread);
    }
    thread->word = &no_word;
    Disown(thread);
  }
};
thread_local Slots slots;

// Makes liburcu and the stall watch know the calling thread.
Thread* Register(Flavour flavour) {
  auto thread = std::make_unique<Thread>();
  thread->flavour = flavour;
  thread->tid = gettid();
  thread->owners = 1;
  thread->leaves_by_call = flavour != Flavour::kQsbr;
  if (Seeded(Fault::kUnregisteredReader)) {
    thread->is_adopted = true;
    thread->word = new unsigned long(0);
  } else {
    thread->is_adopted = RegisterUnlessKnown(flavour);
    thread->word = WordOfCaller(flavour);
  }
  try {
    Process& here = ThisProcess();
    const std::lock_guard lock(here.mutex);
    here.threads.push_back(thread.get());
  } catch (...) {
    // Else liburcu would look at the thread after its end.
    Unregister(*thread);
    throw;
  }
  return thread.release();
}

void GoOnline(Thread* thread) noexcept {
  if (Load(thread->word) == 0) urcu_qsbr_thread_online();
  // The host of an adopted thread may take it offline without our knowledge.
  thread->enters_by_call = thread->is_adopted;
}

void EnterSection(Thread* thread, const unsigned long* grace,
                  bool has_membarrier) noexcept {
  unsigned long* const word = thread->word;
  const unsigned long inside = Load(word);
  if ((inside & kNesting) != 0) {  // the host's section, or another domain's
    Store(word, inside + kCount);
    return;
  }
  Store(word, Load(grace));
  // The word before what is read; pairs with the barriers that membarrier
  // makes in Synchronize.
  if (has_membarrier) {
    cmm_barrier();
  } else {
    cmm_smp_mb();
  }
}

// What was read before the word; in memb the word before the futex.
void LeaveSection(Thread* thread, bool has_membarrier) noexcept {
  TsanRelease();
  if (has_membarrier) {
    cmm_barrier();
  } else {
    cmm_smp_mb();
  }
  Store(thread->word, Load(thread->word) - kCount);
  if (has_membarrier) {
    cmm_barrier();
  } else {
    cmm_smp_mb();
  }
}

// As urcu_common_wake_up_gp, in atomic operations.
void WakeMembGracePeriod() noexcept {
  int32_t* const futex = &urcu_memb_gp.futex;
  if (__atomic_load_n(futex, __ATOMIC_RELAXED) != -1) [[likely]]
    return;
  __atomic_store_n(futex, 0, __ATOMIC_RELAXED);
  futex_async(futex, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

bool IsHeldUpBy(Flavour flavour, unsigned long word) noexcept {
  const unsigned long grace = Load(GraceWord(flavour));
  if (flavour == Flavour::kQsbr) return word != 0 && word != grace;
  return (word & kNesting) != 0 && ((word ^ grace) & kPhase) != 0;
}

// As liburcu does: a barrier on every thread that reads without one.
void BarrierOnAll(Flavour flavour) noexcept {
  const bool has_membarrier =
      (flavour == Flavour::kMemb && urcu_memb_has_sys_membarrier != 0) ||
      (flavour == Flavour::kBp && urcu_bp_has_sys_membarrier != 0);
  cmm_smp_mb();
  if (has_membarrier) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
  }
}

void WaitForOld(Process& here, Flavour flavour) {
  const auto is_held_up = [&] {
    const std::lock_guard lock(here.mutex);
    return std::any_of(
        here.threads.begin(), here.threads.end(), [&](const Thread* t) {
          return t->flavour == flavour && IsHeldUpBy(flavour, Load(t->word));
        });
  };
  while (is_held_up()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// A grace period among the threads of our own registry. QSBR readers copy a
// counter that moves on; sections carry a phase that turns over, twice because
// a reader may have read the phase long before it stores it.
void SynchronizeAlone(Process& here, Flavour flavour) {
  const std::lock_guard lock(here.synchronizing[static_cast<int>(flavour)]);
  unsigned long* const grace = GraceWord(flavour);
  const bool is_qsbr = flavour == Flavour::kQsbr;
  for (int turn = 0; turn < (is_qsbr ? 1 : 2); ++turn) {
    BarrierOnAll(flavour);
    Store(grace,
          is_qsbr ? Load(grace) + URCU_QSBR_GP_CTR : Load(grace) ^ kPhase);
    BarrierOnAll(flavour);
    WaitForOld(here, flavour);
  }
  BarrierOnAll(flavour);
}

}  // namespace

void Begin() noexcept {
  pid_t nobody = 0;
  ThisProcess().pid.compare_exchange_strong(nobody, getpid());
}

bool IsForked() noexcept {
  const pid_t pid = ThisProcess().pid;
  return pid != 0 && pid != getpid();
}

Thread* Join(Flavour flavour, std::string name) {
  Thread*& slot = slots[flavour];
  if (slot == nullptr) slot = Register(flavour);
  {
    // The stall watch reads names.
    const std::lock_guard lock(ThisProcess().mutex);
    slot->name = std::move(name);
  }
  ++slot->readers;
  slot->owners.fetch_add(1, std::memory_order_relaxed);
  return slot;
}

void Part(Thread* thread) noexcept {
  Thread*& slot = slots[thread->flavour];
  if (slot == thread && --thread->readers == 0) Slots::Leave(slot);
  Disown(thread);
}

void Quiescent(Thread* thread) noexcept {
  if (thread->flavour != Flavour::kQsbr || thread->depth != 0) return;
  const unsigned long word = Load(thread->word);
  if (word == 0 || word == Load(&urcu_qsbr_gp.ctr)) return;
  TsanRelease();
  urcu_qsbr_quiescent_state();
}

void Offline(Thread* thread) noexcept {
  if (thread->flavour != Flavour::kQsbr || thread->depth != 0) return;
  if (Load(thread->word) == 0) return;
  TsanRelease();
  urcu_qsbr_thread_offline();
  thread->enters_by_call = true;
}

bool IsReading(Flavour flavour) noexcept {
  const Thread* thread = slots[flavour];
  if (thread != nullptr && thread->depth != 0) return true;
  return flavour != Flavour::kQsbr &&
         (Load(WordOfCaller(flavour)) & kNesting) != 0;
}

OfflineScope::OfflineScope(Flavour flavour) noexcept
    : was_online_(flavour == Flavour::kQsbr && !IsReading(flavour) &&
                  Load(WordOfCaller(flavour)) != 0) {
  if (!was_online_) return;
  TsanRelease();
  urcu_qsbr_thread_offline();
}

OfflineScope::~OfflineScope() {
  if (was_online_) urcu_qsbr_thread_online();
}

void Synchronize(Flavour flavour) {
  Process& here = ThisProcess();
  if (here.is_alone) {
    SynchronizeAlone(here, flavour);
  } else if (flavour == Flavour::kQsbr) {
    urcu_qsbr_synchronize_rcu();
  } else if (flavour == Flavour::kMemb) {
    urcu_memb_synchronize_rcu();
  } else {
    urcu_bp_synchronize_rcu();
  }
  TsanAcquire();
}

void ForEachHolder(
    Flavour flavour,
    const std::function<void(const std::string& name, pid_t tid)>& f) {
  Process& here = ThisProcess();
  const std::lock_guard lock(here.mutex);
  for (const Thread* thread : here.threads) {
    if (thread->flavour == flavour && IsHeldUpBy(flavour, Load(thread->word))) {
      f(thread->name, thread->tid);
    }
  }
}

void AfterForkChild() {
  if (!IsForked()) return;
  // What is there may be locked, or half written, by a thread that is not: it
  // is left behind.
  auto fresh = std::make_unique<Process>();
  fresh->pid = getpid();
  fresh->is_alone = true;
  for (Thread* thread : slots.of) {
    if (thread == nullptr) continue;
    thread->tid = gettid();
    fresh->threads.push_back(thread);
  }
  process.store(fresh.release(), std::memory_order_release);
}

}  // namespace clockwise::rcu

namespace clockwise::detail {

void EnterRead(ReadSide* side) noexcept {
  auto* thread = static_cast<rcu::Thread*>(side);
  switch (thread->flavour) {
    case Flavour::kQsbr:
      return rcu::GoOnline(thread);
    case Flavour::kMemb:
      return rcu::EnterSection(thread, &urcu_memb_gp.ctr,
                               urcu_memb_has_sys_membarrier != 0);
    case Flavour::kBp:
      return rcu::EnterSection(thread, &urcu_bp_gp.ctr,
                               urcu_bp_has_sys_membarrier != 0);
  }
}

void LeaveRead(ReadSide* side) noexcept {
  auto* thread = static_cast<rcu::Thread*>(side);
  if (thread->flavour == Flavour::kBp) {
    rcu::LeaveSection(thread, urcu_bp_has_sys_membarrier != 0);
    return;
  }
  rcu::LeaveSection(thread, urcu_memb_has_sys_membarrier != 0);
  rcu::WakeMembGracePeriod();
}

bool IsOwnThread(const ReadSide* side) noexcept {
  return rcu::slots[static_cast<const rcu::Thread*>(side)->flavour] == side;
}

}  // namespace clockwise::detail
