// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings published under live readers.
//
//   Domain domain = Domain::Create({.flavour = Flavour::kQsbr}).value();
//   auto router = Router::Create(domain).value();
//   router->Publish(std::move(ring));              // any thread
//
//   Reader reader = domain.Register("worker-1").value();   // each thread's
//   for (;;) {
//     reader.Offline();                            // may block now
//     WaitForRequests();
//     {
//       const Pin pin(reader);
//       for (…) router->Current(pin).Owner(key);
//     }
//     reader.Quiescent();
//   }
//
// Which operation may run with which, on any threads ("-": at the same time;
// "s": one waits for the other, briefly; "X": the program keeps them apart):
//
//                   | Current | Pin ends | Quiescent | Publish | Await | end of
//                   | on pin  |          | Offline   |         |       | Router
//   Current on pin  |    -    |    -     |     -     |    -    |   -   |   X
//   Pin ends        |    -    |    -     |     -     |    -    |   -   |   -
//   Quiescent, Off. |    -    |    -     |     -     |    -    |   -   |   -
//   Publish         |    -    |    -     |     -     |    s    |   s   |   X
//   PublishAndWait  |    -    |    -     |     -     |    s    |   s   |   X
//   end of Router   |    X    |    -     |     -     |    X    |   X   |   X
//
// A Reader, its pins, Quiescent and Offline belong to one thread: two calls on
// one Reader never run at once. What Current returned before the end of its
// Router stays good until the pin ends. The first column takes no lock, makes
// no system call, and writes nothing that another thread reads.
//
// Why no reader sees a ring half built, freed, or older than one it saw:
//
// 1. A writer fills a set (a ring, its epoch, one copy per NUMA node) before it
//    stores the set's address into Router::current_, with release. Current()
//    loads it with acquire. So a reader that has the address has the contents.
// 2. Sets are stored in the order of their epochs, under the router's lock, and
//    a set holds all copies of one epoch. Loads of one atomic by one thread
//    never go back in its order of stores. So no thread sees an epoch fall, on
//    whatever copy it reads.
// 3. A set is retired after the next one's address was stored, and freed after
//    a grace period that began later. A reader that may still hold it loaded
//    the address before that store, inside a pin, or since its last Quiescent,
//    that began before the grace period: and a grace period ends only when all
//    such have ended. liburcu orders the end of a pin before the end of the
//    grace period, so the last read comes before the free.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "clockwise/detail/api.h"
#include "clockwise/domain.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

class RouterCore;

// A published ring as a thread reads it: all lookups of a RingView, on the copy
// of its NUMA node. Good until the pin ends that it was read under.
class alignas(64) PublishedRing : public RingView {
 public:
  // Of the whole ring, on every copy. 0: nothing was published yet; no key has
  // an owner then.
  [[nodiscard]] uint64_t epoch() const noexcept { return epoch_; }
  // The nodes' ids and the rest, which are not copied.
  [[nodiscard]] const Ring& ring() const noexcept { return *ring_; }
  // What was published with it (PublishOptions::companion), null if nothing
  // was. `T` is the type that was given. One for all copies.
  template <typename T>
  [[nodiscard]] const T* companion() const noexcept {
    return static_cast<const T*>(companion_);
  }

 private:
  friend class RingSet;
  friend struct OwnedRing;  // of the C interface
  PublishedRing(const detail::RingImage* image, const Ring* ring,
                uint64_t epoch, const void* companion) noexcept
      : RingView(image), ring_(ring), epoch_(epoch), companion_(companion) {}

  const Ring* ring_;
  uint64_t epoch_;
  const void* companion_;
};
static_assert(sizeof(PublishedRing) == 64, "one cache line per copy");

struct RouterOptions {
  // Rings in memory at once, per copy: the one that serves, those retired that
  // a reader may still hold, and one that waits. 3 to 1,024. 2: nothing can
  // wait, and only PublishAndWait publishes.
  uint32_t max_live = 8;
};

struct PublishOptions {
  // Publish although the ring places keys by another recipe.
  bool accept_remap = false;
  // Comes to serve with the ring and is let go of with it, after the grace
  // period, on a thread of the domain: a table of overrides, an index for
  // replicas, connections by slot. It changes only with a ring, so one that has
  // changed takes a new epoch: with an outcome of kUnchanged it is not taken.
  std::shared_ptr<const void> companion = nullptr;
};

enum class Outcome : uint8_t {
  kUnchanged = 0,  // the newest ring is this one, or stands in for it
  kHeldBack = 1,   // waits until readers let go of an older ring
  kServing = 2,    // every Current() from now on returns it
  kSettled = 3,    // and no reader holds an older one any more
};

struct Publication {
  uint64_t epoch;
  Outcome outcome;
};

struct RouterStats {
  uint64_t serving_epoch = 0;  // what Current() returns; 0: nothing yet
  uint64_t newest_epoch = 0;   // higher where a ring waits
  uint64_t serving_local = 0;  // RingView::local() of the ring that serves
  uint32_t live = 0;           // rings in memory, as max_live counts them
  uint64_t published = 0;      // rings that came to serve
  uint64_t replaced = 0;       // rings that waited until a newer one came
  uint64_t held_back = 0;      // rings that had to wait, those included
  uint64_t unchanged = 0;      // publishes that answered kUnchanged
  // Publishes that were refused, by Code.
  std::array<uint64_t, kCodeCount> refused{};
};

// Where the rings of one membership are published. May be neither copied nor
// moved: threads hold its address.
class Router {
 public:
  // kInvalidOptions where max_live is out of its range; kOutOfMemory; kForked.
  CW_API static Result<std::unique_ptr<Router>> Create(
      const Domain& domain, RouterOptions options = {});
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;
  // Its rings are freed after a grace period. Does not wait.
  CW_API ~Router();

  // The ring that serves now. `pin` is of a reader of the router's domain.
  //
  // A load and an addition; wait-free. In a signal handler only on a pin that
  // the thread held already; the lookups of what it returns are safe there.
  [[nodiscard]] CW_INLINE const PublishedRing& Current(
      const Pin& pin) const noexcept {
    assert(pin.domain_ == domain_.get());
    // Pairs with the store in RouterCore::Serve.
    const std::byte* copies = current_.load(std::memory_order_acquire);
    return *reinterpret_cast<const PublishedRing*>(copies + pin.copy_at_);
  }

  // Publishes `ring`: takes it, or refuses it and leaves it as it is while the
  // old one serves on. A ring of epoch 0 gets the epoch after the newest.
  //
  // Below max_live the ring serves at once, also while a grace period is
  // pending. At it the newest waits, in place of one that waited: kHeldBack.
  // Never waits for readers. Copies the image to each NUMA node.
  //
  // Of one epoch, a local ring follows another, or the one it stands in for, if
  // its base digest is the same and its count is higher. A ring that a local
  // one stands in for has been published: kUnchanged.
  //
  // Refuses: kWouldDeadlock on a thread that holds a pin; kStaleEpoch, also for
  // a lower local count; kEpochConflict for the newest ring's epoch with
  // another base digest, or with its local count and another digest;
  // kEpochExhausted; kRemapRefused where name, scheme, width, seed, key hash or
  // vnodes differ from the newest ring's, with the share of keys that would
  // move; kOutOfMemory; kForked; kInvalidOptions where max_live is 2.
  CW_API Result<Publication> Publish(Ring&& ring, PublishOptions options = {});
  // The same, then waits until no reader holds an older ring (kSettled), or for
  // the deadline: kServing or kHeldBack tell how far it came. With max_live 2
  // it waits first for older rings to be let go of, and answers kGraceTimeout,
  // the ring not taken, if that is in vain. A QSBR thread is offline meanwhile.
  CW_API Result<Publication> PublishAndWait(
      Ring&& ring, std::chrono::steady_clock::time_point deadline,
      PublishOptions options = {});

  // Any thread; takes a lock. All 0 in a forked child before AfterForkChild.
  [[nodiscard]] CW_API RouterStats stats() const;
  [[nodiscard]] CW_API Domain domain() const noexcept;

 private:
  Router(const Domain& domain, const RouterOptions& options);

  // Alone on its cache line: the one word that readers and writers share.
  alignas(64) std::atomic<const std::byte*> current_;
  alignas(64) std::shared_ptr<DomainCore> domain_;
  std::shared_ptr<RouterCore> core_;
};

}  // namespace clockwise
