// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/metrics.h"

#include <mutex>
#include <new>
#include <unordered_map>

#include "base/align.h"
#include "base/out_of_memory.h"
#include "clockwise/block_source.h"

namespace clockwise {
namespace {

using detail::AddSaturating;
using detail::CountWord;
using detail::kNodeWordsAt;
using Sums = std::vector<uint64_t>;

// kNoNode and the slots beyond have a word each as well.
size_t WordsOf(uint32_t slots) { return kNodeWordsAt + slots + 2; }

// What a slot had when its node got it, in sums of all threads.
struct Slot {
  std::string id;        // empty: nobody's
  uint64_t carried = 0;  // counted of its node before, in whichever slot
  uint64_t base = 0;     // the slot's sum at the last change

  [[nodiscard]] uint64_t CountAt(uint64_t sum) const {
    return AddSaturating(carried, sum - base);
  }
};

void AddWords(const CountWord* words, Sums& sums) {
  for (size_t i = 0; i < sums.size(); ++i) {
    // Relaxed: each counter by itself; its own values never go back.
    sums[i] = AddSaturating(sums[i], words[i].load(std::memory_order_relaxed));
  }
}

CountWord* WordsIn(const Block& block) {
  return static_cast<CountWord*>(block.data());
}

}  // namespace

struct CountCollector::Core {
  explicit Core(uint32_t max_slots)
      : slot_count(max_slots), slots(max_slots), ended(WordsOf(max_slots), 0) {}

  const uint32_t slot_count;

  // The lock is held in all that follows.
  [[nodiscard]] Sums Sum() const {
    Sums sums = ended;
    for (const Block& block : blocks) AddWords(WordsIn(block), sums);
    return sums;
  }
  [[nodiscard]] bool Has(const Ring& ring) const;
  void Assign(const Ring& ring, const Sums& sums);
  void End(const CountWord* words) noexcept;

  mutable std::mutex mutex;
  std::vector<Slot> slots;    // so many
  Hash128 digest;             // of the ring that they are of
  uint64_t departed = 0;      // until the last change
  Sums ended;                 // of threads that are no more
  std::vector<Block> blocks;  // of those that are
};

// Whether the slots are this ring's already.
bool CountCollector::Core::Has(const Ring& ring) const {
  if (ring.digest() != digest) return false;
  for (NodeIndex slot = 0; slot < slots.size(); ++slot) {
    if (ring.node(slot).id != slots[slot].id) return false;
  }
  return true;
}

void CountCollector::Core::Assign(const Ring& ring, const Sums& sums) {
  const uint64_t* sum = sums.data() + kNodeWordsAt + 1;
  std::unordered_map<std::string_view, NodeIndex> before;
  for (NodeIndex slot = 0; slot < slots.size(); ++slot) {
    if (!slots[slot].id.empty()) before.emplace(slots[slot].id, slot);
  }
  uint64_t left = departed;
  std::vector<Slot> next(slots.size());
  for (NodeIndex slot = 0; slot < next.size(); ++slot) {
    next[slot].base = sum[slot];
    next[slot].id = ring.node(slot).id;
    const auto it = before.find(next[slot].id);
    if (it == before.end()) continue;
    next[slot].carried = slots[it->second].CountAt(sum[it->second]);
    before.erase(it);
  }
  for (NodeIndex slot = 0; slot < slots.size(); ++slot) {
    const bool has_left =
        slots[slot].id.empty() || before.contains(slots[slot].id);
    if (has_left) left = AddSaturating(left, slots[slot].CountAt(sum[slot]));
  }
  before.clear();  // its keys are of the slots that go
  departed = left;
  slots = std::move(next);
  digest = ring.digest();
}

// Adds what a thread counted to what is kept, and forgets the thread.
void CountCollector::Core::End(const CountWord* words) noexcept {
  const std::lock_guard lock(mutex);
  AddWords(words, ended);
  std::erase_if(
      blocks, [words](const Block& block) { return WordsIn(block) == words; });
}

// A thread's words belong to the core, and go when the thread does.
struct CountCollector::Thread::Joined {
  Joined(std::shared_ptr<Core> of, const CountWord* its)
      : core(std::move(of)), words(its) {}
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;
  ~Joined() { core->End(words); }

  std::shared_ptr<Core> core;
  const CountWord* words;
};

CountCollector::Thread::Thread(std::unique_ptr<Joined> joined, CountWord* words,
                               uint32_t slots) noexcept
    : nodes_(words + kNodeWordsAt),
      beyond_(slots + 1),
      joined_(std::move(joined)) {}
CountCollector::Thread::Thread(Thread&&) noexcept = default;
CountCollector::Thread& CountCollector::Thread::operator=(Thread&&) noexcept =
    default;
CountCollector::Thread::~Thread() = default;

CountCollector::CountCollector(std::shared_ptr<Core> core) noexcept
    : core_(std::move(core)) {}
CountCollector::CountCollector(CountCollector&&) noexcept = default;
CountCollector& CountCollector::operator=(CountCollector&&) noexcept = default;
CountCollector::~CountCollector() = default;

Result<CountCollector> CountCollector::Create(uint32_t max_slots) try {
  if (max_slots == 0 || max_slots > kMaxNodes) {
    return Status(Code::kInvalidOptions,
                  "counts: " + std::to_string(max_slots) + " slots; 1 to " +
                      std::to_string(kMaxNodes));
  }
  return CountCollector(std::make_shared<Core>(max_slots));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<CountCollector::Thread> CountCollector::Join() try {
  const uint32_t slots = core_->slot_count;
  // Whole lines, so that no other thread's words share the last one.
  Block block = Block::Acquire(
      DefaultBlockSource(), RoundUpToLine(WordsOf(slots) * sizeof(CountWord)));
  if (block.data() == nullptr) return OutOfMemory();
  CountWord* words = WordsIn(block);
  for (size_t i = 0; i < WordsOf(slots); ++i) new (words + i) CountWord(0);
  auto joined = std::make_unique<Thread::Joined>(core_, words);
  const std::lock_guard lock(core_->mutex);
  core_->blocks.push_back(std::move(block));
  return Thread(std::move(joined), words, slots);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status CountCollector::Track(const Ring& ring) try {
  Core& core = *core_;
  const std::lock_guard lock(core.mutex);
  if (ring.slot_count() > core.slot_count) {
    return {Code::kTooManyNodes,
            "counts: a ring of " + std::to_string(ring.slot_count()) +
                " slots; at most " + std::to_string(core.slot_count)};
  }
  if (!core.Has(ring)) core.Assign(ring, core.Sum());
  return {};
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Counts CountCollector::Read() const {
  const Core& core = *core_;
  Counts counts;
  const std::lock_guard lock(core.mutex);
  const Sums sums = core.Sum();
  const uint64_t* nodes = sums.data() + kNodeWordsAt + 1;
  counts.digest = core.digest;
  counts.unowned = sums[kNodeWordsAt];
  counts.untracked = sums.back();
  counts.departed = core.departed;
  for (NodeIndex slot = 0; slot < core.slots.size(); ++slot) {
    const Slot& of = core.slots[slot];
    const uint64_t count = of.CountAt(nodes[slot]);
    if (of.id.empty()) {
      counts.departed = AddSaturating(counts.departed, count);
    } else {
      counts.nodes.push_back({of.id, count, nodes[slot] - of.base});
    }
  }
  std::ranges::sort(counts.nodes, {}, &NodeCount::id);
  counts.spilled = sums[detail::kSpilledTally];
  counts.spills = sums[detail::kSpillsTally];
  std::copy_n(&sums[detail::kDriftTallies], kDriftCount, counts.drifts.begin());
  std::copy_n(&sums[detail::kOutcomeTallies], kOutcomeCount,
              counts.outcomes.begin());
  return counts;
}

}  // namespace clockwise
