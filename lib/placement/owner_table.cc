// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/detail/owner_table.h"

#include <algorithm>

namespace clockwise::detail {
namespace {

constexpr uint32_t kMaxNarrowNodes = 65536;
// Tables that fit the second-level cache need no prefetch.
constexpr size_t kPrefetchBytes = size_t{512} << 10;

template <typename T>
void Plain(const T* table, const Modulus& modulus, const uint64_t* hashes,
           size_t count, NodeIndex* owners) noexcept {
  for (size_t i = 0; i < count; ++i) owners[i] = table[modulus.Of(hashes[i])];
}

// Two passes over each block: its slots, asked for; then what they hold, while
// those of the next are on their way.
template <typename T>
void Prefetched(const T* table, const Modulus& modulus, const uint64_t* hashes,
                size_t count, NodeIndex* owners) noexcept {
  constexpr size_t kBlock = 32;
  uint32_t slots[2][kBlock];
  const auto aim = [&](size_t first) {
    const size_t some = std::min(kBlock, count - first);
    uint32_t* aimed = slots[first / kBlock % 2];
    for (size_t j = 0; j < some; ++j) {
      aimed[j] = modulus.Of(hashes[first + j]);
      __builtin_prefetch(table + aimed[j]);
    }
  };
  if (count != 0) aim(0);
  for (size_t first = 0; first < count; first += kBlock) {
    if (first + kBlock < count) aim(first + kBlock);
    const uint32_t* aimed = slots[first / kBlock % 2];
    const size_t some = std::min(kBlock, count - first);
    for (size_t j = 0; j < some; ++j) owners[first + j] = table[aimed[j]];
  }
}

}  // namespace

OwnerTable::OwnerTable(std::span<const NodeIndex> owners, uint32_t nodes,
                       BlockSource& source)
    : modulus_(static_cast<uint32_t>(owners.size())),
      // kNoNode has no 16 bits.
      is_wide_(nodes == 0 || nodes > kMaxNarrowNodes) {
  const size_t each = is_wide_ ? sizeof(uint32_t) : sizeof(uint16_t);
  block_ = Block::Acquire(source, owners.size() * each);
  if (!is_there()) return;
  if (is_wide_) {
    std::copy(owners.begin(), owners.end(),
              static_cast<uint32_t*>(block_.data()));
  } else {
    std::transform(owners.begin(), owners.end(),
                   static_cast<uint16_t*>(block_.data()),
                   [](NodeIndex node) { return static_cast<uint16_t>(node); });
  }
}

void OwnerTable::Owners(const uint64_t* hashes, size_t count,
                        NodeIndex* owners) const noexcept {
  // A copy, which no store to `owners` can change.
  const Modulus modulus = modulus_;
  const auto answer = [&](const auto* table) {
    if (bytes() < kPrefetchBytes) {
      Plain(table, modulus, hashes, count, owners);
    } else {
      Prefetched(table, modulus, hashes, count, owners);
    }
  };
  if (is_wide_) {
    answer(static_cast<const uint32_t*>(block_.data()));
  } else {
    answer(static_cast<const uint16_t*>(block_.data()));
  }
}

}  // namespace clockwise::detail
