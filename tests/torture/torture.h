// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Readers and writers that try to make a published ring answer wrong.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "answers.h"
#include "clockwise/clockwise.h"

namespace clockwise::torture {

struct Options {
  Flavour flavour = Flavour::kQsbr;
  double seconds = 15;
  unsigned readers = 1;
  uint32_t max_live = 3;
  uint64_t seed = 1;
  bool calm = false;  // no churn, stutter or shuffling of CPUs
};

class Torture {
 public:
  explicit Torture(const Options& options);

  // Returns whether no fault was seen. Prints one line of figures.
  bool Run();

 private:
  struct ReaderState;

  void ReadFor(ReaderState& state);
  bool ReadOnce(ReaderState& state);
  bool IsRight(ReaderState& state, const PublishedRing& ring, uint64_t floor);
  void Misbehave(ReaderState& state, const Pin& pin);
  void RunReader(unsigned number);
  void RunWriter();
  void RunFakeWriter();
  void Fail(const std::string& what);
  [[nodiscard]] bool IsOver() const {
    return is_over_.load(std::memory_order_relaxed);
  }

  const Options options_;
  const Answers answers_;
  PoisoningSource source_;
  Domain domain_;
  std::unique_ptr<Router> router_;
  // Of the newest ring that was seen to serve: no later load may be older.
  std::atomic<uint64_t> newest_{0};
  std::atomic<bool> is_over_{false};
  std::atomic<uint64_t> lookups_{0};
  std::atomic<uint64_t> lives_{0};  // of reader threads
  std::atomic<uint64_t> refused_{0};
  std::atomic<uint64_t> faults_{0};
  uint32_t most_live_ = 0;
};

}  // namespace clockwise::torture
