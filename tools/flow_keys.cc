// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "flow_keys.h"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace clockwise::tool {
namespace {

template <typename Keys>
void AddTo(Keys& keys, std::string_view bytes) {
  std::memcpy(keys.emplace_back().data(), bytes.data(), bytes.size());
}

template <typename Keys>
Keys DistinctOf(Keys keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

template <typename Keys, typename Use>
void SteerAll(const Ring& ring, const Keys& keys, Use use) {
  constexpr size_t kBatch = 256;
  constexpr size_t kBytes = sizeof(typename Keys::value_type);
  NodeIndex cores[kBatch];
  for (size_t first = 0; first < keys.size(); first += kBatch) {
    const size_t count = std::min(kBatch, keys.size() - first);
    ring.Owners({&keys[first], kBytes, kBytes, count}, cores);
    use(cores, count);
  }
}

double Nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 +
         static_cast<double>(now.tv_nsec);
}

}  // namespace

void FlowKeys::Add(const FlowKey& key) {
  const std::string_view bytes = key.bytes();
  if (bytes.size() == kFlowKeyV4Bytes) return AddTo(v4_, bytes);
  AddTo(v6_, bytes);
}

FlowKeys FlowKeys::Distinct() const {
  FlowKeys keys;
  keys.v4_ = DistinctOf(v4_);
  keys.v6_ = DistinctOf(v6_);
  return keys;
}

template <typename Use>
void FlowKeys::Steer(const Ring& ring, Use use) const {
  SteerAll(ring, v4_, use);
  SteerAll(ring, v6_, use);
}

std::vector<uint64_t> FlowKeys::CountByCore(const Ring& ring) const {
  std::vector<uint64_t> counts(ring.slot_count(), 0);
  Steer(ring, [&counts](const NodeIndex* cores, size_t count) {
    for (size_t i = 0; i < count; ++i) ++counts[cores[i]];
  });
  return counts;
}

double FlowKeys::NanosecondsPerKey(const Ring& ring) const {
  constexpr double kLeast = 2e8;
  constexpr size_t kLeastKeys = 1 << 16;  // between two looks at the clock
  const size_t passes = kLeastKeys / size() + 1;
  const auto use = [](const NodeIndex* cores, size_t) {
    asm volatile("" : : "r"(cores) : "memory");  // keeps the answers alive
  };
  Steer(ring, use);  // warms the caches
  size_t keys = 0;
  const double begin = Nanoseconds();
  double spent = 0;
  while (spent < kLeast) {
    for (size_t i = 0; i < passes; ++i) Steer(ring, use);
    keys += passes * size();
    spent = Nanoseconds() - begin;
  }
  return spent / static_cast<double>(keys);
}

}  // namespace clockwise::tool
