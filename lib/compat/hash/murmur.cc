// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/murmur.h"

#include <bit>
#include <limits>

#include "base/endian.h"
#include "clockwise/hash.h"
#include "compat/hash/bytes.h"
#include "compat/hash/tail.h"

namespace clockwise::compat_internal {
namespace {

// The state of MurmurHash3 x64_128.
struct Murmur3State {
  uint64_t h1, h2;

  static uint64_t Mix1(uint64_t word) noexcept {
    return std::rotl(word * kC1, 31) * kC2;
  }
  static uint64_t Mix2(uint64_t word) noexcept {
    return std::rotl(word * kC2, 33) * kC1;
  }
  void Add(uint64_t word1, uint64_t word2) noexcept {
    h1 = (std::rotl(h1 ^ Mix1(word1), 27) + h2) * 5 + 0x52DCE729;
    h2 = (std::rotl(h2 ^ Mix2(word2), 31) + h1) * 5 + 0x38495AB5;
  }
  void AddTail(uint64_t word1, uint64_t word2) noexcept {
    h1 ^= Mix1(word1);
    h2 ^= Mix2(word2);  // a zero word adds nothing
  }
  [[nodiscard]] uint64_t Finish(uint64_t size) const noexcept {
    const uint64_t sum = (h1 ^ size) + (h2 ^ size);
    return Fmix64(sum) + Fmix64(sum + (h2 ^ size));
  }

  static constexpr uint64_t kC1 = 0x87C37B91114253D5;
  static constexpr uint64_t kC2 = 0x4CF5AD432745937F;
};

// Each byte over all the bits above it, too.
uint64_t LoadSignedTail(const uint8_t* from, size_t size) noexcept {
  uint64_t word = 0;
  for (size_t i = 0; i < size; ++i) word ^= SignExtend64(from[i]) << (8 * i);
  return word;
}

template <class Load>
uint64_t Murmur3(std::string_view key, uint64_t seed, Load load_tail) noexcept {
  Murmur3State state = {seed, seed};
  const uint8_t* p = Bytes(key);
  size_t left = key.size();
  for (; left >= 16; left -= 16, p += 16) {
    state.Add(LoadLe64(p), LoadLe64(p + 8));
  }
  if (left > 8) {
    state.AddTail(load_tail(p, 8), load_tail(p + 8, left - 8));
  } else if (left > 0) {
    state.AddTail(load_tail(p, left), 0);
  }
  return state.Finish(key.size());
}

}  // namespace

uint64_t Murmur2_64(std::string_view key, uint64_t seed) noexcept {
  constexpr uint64_t kFactor = 0xC6A4A7935BD1E995;
  const uint8_t* p = Bytes(key);
  size_t left = key.size();
  uint64_t h = seed ^ (key.size() * kFactor);
  for (; left >= 8; left -= 8, p += 8) {
    const uint64_t word = LoadLe64(p) * kFactor;
    h = (h ^ ((word ^ (word >> 47)) * kFactor)) * kFactor;
  }
  if (left != 0) h = (h ^ LoadTail(p, left)) * kFactor;
  h = (h ^ (h >> 47)) * kFactor;
  return h ^ (h >> 47);
}

uint64_t Murmur3_128(std::string_view key, uint64_t seed) noexcept {
  return Murmur3(key, seed, LoadTail);
}

uint64_t Murmur3Pair(uint64_t a, uint64_t b, uint64_t seed) noexcept {
  Murmur3State state = {seed, seed};
  state.Add(a, b);
  return state.Finish(16);
}

int64_t CassandraToken(std::string_view key) noexcept {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  const auto token = static_cast<int64_t>(Murmur3(key, 0, LoadSignedTail));
  return token == kLeast ? std::numeric_limits<int64_t>::max() : token;
}

}  // namespace clockwise::compat_internal
