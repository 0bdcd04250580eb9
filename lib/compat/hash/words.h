// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A key as big-endian 64-bit words, for hashes to which zeros before a key make
// no difference.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/endian.h"
#include "compat/hash/bytes.h"
#include "compat/hash/tail.h"

namespace clockwise::compat_internal {

// Calls take(word) for each 8 bytes of the key. The first word has its first 1
// to 8 bytes, with zeros before them; all others are whole. None for no key.
template <class Take>
CW_INLINE void ForBigEndianWords(std::string_view key, Take take) noexcept {
  const uint8_t* p = Bytes(key);
  const size_t size = key.size();
  if (size < 8) {
    if (size != 0)
      take(__builtin_bswap64(LoadTail(p, size) << (64 - 8 * size)));
    return;
  }
  const size_t first = (size - 1) % 8 + 1;
  take(__builtin_bswap64(LoadLe64(p)) >> (64 - 8 * first));
  const uint8_t* const end = p + size;
  for (p += first; p != end; p += 8) take(__builtin_bswap64(LoadLe64(p)));
}

// A word that is not 0 where any byte of `word` is `byte`. Its lowest bit is in
// the lowest such byte; above that one, others may be marked too.
CW_INLINE uint64_t BytesThatAre(uint8_t byte, uint64_t word) noexcept {
  constexpr uint64_t kOnes = 0x0101010101010101;
  const uint64_t x = word ^ (kOnes * byte);  // is a byte of it 0?
  return (x - kOnes) & ~x & (kOnes << 7);
}

CW_INLINE size_t FirstByteOf(uint64_t found) noexcept {
  return static_cast<size_t>(std::countr_zero(found)) / 8;
}

// Returns where `byte` first stands in the text at or after `from`, or the
// text's size. For keys, which are short: std::string_view::find calls memchr.
CW_INLINE size_t FindByte(uint8_t byte, std::string_view text,
                          size_t from) noexcept {
  const uint8_t* p = Bytes(text);
  const size_t size = text.size();
  for (; from + 8 <= size; from += 8) {
    const uint64_t found = BytesThatAre(byte, LoadLe64(p + from));
    if (found != 0) return from + FirstByteOf(found);
  }
  if (from >= size) return size;
  const uint64_t word = size < 8
                            ? LoadTail(p + from, size - from)
                            : LoadLe64(p + size - 8) >> (8 * (from + 8 - size));
  const uint64_t found = BytesThatAre(byte, word);
  return found != 0 ? from + FirstByteOf(found) : size;
}

}  // namespace clockwise::compat_internal
