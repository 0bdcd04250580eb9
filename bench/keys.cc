// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "keys.h"

#include <algorithm>

namespace clockwise::bench {

std::vector<uint64_t> HashesWithin(uint64_t begin, uint64_t arc, size_t count,
                                   uint64_t seed) {
  __extension__ using Uint128 = unsigned __int128;
  std::vector<uint64_t> hashes(count);
  Random random(seed);
  for (uint64_t& hash : hashes) {
    hash = begin + static_cast<uint64_t>(Uint128{random()} * arc >> 64);
  }
  return hashes;
}

std::vector<uint64_t> Hashes(size_t count, uint64_t seed) {
  std::vector<uint64_t> hashes(count);
  std::generate(hashes.begin(), hashes.end(), Random(seed));
  return hashes;
}

KeyBlock::KeyBlock(size_t size, size_t stride, size_t count)
    : size_(size), stride_(stride), bytes_(stride * count, '\0') {
  std::generate(bytes_.begin(), bytes_.end(),
                [random = Random(size)]() mutable {
                  return static_cast<char>(random());
                });
}

TextKeys::TextKeys(size_t least, size_t most, size_t count) {
  Random random(most);
  std::vector<size_t> ends(count);
  size_t end = 0;
  for (size_t& e : ends) e = end += least + random() % (most - least + 1);
  bytes_.resize(end);
  for (char& c : bytes_) c = static_cast<char>('a' + random() % 26);
  keys_.reserve(count);
  size_t begin = 0;
  for (size_t e : ends) {
    keys_.emplace_back(bytes_.data() + begin, e - begin);
    begin = e;
  }
}

}  // namespace clockwise::bench
