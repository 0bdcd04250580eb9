// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A small cache of one thread, for the few keys that are too hot to be asked
// for each time (HotKeySketch finds them): the reads that it answers reach no
// node at all.
//
//   auto cache = KeyCache<std::string>::Create({}).value();   // each thread's
//   …
//   if (const std::string* value = cache.Find(key, hash, ring.epoch(), now)) …
//   else if (is_hot(key)) cache.Put(key, hash, ring.epoch(), now, fetched);
//
// What it holds is as old as `max_age` at most, and of the epoch that it was
// asked under: after a change of the ring it is fetched anew.
#pragma once

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clockwise/status.h"

namespace clockwise {

struct KeyCacheOptions {
  // Keys held at a time, a power of two from 4 to 65,536. A key has four places
  // where it may be.
  uint32_t entries = 64;
  // How old an answer may be; above 0.
  std::chrono::nanoseconds max_age = std::chrono::milliseconds(100);
};

// One thread at a time. Times are of a monotonic clock.
template <typename Value>
class KeyCache {
 public:
  using Duration = std::chrono::nanoseconds;

  // kInvalidOptions, naming the option and its limits; kOutOfMemory.
  static Result<KeyCache> Create(const KeyCacheOptions& options = {}) try {
    if (options.entries < kWays || options.entries > 65536 ||
        !std::has_single_bit(options.entries)) {
      return Status(Code::kInvalidOptions, "key cache: entries " +
                                               std::to_string(options.entries) +
                                               "; a power of two, 4 to 65536");
    }
    if (options.max_age <= Duration::zero()) {
      return Status(Code::kInvalidOptions,
                    "key cache: max_age " +
                        std::to_string(options.max_age.count()) +
                        " ns; above 0");
    }
    return KeyCache(options);
  } catch (const std::bad_alloc&) {
    return Status(Code::kOutOfMemory, "out of memory");
  }

  // The value that was put for `key`, whose hash is `hash`; null if there is
  // none, or none of this epoch, or it is too old. Valid until the next Put or
  // Clear. Allocates nothing; four loads where the key is not there.
  [[nodiscard]] const Value* Find(std::string_view key, uint64_t hash,
                                  uint64_t epoch, Duration now) noexcept {
    Entry* entry = Of(key, hash);
    if (entry == nullptr || entry->epoch != epoch ||
        now - entry->put >= options_.max_age || now < entry->put) {
      return nullptr;
    }
    entry->used = ++clock_;
    return &entry->value;
  }

  // Keeps a value, in the place of the key's old one, or of the one of its four
  // that was found least lately. May throw what copying keys and values does,
  // and then holds neither.
  void Put(std::string_view key, uint64_t hash, uint64_t epoch, Duration now,
           Value value) {
    Entry* entry = Of(key, hash);
    if (entry == nullptr) {
      entry = Oldest(hash);
      entry->is_used = false;
      entry->key.assign(key);
    }
    entry->value = std::move(value);
    entry->hash = hash;
    entry->epoch = epoch;
    entry->put = now;
    entry->used = ++clock_;
    entry->is_used = true;
  }

  // Forgets `key`, as after a write of it.
  void Erase(std::string_view key, uint64_t hash) noexcept {
    if (Entry* entry = Of(key, hash)) entry->is_used = false;
  }
  void Clear() noexcept {
    for (Entry& entry : entries_) entry.is_used = false;
  }

 private:
  static constexpr uint32_t kWays = 4;
  struct Entry {
    uint64_t hash = 0;
    uint64_t epoch = 0;
    uint64_t used = 0;
    Duration put{};
    bool is_used = false;
    std::string key;
    Value value{};
  };

  explicit KeyCache(const KeyCacheOptions& options)
      : options_(options), entries_(options.entries) {}

  // The first of the four entries where the key may be. Hashes of 32 bits have
  // zeros below: all bits take part.
  [[nodiscard]] Entry* Set(uint64_t hash) noexcept {
    const uint64_t sets = entries_.size() / kWays;
    return &entries_[(hash * 0x9E3779B97F4A7C15u >> 32) % sets * kWays];
  }
  [[nodiscard]] Entry* Of(std::string_view key, uint64_t hash) noexcept {
    Entry* set = Set(hash);
    for (Entry* e = set; e != set + kWays; ++e) {
      if (e->is_used && e->hash == hash && e->key == key) return e;
    }
    return nullptr;
  }
  [[nodiscard]] Entry* Oldest(uint64_t hash) noexcept {
    Entry* set = Set(hash);
    Entry* oldest = set;
    for (Entry* e = set; e != set + kWays; ++e) {
      if (!e->is_used) return e;
      if (e->used < oldest->used) oldest = e;
    }
    return oldest;
  }

  KeyCacheOptions options_;
  std::vector<Entry> entries_;
  uint64_t clock_ = 0;
};

}  // namespace clockwise
