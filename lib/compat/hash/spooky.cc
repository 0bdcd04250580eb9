// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/spooky.h"

#include <bit>
#include <cstring>

#include "base/endian.h"
#include "compat/hash/bytes.h"

namespace clockwise::compat_internal {
namespace {

constexpr uint64_t kSpooky = 0xDEADBEEFDEADBEEF;
constexpr size_t kBlock = 96;
// Keys from this size on take 12 words of state, shorter ones 4.
constexpr size_t kLong = 2 * kBlock;

// The state for short keys. In step k of a round the word after the next but
// one of word k is turned, and so on around the four.
struct Short {
  uint64_t h[4];

  void Mix() noexcept {
    constexpr int kTurns[12] = {50, 52, 30, 41, 54, 48, 38, 37, 62, 34, 5, 36};
    for (size_t k = 0; k < 12; ++k) {
      uint64_t& turned = h[(k + 2) % 4];
      turned = std::rotl(turned, kTurns[k]) + h[(k + 3) % 4];
      h[k % 4] ^= turned;
    }
  }
  void Finish() noexcept {
    constexpr int kTurns[11] = {15, 52, 26, 51, 28, 9, 47, 54, 32, 25, 63};
    for (size_t k = 0; k < 11; ++k) {
      uint64_t& into = h[(k + 3) % 4];
      uint64_t& turned = h[(k + 2) % 4];
      into ^= turned;
      turned = std::rotl(turned, kTurns[k]);
      into += turned;
    }
  }
};

Hash128 HashShort(std::string_view key, uint64_t seed1,
                  uint64_t seed2) noexcept {
  const uint8_t* p = Bytes(key);
  size_t left = key.size();
  Short state = {{seed1, seed2, kSpooky, kSpooky}};
  uint64_t(&h)[4] = state.h;
  for (; left >= 32; left -= 32, p += 32) {
    h[2] += LoadLe64(p);
    h[3] += LoadLe64(p + 8);
    state.Mix();
    h[0] += LoadLe64(p + 16);
    h[1] += LoadLe64(p + 24);
  }
  if (left >= 16) {
    h[2] += LoadLe64(p);
    h[3] += LoadLe64(p + 8);
    state.Mix();
    left -= 16, p += 16;
  }
  h[3] += uint64_t{key.size()} << 56;
  if (left == 0) {
    h[2] += kSpooky;
    h[3] += kSpooky;
  } else {
    uint8_t last[16] = {};
    std::memcpy(last, p, left);
    h[2] += LoadLe64(last);
    h[3] += LoadLe64(last + 8);
  }
  state.Finish();
  return {h[0], h[1]};
}

// The state for long keys.
struct Long {
  uint64_t h[12];

  void Mix(const uint8_t* block) noexcept {
    constexpr int kTurns[12] = {11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46};
    for (size_t k = 0; k < 12; ++k) {
      uint64_t& before = h[(k + 11) % 12];
      h[k] += LoadLe64(block + 8 * k);
      h[(k + 2) % 12] ^= h[(k + 10) % 12];
      before ^= h[k];
      h[k] = std::rotl(h[k], kTurns[k]);
      before += h[(k + 1) % 12];
    }
  }
  void Finish(const uint8_t* block) noexcept {
    constexpr int kTurns[12] = {44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54};
    for (size_t k = 0; k < 12; ++k) h[k] += LoadLe64(block + 8 * k);
    for (int round = 0; round < 3; ++round) {
      for (size_t k = 0; k < 12; ++k) {
        uint64_t& before = h[(k + 11) % 12];
        uint64_t& turned = h[(k + 1) % 12];
        before += turned;
        h[(k + 2) % 12] ^= before;
        turned = std::rotl(turned, kTurns[k]);
      }
    }
  }
};

Hash128 HashLong(std::string_view key, uint64_t seed1,
                 uint64_t seed2) noexcept {
  const uint8_t* p = Bytes(key);
  size_t left = key.size();
  Long state;
  for (size_t k = 0; k < 12; k += 3) {
    state.h[k] = seed1;
    state.h[k + 1] = seed2;
    state.h[k + 2] = kSpooky;
  }
  for (; left >= kBlock; left -= kBlock, p += kBlock) state.Mix(p);
  uint8_t last[kBlock] = {};
  if (left != 0) std::memcpy(last, p, left);
  last[kBlock - 1] = static_cast<uint8_t>(left);
  state.Finish(last);
  return {state.h[0], state.h[1]};
}

}  // namespace

Hash128 Spooky128(std::string_view key, uint64_t seed1,
                  uint64_t seed2) noexcept {
  return key.size() < kLong ? HashShort(key, seed1, seed2)
                            : HashLong(key, seed1, seed2);
}

uint32_t Spooky32(std::string_view key, uint32_t seed) noexcept {
  return static_cast<uint32_t>(Spooky128(key, seed, seed).high);
}

}  // namespace clockwise::compat_internal
