// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Which keys many ask for, and what to do about them. A ring puts each key on
// one node, however many ask for it; these find the keys that are more than a
// node's share, and spread them.
//
// Found by the space-saving sketch (Metwally, Agrawal and El Abbadi, "Efficient
// Computation of Frequent and Top-k Elements in Data Streams", 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/hash.h"
#include "clockwise/node.h"
#include "clockwise/status.h"

namespace clockwise {

// A key of a sketch. It came between count - error and count times.
struct HotKey {
  std::string key;  // its first bytes, as many as the sketch keeps
  size_t size = 0;  // of the key itself
  Hash128 hash;     // XXH3-128 of the key: what tells keys apart
  uint64_t count = 0;
  uint64_t error = 0;
};

struct HotKeyOptions {
  // Keys counted at a time, 1 to 65,536: each key that is more than one in so
  // many is found, and no count is too high by more than one in so many of all.
  uint32_t counters = 256;
  // Bytes of a key that are kept to show it, 0 to 255.
  uint32_t shown_bytes = 63;
};

// Counts keys of one thread. Memory is fixed: some 128 bytes a counter.
class HotKeySketch {
 public:
  // kInvalidOptions, kOutOfMemory.
  CW_API static Result<HotKeySketch> Create(const HotKeyOptions& options = {});
  CW_API HotKeySketch(HotKeySketch&&) noexcept;
  CW_API HotKeySketch& operator=(HotKeySketch&&) noexcept;
  CW_API ~HotKeySketch();

  // Counts a key, any bytes. O(log counters); allocates nothing.
  CW_API void Add(std::string_view key, uint64_t times = 1) noexcept;

  // All that was added. Saturates, as counts do.
  [[nodiscard]] CW_API uint64_t total() const noexcept;
  // The keys with the highest counts, at most `most`; equal ones by hash. May
  // throw std::bad_alloc.
  [[nodiscard]] CW_API std::vector<HotKey> Top(size_t most) const;
  // Those that are certain to be more than `percent` of all: their lowest count
  // is. The same order.
  [[nodiscard]] CW_API std::vector<HotKey> Above(uint32_t percent) const;

  // Adds what another sketch of as many counters and shown bytes has counted
  // (kInvalidOptions for others). Bounds add up: of all that both were given,
  // as if one had been given it.
  CW_API Status Merge(const HotKeySketch& other);
  // Halves all counts, so that what was long ago fades.
  CW_API void Halve() noexcept;
  CW_API void Clear() noexcept;

 private:
  struct Core;
  explicit HotKeySketch(std::unique_ptr<Core> core) noexcept;

  std::unique_ptr<Core> core_;
};

// Sketches of several threads, brought together. A thread that counts hands its
// sketch over, whole, and goes on with an empty one: no lock, no shared write
// but one pointer each time.
class HotKeyCollector {
 public:
  // kInvalidOptions, kOutOfMemory.
  CW_API static Result<HotKeyCollector> Create(
      const HotKeyOptions& options = {});
  CW_API HotKeyCollector(HotKeyCollector&&) noexcept;
  CW_API HotKeyCollector& operator=(HotKeyCollector&&) noexcept;
  // No Thread of it may be left.
  CW_API ~HotKeyCollector();

  // The counting end of one thread.
  class Thread {
   public:
    CW_API Thread(Thread&&) noexcept;
    CW_API Thread& operator=(Thread&&) noexcept;
    // What it has counted and not handed over is lost.
    CW_API ~Thread();
    // Counts a key; hands over once in `period` of them. Allocates nothing.
    CW_API void Add(std::string_view key) noexcept;

   private:
    friend class HotKeyCollector;
    struct Core;
    explicit Thread(std::shared_ptr<Core> core, uint32_t period) noexcept;
    std::shared_ptr<Core> core_;
    uint32_t period_;
    uint32_t added_ = 0;
  };
  // Joins a thread, which hands over each `period` keys, 1 or more.
  // kInvalidOptions, kOutOfMemory. Any thread.
  CW_API Result<Thread> Join(uint32_t period = 4096);

  // Merges what threads have handed over since it was called last into `all`, a
  // sketch with the same options. One thread at a time. kOutOfMemory.
  CW_API Status Collect(HotKeySketch& all);

 private:
  struct Core;
  explicit HotKeyCollector(std::unique_ptr<Core> core) noexcept;
  std::unique_ptr<Core> core_;
};

// ---- What to do about a hot key ----

// Reads of it may go to several of its replicas: returns one of the first `k`
// of them, the one that `draw` says, any number that differs from request to
// request; kNoNode if there are none. Writes go to all of those, as before.
[[nodiscard]] inline NodeIndex FanOut(std::span<const NodeIndex> replicas,
                                      size_t k, uint64_t draw) noexcept {
  const size_t count = k < replicas.size() ? k : replicas.size();
  return count == 0 ? kNoNode : replicas[draw % count];
}

// It may be kept under several keys, which live on nodes of their own: part 0
// is the key itself, part i is the key, '#' and the number i. Read any one
// part, drawn anew each time; write all of them.
class SplitKey {
 public:
  // 1 part or more; 0 counts as 1. May throw std::bad_alloc.
  CW_API SplitKey(std::string_view key, uint32_t parts);

  [[nodiscard]] uint32_t parts() const noexcept { return parts_; }
  // The key of part i mod parts(). Valid until the next call.
  [[nodiscard]] CW_API std::string_view Part(uint32_t i) noexcept;

 private:
  std::string text_;
  size_t size_;
  uint32_t parts_;
};

}  // namespace clockwise
