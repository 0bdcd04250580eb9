// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/hot_keys.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "base/out_of_memory.h"

namespace clockwise {
namespace {

uint64_t SumOf(uint64_t a, uint64_t b) noexcept {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

Status CheckOptions(const HotKeyOptions& options) {
  if (options.counters < 1 || options.counters > 65536) {
    return {Code::kInvalidOptions,
            "hot keys: " + std::to_string(options.counters) +
                " counters; 1 to 65536"};
  }
  if (options.shown_bytes > 255) {
    return {Code::kInvalidOptions,
            "hot keys: " + std::to_string(options.shown_bytes) +
                " shown bytes; 0 to 255"};
  }
  return {};
}

// Distinct keys and how often they came. The least count is at the root of a
// heap, so that a new key takes its place; a table finds keys by their hash.
struct Counter {
  Hash128 hash;
  uint64_t count;
  uint64_t error;
  uint64_t size;  // of the key
  uint32_t heap;  // its place in the heap
};

}  // namespace

struct HotKeySketch::Core {
  explicit Core(const HotKeyOptions& of)
      : options(of),
        counters(of.counters),
        heap(of.counters),
        shown(size_t{of.counters} * of.shown_bytes),
        table(TableSize(of.counters), kFree) {}

  static constexpr uint32_t kFree = UINT32_MAX;
  static size_t TableSize(uint32_t counters) {
    size_t size = 4;
    while (size < 2 * size_t{counters}) size *= 2;
    return size;
  }

  [[nodiscard]] size_t HomeOf(Hash128 hash) const {
    return hash.low & (table.size() - 1);
  }
  // The table's place of the hash, or the free one where it would be.
  [[nodiscard]] size_t PlaceOf(Hash128 hash) const {
    size_t at = HomeOf(hash);
    while (table[at] != kFree && !(counters[table[at]].hash == hash)) {
      at = (at + 1) & (table.size() - 1);
    }
    return at;
  }
  void RemoveFromTable(Hash128 hash);
  void Swap(uint32_t a, uint32_t b);
  void SiftDown(uint32_t at);
  void SiftUp(uint32_t at);
  void Show(uint32_t counter, std::string_view key);
  void Count(Hash128 hash, std::string_view shown, uint64_t size,
             uint64_t times, uint64_t error);
  [[nodiscard]] HotKey At(uint32_t counter) const;
  [[nodiscard]] std::vector<HotKey> All() const;
  // What a key that has no counter came at most.
  [[nodiscard]] uint64_t Least() const {
    return used < options.counters ? 0 : counters[heap[0]].count;
  }

  HotKeyOptions options;
  uint32_t used = 0;
  uint64_t total = 0;
  std::vector<Counter> counters;
  std::vector<uint32_t> heap;  // of `used` counters, the least first
  std::vector<char> shown;
  std::vector<uint32_t> table;  // linear probing
};

// Moves up what would not be found any more.
void HotKeySketch::Core::RemoveFromTable(Hash128 hash) {
  size_t gap = PlaceOf(hash);
  const size_t mask = table.size() - 1;
  for (size_t at = (gap + 1) & mask; table[at] != kFree; at = (at + 1) & mask) {
    const size_t home = HomeOf(counters[table[at]].hash);
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    table[gap] = table[at];
    gap = at;
  }
  table[gap] = kFree;
}

void HotKeySketch::Core::Swap(uint32_t a, uint32_t b) {
  std::swap(heap[a], heap[b]);
  counters[heap[a]].heap = a;
  counters[heap[b]].heap = b;
}

void HotKeySketch::Core::SiftDown(uint32_t at) {
  while (true) {
    uint32_t least = at;
    for (uint32_t child = 2 * at + 1; child <= 2 * at + 2; ++child) {
      if (child < used &&
          counters[heap[child]].count < counters[heap[least]].count) {
        least = child;
      }
    }
    if (least == at) return;
    Swap(at, least);
    at = least;
  }
}

void HotKeySketch::Core::SiftUp(uint32_t at) {
  while (at > 0) {
    const uint32_t parent = (at - 1) / 2;
    if (counters[heap[parent]].count <= counters[heap[at]].count) return;
    Swap(at, parent);
    at = parent;
  }
}

void HotKeySketch::Core::Show(uint32_t counter, std::string_view key) {
  const size_t bytes = std::min<size_t>(key.size(), options.shown_bytes);
  if (bytes == 0) return;
  std::memcpy(shown.data() + size_t{counter} * options.shown_bytes, key.data(),
              bytes);
}

void HotKeySketch::Core::Count(Hash128 hash, std::string_view key,
                               uint64_t size, uint64_t times, uint64_t error) {
  const size_t place = PlaceOf(hash);
  if (table[place] != kFree) {
    Counter& counter = counters[table[place]];
    counter.count = SumOf(counter.count, times);
    counter.error = SumOf(counter.error, error);
    SiftDown(counter.heap);
    return;
  }
  if (used < options.counters) {
    const uint32_t counter = used++;
    counters[counter] = {hash, times, error, size, counter};
    heap[counter] = counter;
    table[place] = counter;
    Show(counter, key);
    SiftUp(counter);
    return;
  }
  // The least counted one gives way: the new key may have come as often.
  const uint32_t counter = heap[0];
  const uint64_t least = counters[counter].count;
  RemoveFromTable(counters[counter].hash);
  counters[counter] = {hash, SumOf(least, times), SumOf(least, error), size, 0};
  table[PlaceOf(hash)] = counter;
  Show(counter, key);
  SiftDown(0);
}

HotKey HotKeySketch::Core::At(uint32_t counter) const {
  const Counter& of = counters[counter];
  const size_t bytes = std::min<uint64_t>(of.size, options.shown_bytes);
  return {
      std::string(shown.data() + size_t{counter} * options.shown_bytes, bytes),
      of.size, of.hash, of.count, of.error};
}

std::vector<HotKey> HotKeySketch::Core::All() const {
  std::vector<HotKey> all;
  for (uint32_t i = 0; i < used; ++i) all.push_back(At(i));
  std::sort(all.begin(), all.end(), [](const HotKey& a, const HotKey& b) {
    if (a.count != b.count) return a.count > b.count;
    return std::pair(a.hash.high, a.hash.low) <
           std::pair(b.hash.high, b.hash.low);
  });
  return all;
}

HotKeySketch::HotKeySketch(std::unique_ptr<Core> core) noexcept
    : core_(std::move(core)) {}
HotKeySketch::HotKeySketch(HotKeySketch&&) noexcept = default;
HotKeySketch& HotKeySketch::operator=(HotKeySketch&&) noexcept = default;
HotKeySketch::~HotKeySketch() = default;

Result<HotKeySketch> HotKeySketch::Create(const HotKeyOptions& options) try {
  if (Status refused = CheckOptions(options); !refused.ok()) return refused;
  return HotKeySketch(std::make_unique<Core>(options));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void HotKeySketch::Add(std::string_view key, uint64_t times) noexcept {
  if (times == 0) return;
  core_->total = SumOf(core_->total, times);
  core_->Count(Xxh3_128(key, 0), key, key.size(), times, 0);
}

uint64_t HotKeySketch::total() const noexcept { return core_->total; }

std::vector<HotKey> HotKeySketch::Top(size_t most) const {
  std::vector<HotKey> all = core_->All();
  if (all.size() > most) all.resize(most);
  return all;
}

std::vector<HotKey> HotKeySketch::Above(uint32_t percent) const {
  __extension__ using Wide = unsigned __int128;
  std::vector<HotKey> all = core_->All();
  std::erase_if(all, [&](const HotKey& key) {
    return Wide{key.count - key.error} * 100 <= Wide{core_->total} * percent;
  });
  return all;
}

// Each side may have dropped what the other has: as often, at most, as its
// least counter says (Agarwal et al., "Mergeable Summaries", 2013).
Status HotKeySketch::Merge(const HotKeySketch& other) try {
  const HotKeyOptions& own = core_->options;
  const HotKeyOptions& its = other.core_->options;
  if (own.counters != its.counters || own.shown_bytes != its.shown_bytes) {
    return {Code::kInvalidOptions, "hot keys: sketches of other sizes"};
  }
  struct Merged {
    Counter counter;
    const Core* from;  // whose text it has
    uint32_t index;
  };
  std::vector<Merged> merged;
  const uint64_t own_least = core_->Least();
  const uint64_t its_least = other.core_->Least();
  for (uint32_t i = 0; i < core_->used; ++i) {
    Counter counter = core_->counters[i];
    const uint32_t there =
        other.core_->table[other.core_->PlaceOf(counter.hash)];
    const bool is_there = there != Core::kFree;
    const uint64_t count =
        is_there ? other.core_->counters[there].count : its_least;
    const uint64_t error =
        is_there ? other.core_->counters[there].error : its_least;
    counter.count = SumOf(counter.count, count);
    counter.error = SumOf(counter.error, error);
    merged.push_back({counter, core_.get(), i});
  }
  for (uint32_t i = 0; i < other.core_->used; ++i) {
    Counter counter = other.core_->counters[i];
    if (core_->table[core_->PlaceOf(counter.hash)] != Core::kFree) continue;
    counter.count = SumOf(counter.count, own_least);
    counter.error = SumOf(counter.error, own_least);
    merged.push_back({counter, other.core_.get(), i});
  }
  std::sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) {
    return a.counter.count > b.counter.count;
  });
  if (merged.size() > own.counters) merged.resize(own.counters);
  auto next = std::make_unique<Core>(own);
  next->total = SumOf(core_->total, other.core_->total);
  for (const Merged& each : merged) {
    const std::string_view text(
        each.from->shown.data() + size_t{each.index} * own.shown_bytes,
        std::min<uint64_t>(each.counter.size, own.shown_bytes));
    next->Count(each.counter.hash, text, each.counter.size, each.counter.count,
                each.counter.error);
  }
  core_ = std::move(next);
  return {};
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

// Rounded up, so that no count falls below what it stands for.
void HotKeySketch::Halve() noexcept {
  const auto half = [](uint64_t n) { return n - n / 2; };
  core_->total = half(core_->total);
  for (uint32_t i = 0; i < core_->used; ++i) {
    core_->counters[i].count = half(core_->counters[i].count);
    core_->counters[i].error = half(core_->counters[i].error);
  }
}

void HotKeySketch::Clear() noexcept {
  core_->total = 0;
  core_->used = 0;
  std::fill(core_->table.begin(), core_->table.end(), Core::kFree);
}

SplitKey::SplitKey(std::string_view key, uint32_t parts)
    : size_(key.size()), parts_(std::max<uint32_t>(parts, 1)) {
  constexpr size_t kSuffix = 1 + std::numeric_limits<uint32_t>::digits10 + 1;
  text_.reserve(key.size() + kSuffix);
  text_ = key;
}

std::string_view SplitKey::Part(uint32_t i) noexcept {
  i %= parts_;
  text_.resize(size_);
  if (i == 0) return text_;
  char digits[16];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, i);
  text_ += '#';
  text_.append(digits, end);
  return text_;
}

}  // namespace clockwise
