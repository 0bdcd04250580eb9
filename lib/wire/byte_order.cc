// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "wire/byte_order.h"

#include <cstddef>
#include <cstdint>

#include "base/align.h"
#include "search/sections.h"

namespace clockwise {
namespace {

void Turn(uint16_t& n) { n = __builtin_bswap16(n); }
void Turn(uint32_t& n) { n = __builtin_bswap32(n); }
void Turn(uint64_t& n) { n = __builtin_bswap64(n); }

// Turns the `count` integers at `offset`.
template <typename T>
void TurnArray(RingImage& image, uint64_t offset, uint64_t count) {
  T* numbers = MutableAt<T>(&image, offset);
  for (uint64_t i = 0; i < count; ++i) Turn(numbers[i]);
}

// Owners of narrow lines are 16 bits as keys are; those of wide lines are
// bytes, which have no order to turn.
void TurnLine(detail::Line& line) {
  for (int16_t& key : line.keys)
    key = static_cast<int16_t>(__builtin_bswap16(static_cast<uint16_t>(key)));
  for (uint16_t& owner : line.owners) Turn(owner);
}
void TurnLine(detail::WideLine& line) {
  for (int16_t& key : line.keys)
    key = static_cast<int16_t>(__builtin_bswap16(static_cast<uint16_t>(key)));
}

template <typename Form>
void TurnForm(RingImage& image) {
  using T = typename Form::Position;
  using Owner = typename Form::Owner;
  const uint64_t entries = uint64_t{image.points} + 1;
  if (image.layout == Layout::kLine) {
    auto* lines = MutableAt<typename Form::Line>(&image, image.search_at);
    for (uint32_t b = 0; b < image.lines; ++b) TurnLine(lines[b]);
    TurnArray<uint32_t>(image, image.starts_at, uint64_t{image.lines} + 1);
  }
  if (image.layout == Layout::kEytzinger) {
    TurnArray<T>(image, image.search_at, entries);
    TurnArray<Owner>(image, image.search_owners_at, entries);
  }
  // What fills up positions to a cache line is the same either way.
  TurnArray<T>(image, image.positions_at, image.points);
  TurnArray<Owner>(image, image.owners_at, entries);
  if (image.splus_levels == 0) return;
  // The levels are the last parts, without gaps.
  const uint64_t tree = image.bytes - image.splus_at[0];
  TurnArray<T>(image, image.splus_at[0], tree / sizeof(T));
}

}  // namespace

void TurnHeader(RingImage& image) noexcept {
  for (uint64_t* word :
       {&image.magic, &image.bytes, &image.epoch, &image.seed, &image.digest[0],
        &image.digest[1], &image.base_digest[0], &image.base_digest[1],
        &image.local, &image.search_at, &image.starts_at, &image.positions_at,
        &image.owners_at, &image.search_owners_at}) {
    Turn(*word);
  }
  for (uint32_t* word :
       {&image.points, &image.slots, &image.nodes, &image.collisions,
        &image.lines, &image.overflowed, &image.splus_levels}) {
    Turn(*word);
  }
  for (uint64_t& at : image.splus_at) Turn(at);
  for (uint64_t& word : image.reserved) Turn(word);
}

void TurnParts(RingImage& image) noexcept {
  ForForm(image, [&](auto form) { TurnForm<decltype(form)>(image); });
}

void TurnHeader(NodeTable& table) noexcept {
  for (uint64_t* word : {&table.bytes, &table.by_id_at, &table.text_at}) {
    Turn(*word);
  }
  for (uint32_t* word :
       {&table.slots, &table.members, &table.vnodes, &table.max_points}) {
    Turn(*word);
  }
  Turn(table.params_bytes);
}

void TurnParts(NodeTable& table) noexcept {
  auto* bytes = reinterpret_cast<std::byte*>(&table);
  auto* records = reinterpret_cast<NodeRecord*>(bytes + sizeof(NodeTable));
  for (uint32_t slot = 0; slot < table.slots; ++slot) {
    NodeRecord& record = records[slot];
    Turn(record.text_at);
    Turn(record.thousandths);
    Turn(record.points);
    Turn(record.address_bytes);
    Turn(record.params_bytes);
  }
  auto* by_id = reinterpret_cast<NodeIndex*>(bytes + table.by_id_at);
  for (uint32_t i = 0; i < table.members; ++i) Turn(by_id[i]);
}

}  // namespace clockwise
