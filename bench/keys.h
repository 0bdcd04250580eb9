// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Keys and hashes to ask for, drawn before anything is timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/hash.h"

namespace clockwise::bench {

// Queries of one pass: so many that no branch predictor learns them.
inline constexpr size_t kQueries = size_t{1} << 20;

// Numbers that look random and are the same in every run.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t operator()() { return Fmix64(state_ += 0x9E3779B97F4A7C15u); }

 private:
  uint64_t state_;
};

// `count` distinct hashes spread over the arc of `arc` hashes from `begin` on.
std::vector<uint64_t> HashesWithin(uint64_t begin, uint64_t arc, size_t count,
                                   uint64_t seed);
// The same over the whole circle.
std::vector<uint64_t> Hashes(size_t count, uint64_t seed = 1);

// `count` keys of `size` random bytes, each `stride` bytes after the one
// before.
class KeyBlock {
 public:
  KeyBlock(size_t size, size_t stride, size_t count);

  [[nodiscard]] const char* At(size_t i) const {
    return bytes_.data() + i * stride_;
  }
  [[nodiscard]] FixedKeys Keys(size_t first, size_t count) const {
    return {At(first), size_, stride_, count};
  }

 private:
  size_t size_;
  size_t stride_;
  std::string bytes_;
};

// `count` keys of random text whose lengths are uniform from `least` to `most`.
class TextKeys {
 public:
  TextKeys(size_t least, size_t most, size_t count);

  [[nodiscard]] const std::vector<std::string_view>& keys() const {
    return keys_;
  }

 private:
  std::string bytes_;
  std::vector<std::string_view> keys_;
};

}  // namespace clockwise::bench
