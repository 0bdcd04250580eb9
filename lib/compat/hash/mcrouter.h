// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The endless bits that mcrouter draws from a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compat/hash/murmur.h"

namespace clockwise::compat_internal {

// Word 0 is the key's MurmurHash64A; each next word is that of the word before,
// as 8 little-endian bytes. Bit i is bit i % 64 of word i / 64. Words are made
// as they are asked for; asking for an earlier one begins anew.
class McrouterBits {
 public:
  explicit McrouterBits(std::string_view key) noexcept
      : McrouterBits(Murmur2_64(key, kMurmurSeedMcrouter)) {}
  // From word 0.
  explicit McrouterBits(uint64_t first) noexcept
      : first_(first), word_(first) {}

  [[nodiscard]] uint64_t Word(size_t n) noexcept {
    if (n < at_) at_ = 0, word_ = first_;
    for (; at_ < n; ++at_) word_ = Next(word_);
    return word_;
  }
  [[nodiscard]] bool Bit(size_t i) noexcept {
    return (Word(i / 64) >> (i % 64)) & 1;
  }

  // The word that follows `word`: Murmur2_64 of 8 bytes, written out, since a
  // number takes several.
  static uint64_t Next(uint64_t word) noexcept {
    constexpr uint64_t kFactor = 0xC6A4A7935BD1E995;
    word *= kFactor;
    uint64_t h = kMurmurSeedMcrouter ^ (8 * kFactor);
    h = (h ^ ((word ^ (word >> 47)) * kFactor)) * kFactor;
    h = (h ^ (h >> 47)) * kFactor;
    return h ^ (h >> 47);
  }

  // How often a number is drawn that has to be below another, and how far
  // apart its bits are.
  static constexpr int kTries = 32;
  static constexpr size_t kStride = 23;

 private:
  uint64_t first_;
  uint64_t word_;
  size_t at_ = 0;
};

// furc_hash (Ch3): a number below `buckets` from the bits of a key; 0 below 1.
uint64_t Furc(McrouterBits bits, uint64_t buckets) noexcept;

}  // namespace clockwise::compat_internal
