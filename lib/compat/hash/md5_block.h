// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The constants of MD5 (RFC 1321), and texts cut into its padded blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/endian.h"
#include "compat/hash/bytes.h"

namespace clockwise::compat_internal {

inline constexpr size_t kMd5Block = 64;
inline constexpr uint32_t kMd5Begin[4] = {0x67452301, 0xEFCDAB89, 0x98BADCFE,
                                          0x10325476};

// Step i of a round turns left by kMd5Turns[round][i % 4].
inline constexpr std::array<std::array<int, 4>, 4> kMd5Turns = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

// The word of the block that a step of a round takes.
constexpr size_t Md5WordOf(int round, size_t step) noexcept {
  constexpr size_t kFactors[4] = {1, 5, 3, 7};
  constexpr size_t kAddends[4] = {0, 1, 5, 0};
  return (kFactors[round] * step + kAddends[round]) % 16;
}

// 2^32 * |sin(i + 1)|, rounded down.
inline constexpr uint32_t kMd5Sines[64] = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A,
    0xA8304613, 0xFD469501, 0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE,
    0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821, 0xF61E2562, 0xC040B340,
    0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8,
    0x676F02D9, 0x8D2A4C8A, 0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C,
    0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70, 0x289B7EC6, 0xEAA127FA,
    0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92,
    0xFFEFF47D, 0x85845DD1, 0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1,
    0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
};

// A text that is given out block by block: its bytes, then 0x80, zeros up to 8
// bytes before the end of a block, and its length in bits.
class Md5Text {
 public:
  // No text: gives no blocks and is never done.
  Md5Text() = default;

  Md5Text(std::string_view text, size_t number) noexcept
      : from_(Bytes(text)),
        left_(text.size()),
        bits_(uint64_t{text.size()} * 8),
        number_(number),
        rest_(Rest::kAll) {}

  // Which of the batch it is.
  [[nodiscard]] size_t number() const noexcept { return number_; }
  // Whether all blocks were given out.
  [[nodiscard]] bool is_done() const noexcept { return rest_ == Rest::kDone; }

  // Writes the next block.
  CW_INLINE void NextBlock(uint8_t* block) noexcept {
    if (rest_ == Rest::kNone) return;
    if (left_ >= kMd5Block) {
      std::memcpy(block, from_, kMd5Block);
      from_ += kMd5Block;
      left_ -= kMd5Block;
      return;
    }
    std::memset(block, 0, kMd5Block);
    if (rest_ == Rest::kAll) {
      if (left_ != 0) std::memcpy(block, from_, left_);
      block[left_] = 0x80;
    }
    if (rest_ == Rest::kAll && left_ >= kMd5Block - 8) {
      left_ = 0;
      rest_ = Rest::kLength;
    } else {
      StoreLe64(block + kMd5Block - 8, bits_);
      rest_ = Rest::kDone;
    }
  }

 private:
  // What is still to be given out.
  enum class Rest : uint8_t { kNone, kAll, kLength, kDone };

  const uint8_t* from_ = nullptr;
  size_t left_ = 0;
  uint64_t bits_ = 0;
  size_t number_ = 0;
  Rest rest_ = Rest::kNone;
};

}  // namespace clockwise::compat_internal
