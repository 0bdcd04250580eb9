// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/plan.h"

#include <algorithm>
#include <map>
#include <new>

#include "base/out_of_memory.h"
#include "placement/arcs.h"
#include "plan/plan_maker.h"

namespace clockwise {
namespace {

Status Differ(const std::string& what, const std::string& a,
              const std::string& b) {
  return {Code::kInvalidOptions,
          "the rings differ in " + what + " (" + a + " and " + b +
              "): an arc of one is of other keys in the other"};
}

// The number of the first of `count` ascending ends at or after `hash`.
size_t FirstAtOrAfter(const uint64_t* ends, size_t count, uint64_t hash) {
  const uint64_t* base = ends;
  while (count > 1) {  // without a branch that could be guessed wrong
    const size_t half = count / 2;
    base = base[half - 1] < hash ? base + half : base;
    count -= half;
  }
  const size_t past = count == 1 && *base < hash ? 1 : 0;
  return static_cast<size_t>(base - ends) + past;
}

}  // namespace

std::string ToDecimal(HashCount hashes) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(hashes % 10));
    hashes /= 10;
  } while (hashes != 0);
  std::ranges::reverse(digits);
  return digits;
}

Status CheckComparable(const Ring& before, const Ring& after) {
  if (before.width() != after.width()) {
    return Differ("width", std::to_string(before.width()),
                  std::to_string(after.width()));
  }
  const auto function_of = [](const Ring& ring) {
    return std::string(KeyFunctionName(ring.key_hash(), ring.width()));
  };
  if (function_of(before) != function_of(after)) {
    return Differ("key hash", function_of(before), function_of(after));
  }
  if (before.seed() != after.seed()) {
    return Differ("seed", std::to_string(before.seed()),
                  std::to_string(after.seed()));
  }
  return {};
}

Result<MigrationPlan> MigrationPlan::Create(const Ring& before,
                                            const Ring& after,
                                            const PlanOptions& options) try {
  if (options.replicas < 1 || options.replicas > kMaxPlanReplicas) {
    return Status(Code::kInvalidOptions,
                  "replicas " + std::to_string(options.replicas) + "; 1 to " +
                      std::to_string(kMaxPlanReplicas));
  }
  if (Status status = CheckComparable(before, after); !status.ok()) {
    return status;
  }
  PlanMaker maker(before, after, options.replicas);
  if (!maker.Run()) {
    return Status(Code::kTooManyPoints, "more than 4294967294 ranges move");
  }
  return std::move(maker).End();
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

std::vector<PairChange> MigrationPlan::ByPair() const {
  std::map<std::pair<uint32_t, uint32_t>, PairChange> pairs;
  for (const Move& move : moves_) {
    PairChange& pair = pairs[{move.from, move.to}];
    pair.from = move.from;
    pair.to = move.to;
    pair.hashes += move.width();
    ++pair.moves;
  }
  std::vector<PairChange> list;
  for (const auto& [nodes, pair] : pairs) list.push_back(pair);
  return list;
}

uint32_t MigrationPlan::MoveOf(uint64_t hash, uint32_t replica) const noexcept {
  if (replica < 1 || replica > replicas_) return kNoMove;
  const uint32_t begin = lane_begins_[replica - 1];
  const uint32_t end = lane_begins_[replica];
  if (begin == end) return kNoMove;
  const uint32_t* bucket = BucketOf(hash, replica);
  const auto first = static_cast<uint32_t>(
      bucket[0] +
      FirstAtOrAfter(ends_.data() + bucket[0], bucket[1] - bucket[0], hash));
  // Past the last end is the range over the end of the circle, if it is one.
  const uint32_t found = first < end ? first : begin;
  const uint64_t unused = width_ == 32 ? 0xFFFFFFFF : 0;
  return moves_[found].Contains(hash & ~unused) ? found : kNoMove;
}

void MigrationPlan::MovesOf(const uint64_t* hashes, size_t count,
                            uint32_t* moves, uint32_t replica) const noexcept {
  const bool is_any = replica >= 1 && replica <= replicas_;
  // What a block reads is asked for before it is read: bucket, then range.
  constexpr size_t kBlock = 32;
  for (size_t i = 0; i < count; i += kBlock) {
    const size_t end = std::min(count, i + kBlock);
    for (size_t j = i; is_any && j < end; ++j) {
      __builtin_prefetch(BucketOf(hashes[j], replica));
    }
    for (size_t j = i; is_any && j < end; ++j) {
      const uint32_t first = *BucketOf(hashes[j], replica);
      __builtin_prefetch(ends_.data() + first);
      __builtin_prefetch(moves_.data() + first);
    }
    for (size_t j = i; j < end; ++j) moves[j] = MoveOf(hashes[j], replica);
  }
}

}  // namespace clockwise
