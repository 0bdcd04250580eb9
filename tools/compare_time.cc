// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compare_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "failure.h"

namespace clockwise::tool {
namespace {

constexpr double kLeastNs = 1e6;  // of one measurement

using Keys = std::vector<std::string_view>;
using Owners = std::vector<NodeIndex>;

double CpuNs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 +
         static_cast<double>(now.tv_nsec);
}

void AskEach(const AnyPlacement& placement, const Keys& keys, Owners& owners) {
  for (size_t i = 0; i < keys.size(); ++i) owners[i] = placement.Owner(keys[i]);
}

void AskAll(const AnyPlacement& placement, const Keys& keys, Owners& owners) {
  placement.Owners(keys.data(), keys.size(), owners.data());
}

using Ask = void (*)(const AnyPlacement&, const Keys&, Owners&);

// One way to ask one placement.
struct Timed {
  const AnyPlacement* placement;
  Ask ask;
  int repeats = 1;
  std::vector<double> rounds = {};  // ns a key

  void Run(const Keys& keys, Owners& owners) {
    const double begin = CpuNs();
    for (int i = 0; i < repeats; ++i) ask(*placement, keys, owners);
    const double taken = CpuNs() - begin;
    rounds.push_back(taken / repeats / static_cast<double>(keys.size()));
  }
  // Repeats it so often that the clock's own steps do not matter.
  void Calibrate(const Keys& keys, Owners& owners) {
    Run(keys, owners);
    const double once = rounds.back() * static_cast<double>(keys.size());
    repeats = static_cast<int>(
        std::clamp(std::ceil(kLeastNs / std::max(once, 1.0)), 1.0, 1e6));
    rounds.clear();
  }
  [[nodiscard]] double Median() {
    std::ranges::sort(rounds);
    return rounds[rounds.size() / 2];
  }
};

void CheckThatTheyAgree(const AnyPlacement& placement, const Keys& keys) {
  Owners single(keys.size());
  Owners batch(keys.size());
  AskEach(placement, keys, single);
  AskAll(placement, keys, batch);
  if (single == batch) return;
  throw Failure(Exit::kRefused,
                fmt::format("{}: a batch has other owners than single lookups",
                            placement.scheme()));
}

}  // namespace

void TimedKeys::Add(std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    const bool is_full = keys_.size() == kMost || bytes_ >= kMostBytes;
    if (is_full && !keys_.empty()) return;
    keys_.emplace_back(key);
    bytes_ += key.size();
  }
}

std::vector<std::string_view> TimedKeys::Views() const {
  return {keys_.begin(), keys_.end()};
}

std::vector<LookupTime> TimeLookups(
    const std::vector<const AnyPlacement*>& placements, const TimedKeys& keys) {
  const Keys views = keys.Views();
  Owners owners(views.size());
  std::vector<Timed> all;
  for (const AnyPlacement* placement : placements) {
    CheckThatTheyAgree(*placement, views);
    for (const Ask ask : {AskEach, AskAll}) {
      all.push_back({placement, ask});
      all.back().Calibrate(views, owners);
    }
  }
  for (int round = 0; round < kTimedRounds; ++round) {
    for (Timed& each : all) each.Run(views, owners);
  }
  std::vector<LookupTime> times;
  for (size_t i = 0; i < all.size(); i += 2) {
    times.push_back({all[i].Median(), all[i + 1].Median()});
  }
  return times;
}

}  // namespace clockwise::tool
