// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Ways to publish rings under live readers, written alike: this library's
// router and what programs use instead. Each has
//
//   Publish(ring)                any thread
//   Thread thread(method)        a thread that reads; made and used on it
//   Section section(thread)      what it reads stays until the section ends
//   section.ring()               the ring that serves now
//   thread.Quiescent()           after a section, where the method needs it
//   thread.Offline()             before the thread does something else
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "clockwise/domain.h"
#include "clockwise/router.h"
#include "rings.h"

namespace clockwise::bench {

// Where a method asks nothing of threads.
template <typename M>
struct PlainThread {
  explicit PlainThread(M& m) : method(m) {}
  void Quiescent() {}
  void Offline() {}

  M& method;
};

// A load of the address, and no answer to when an old ring may be freed: some
// rings of the beginning serve in turn.
struct Bare {
  using Thread = PlainThread<Bare>;
  static constexpr size_t kRings = 8;

  explicit Bare(const Ring& first) {
    for (auto& ring : rings) {
      ring = std::make_unique<Ring>(Take(first.Copy(1)));
    }
    current = rings[0].get();
  }
  void Publish(const Ring& ring) {
    current.store(rings[ring.epoch() % kRings].get(),
                  std::memory_order_release);
  }

  struct Section {
    explicit Section(Thread& thread) : current(thread.method.current) {}
    [[nodiscard]] const Ring& ring() const {
      return *current.load(std::memory_order_acquire);
    }
    const std::atomic<const Ring*>& current;
  };

  std::array<std::unique_ptr<Ring>, kRings> rings;
  std::atomic<const Ring*> current;
};

template <Flavour kFlavour>
struct Routed {
  explicit Routed(const Ring& first)
      : domain(Take(Domain::Create({.flavour = kFlavour}))),
        router(Take(Router::Create(domain))) {
    Publish(Take(first.Copy(1)));
  }
  void Publish(Ring&& ring) { Take(router->Publish(std::move(ring))); }

  struct Thread {
    explicit Thread(Routed& method)
        : router(*method.router), reader(Take(method.domain.Register())) {}
    void Quiescent() {
      if (kFlavour == Flavour::kQsbr) reader.Quiescent();
    }
    void Offline() { reader.Offline(); }

    const Router& router;
    Reader reader;
  };
  struct Section {
    explicit Section(Thread& thread)
        : router(thread.router), pin(thread.reader) {}
    [[nodiscard]] const PublishedRing& ring() const {
      return router.Current(pin);
    }
    const Router& router;
    const Pin pin;
  };

  Domain domain;
  std::unique_ptr<Router> router;
};

// The readers hold the mutex, shared where it can be, while they look up.
template <typename Mutex, template <typename> typename ReadLock>
struct Locked {
  using Thread = PlainThread<Locked>;

  explicit Locked(const Ring& first)
      : current(std::make_unique<Ring>(Take(first.Copy(1)))) {}
  void Publish(Ring&& ring) {
    auto next = std::make_unique<Ring>(std::move(ring));
    const std::lock_guard lock(mutex);
    current.swap(next);
  }

  struct Section {
    explicit Section(Thread& thread)
        : lock(thread.method.mutex), current(*thread.method.current) {}
    [[nodiscard]] const Ring& ring() const { return current; }
    ReadLock<Mutex> lock;
    const Ring& current;
  };

  Mutex mutex;
  std::unique_ptr<Ring> current;
};
using ByMutex = Locked<std::mutex, std::lock_guard>;
using BySharedMutex = Locked<std::shared_mutex, std::shared_lock>;

struct ByAtomicSharedPtr {
  using Thread = PlainThread<ByAtomicSharedPtr>;

  explicit ByAtomicSharedPtr(const Ring& first)
      : current(std::make_shared<const Ring>(Take(first.Copy(1)))) {}
  void Publish(Ring&& ring) {
    current.store(std::make_shared<const Ring>(std::move(ring)));
  }

  struct Section {
    explicit Section(Thread& thread) : held(thread.method.current.load()) {}
    [[nodiscard]] const Ring& ring() const { return *held; }
    const std::shared_ptr<const Ring> held;
  };

  std::atomic<std::shared_ptr<const Ring>> current;
};

enum class Load {
  kPerLookup,   // each lookup asks for the ring that serves now
  kPerSection,  // one ring answers the section
};

// The owners of `count` hashes, a multiple of kLookups, in sections of
// kLookups each; their sum.
template <size_t kLookups, Load kLoad, typename M>
uint64_t RunSections(typename M::Thread& thread, const uint64_t* hashes,
                     size_t count) {
  uint64_t sum = 0;
  for (size_t first = 0; first < count; first += kLookups) {
    {
      const typename M::Section section(thread);
      const auto* ring = &section.ring();
      for (size_t i = first; i < first + kLookups; ++i) {
        if (kLoad == Load::kPerLookup) ring = &section.ring();
        sum += ring->Owner(hashes[i]);
      }
    }
    thread.Quiescent();
  }
  return sum;
}

}  // namespace clockwise::bench
