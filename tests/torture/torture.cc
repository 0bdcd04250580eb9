// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "torture.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "route/domain_core.h"

namespace clockwise::torture {
namespace {

using Clock = std::chrono::steady_clock;

// Two "NUMA nodes" that every CPU belongs to, of poisoned memory.
CopyPlaces TwoPlaces() {
  std::vector<CopyPlaces::Place> places;
  for (unsigned node : {0u, 1u}) {
    places.push_back({{node, {node}}, std::make_unique<PoisoningSource>()});
  }
  return CopyPlaces(std::move(places));
}

unsigned CountCpus() {
  return std::max(1u, std::thread::hardware_concurrency());
}

// Lets the calling thread, and those it starts, run on CPUs [first, end).
void RunOnCpus(unsigned first, unsigned end) {
  cpu_set_t some;
  CPU_ZERO(&some);
  for (unsigned cpu = first; cpu < end; ++cpu) CPU_SET(cpu, &some);
  sched_setaffinity(0, sizeof(some), &some);
}

void MoveToSomeCpu(std::mt19937_64& random) {
  const auto cpu = static_cast<unsigned>(random() % CountCpus());
  RunOnCpus(cpu, cpu + 1);
  sched_yield();
  RunOnCpus(0, CountCpus());
}

// One reader has the other CPUs to itself: a grace period that preempts the
// reader it waits for takes milliseconds, and few rings come to serve.
bool KeepsCpusApart(const Options& options) {
  return options.readers == 1 && CountCpus() > 1;
}

Domain MakeDomain(const Options& options) {
  if (KeepsCpusApart(options)) RunOnCpus(0, 1);
  DomainOptions domain;
  domain.flavour = options.flavour;
  return DomainAccess::Create(domain, TwoPlaces()).value();
}

}  // namespace

struct Torture::ReaderState {
  Reader reader;
  std::mt19937_64 random;
  uint64_t last_epoch = 0;
  uint64_t lookups = 0;
};

Torture::Torture(const Options& options)
    : options_(options),
      answers_(options.seed),
      domain_(MakeDomain(options)),
      router_(Router::Create(domain_, {options.max_live}).value()) {}

void Torture::Fail(const std::string& what) {
  if (faults_.fetch_add(1) == 0) {
    std::fprintf(stderr, "router_torture: %s\n", what.c_str());
  }
  is_over_.store(true, std::memory_order_relaxed);
}

// Every answer is held against the ring of the epoch that it claims.
bool Torture::IsRight(ReaderState& state, const PublishedRing& ring,
                      uint64_t floor) {
  const uint64_t epoch = ring.epoch();
  if (epoch < floor || epoch < state.last_epoch) {
    Fail("epoch " + std::to_string(epoch) + " after " +
         std::to_string(std::max(floor, state.last_epoch)));
    return false;
  }
  state.last_epoch = epoch;
  if (epoch == 0) return true;
  if (ring.image()->epoch != epoch || ring.ring().epoch() != epoch) {
    Fail("the copy of epoch " + std::to_string(epoch) + " is of epoch " +
         std::to_string(ring.image()->epoch));
    return false;
  }
  for (size_t i = 0; i < kHashes; ++i) {
    const NodeIndex owner = ring.Owner(answers_.hash(i));
    if (owner != answers_.Owner(epoch, i)) {
      Fail("epoch " + std::to_string(epoch) + " answered " +
           std::to_string(owner) + " instead of " +
           std::to_string(answers_.Owner(epoch, i)));
      return false;
    }
  }
  state.lookups += kHashes;
  return true;
}

// What a real thread may do while it holds a pin.
void Torture::Misbehave(ReaderState& state, const Pin&) {
  const uint64_t dice = state.random() % 65536;
  if (dice == 0) {
    std::this_thread::sleep_for(
        std::chrono::microseconds(state.random() % 2000));
  } else if (dice < 16) {
    sched_yield();
  } else if (dice < 24 && !KeepsCpusApart(options_)) {
    MoveToSomeCpu(state.random);
  } else if (dice < 64) {
    const Pin inner(state.reader);
    IsRight(state, router_->Current(inner), state.last_epoch);
  }
}

bool Torture::ReadOnce(ReaderState& state) {
  {
    const uint64_t floor = newest_.load(std::memory_order_acquire);
    const Pin pin(state.reader);
    const PublishedRing& ring = router_->Current(pin);
    if (!IsRight(state, ring, floor)) return false;
    if (!options_.calm) {
      const uint64_t epoch = ring.epoch();
      Misbehave(state, pin);
      // The ring is held: whatever happened, it answers as before.
      state.last_epoch = epoch;
      if (!IsRight(state, ring, epoch)) return false;
    }
  }
  state.reader.Quiescent();
  if (!options_.calm && state.random() % 1024 == 0) {
    state.reader.Offline();
    if (state.random() % 8 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  return true;
}

// One life of a reader thread.
void Torture::ReadFor(ReaderState& state) {
  const auto end =
      Clock::now() + std::chrono::milliseconds(50 + state.random() % 150);
  while (!IsOver()) {
    for (int i = 0; i < 64; ++i) {
      if (!ReadOnce(state)) return;
    }
    if (!options_.calm && Clock::now() > end) return;
  }
}

void Torture::RunReader(unsigned number) {
  uint64_t life = 0;
  while (!IsOver()) {
    std::thread([&] {
      if (KeepsCpusApart(options_)) RunOnCpus(1, CountCpus());
      const std::string name = "reader-" + std::to_string(number);
      ReaderState state{domain_.Register(name).value(),
                        std::mt19937_64(options_.seed + number * 7919 + life),
                        0, 0};
      // Both copies are read, wherever the threads run.
      if (!state.reader.RebindToNode((number + life) % 2).ok()) std::abort();
      ReadFor(state);
      lookups_ += state.lookups;
    }).join();
    ++life;
    ++lives_;
  }
}

// Mostly one ring per grace period, as that makes most of them; in between, a
// burst that runs into max_live.
void Torture::RunWriter() {
  for (uint64_t epoch = 1; !IsOver(); ++epoch) {
    Ring ring = answers_.MakeRing(epoch, source_);
    const bool is_burst = epoch % 64 < 16;
    const auto done =
        is_burst
            ? router_->Publish(std::move(ring))
            : router_->PublishAndWait(
                  std::move(ring), Clock::now() + std::chrono::milliseconds(2));
    if (!done.ok()) {
      Fail("publishing: " + done.status().message());
      return;
    }
    if (done.value().outcome != Outcome::kHeldBack) {
      newest_.store(epoch, std::memory_order_release);
    }
    const uint32_t live = router_->stats().live;
    most_live_ = std::max(most_live_, live);
    if (live > options_.max_live) Fail(std::to_string(live) + " live rings");
  }
}

// Rings that must be refused, and builds that recycle blocks.
void Torture::RunFakeWriter() {
  RingOptions other;
  other.vnodes = 10;
  other.width = 32;
  other.seed = 1;
  const Ring remapped = RingBuilder::Create(other).value().Build().value();
  while (!IsOver()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const uint64_t newest = newest_.load();
    if (newest < 2 * Answers::kTemplates) continue;
    const uint64_t stale = newest - Answers::kTemplates;
    const auto refused = [&](Ring ring, Code code) {
      if (router_->Publish(std::move(ring)).status().code() != code) {
        Fail("a fake publish was not refused");
      }
      ++refused_;
    };
    refused(answers_.MakeRing(stale, source_), Code::kStaleEpoch);
    refused(remapped.Copy(0).value(), Code::kRemapRefused);
  }
}

bool Torture::Run() {
  const auto begin = Clock::now();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < options_.readers; ++i) {
    threads.emplace_back([this, i] { RunReader(i); });
  }
  threads.emplace_back([this] { RunWriter(); });
  threads.emplace_back([this] { RunFakeWriter(); });
  const auto end = begin + std::chrono::duration<double>(options_.seconds);
  while (!IsOver() && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  is_over_ = true;
  for (std::thread& thread : threads) thread.join();
  const double seconds =
      std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf(
      "router_torture flavour=%s readers=%u seconds=%.1f lookups=%llu "
      "rings=%llu replaced=%llu refused=%llu grace_periods=%llu lives=%llu "
      "max_live=%u most_live=%u faults=%llu\n",
      std::string(FlavourName(options_.flavour)).c_str(), options_.readers,
      seconds, static_cast<unsigned long long>(lookups_.load()),
      static_cast<unsigned long long>(router_->stats().published),
      static_cast<unsigned long long>(router_->stats().replaced),
      static_cast<unsigned long long>(refused_.load()),
      static_cast<unsigned long long>(domain_.grace_periods()),
      static_cast<unsigned long long>(lives_.load()), options_.max_live,
      most_live_, static_cast<unsigned long long>(faults_.load()));
  return faults_ == 0;
}

}  // namespace clockwise::torture
