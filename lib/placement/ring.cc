// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/ring.h"

#include <algorithm>
#include <array>
#include <utility>

#include "clockwise/key_hasher.h"
#include "placement/digest.h"
#include "placement/hash_keys.h"
#include "placement/key_blocks.h"
#include "placement/node_table.h"
#include "search/batch.h"
#include "search/point_index.h"
#include "search/prefetch.h"
#include "search/sections.h"

namespace clockwise {
namespace {

constexpr std::array<std::string_view, 4> kLayoutNames = {"sorted", "eytzinger",
                                                          "splus", "line"};
constexpr std::array<std::string_view, 3> kKeyHashNames = {"xxh3", "fnv1a-fmix",
                                                           "murmur3-32"};

// In place of a kind: the key hash is another library's.
constexpr auto kForeign = static_cast<HashKind>(0xFF);

constexpr bool IsBuiltIn(KeyHash key_hash) {
  return static_cast<uint8_t>(key_hash) < kFirstForeignKeyHash;
}

template <typename T, size_t kCount>
std::optional<T> Parse(const std::array<std::string_view, kCount>& names,
                       std::string_view name) {
  for (size_t i = 0; i < kCount; ++i) {
    if (names[i] == name) return static_cast<T>(i);
  }
  return std::nullopt;
}

const NodeTable& TableIn(const Block& block) {
  return *static_cast<const NodeTable*>(block.data());
}

}  // namespace

std::string_view LayoutName(Layout layout) noexcept {
  return kLayoutNames[static_cast<size_t>(layout)];
}

std::optional<Layout> ParseLayout(std::string_view name) noexcept {
  return Parse<Layout>(kLayoutNames, name);
}

std::string_view KeyHashName(KeyHash key_hash) noexcept {
  const auto number = static_cast<size_t>(key_hash);
  if (number < kKeyHashNames.size()) return kKeyHashNames[number];
  const KeyHasher* hasher = FindKeyHasher(key_hash);
  return hasher != nullptr ? hasher->name : "unknown";
}

std::string_view KeyFunctionName(KeyHash key_hash, uint32_t width) noexcept {
  const bool is_own = static_cast<size_t>(key_hash) < kKeyHashNames.size();
  return is_own ? HashName(HashKindOf(key_hash, width)) : KeyHashName(key_hash);
}

std::optional<KeyHash> ParseKeyHash(std::string_view name) noexcept {
  if (const auto own = Parse<KeyHash>(kKeyHashNames, name)) return own;
  for (int number = kFirstForeignKeyHash; number < 256; ++number) {
    const auto key_hash = static_cast<KeyHash>(number);
    const KeyHasher* hasher = FindKeyHasher(key_hash);
    if (hasher != nullptr && hasher->name == name) return key_hash;
  }
  return std::nullopt;
}

std::string ToHex(Hash128 digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (uint64_t word : {digest.high, digest.low}) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      text.push_back(kDigits[word >> shift & 15]);
    }
  }
  return text;
}

RingView::RingView(const detail::RingImage* image) noexcept
    : lines_(nullptr),
      line_count_(image->lines),
      image_(image),
      seed_(image->seed),
      hash_kind_(IsBuiltIn(image->key_hash)
                     ? HashKindOf(image->key_hash, image->width)
                     : kForeign),
      path_(Path::kCall) {
  if (image->layout != Layout::kLine) return;
  lines_ = image->At<std::byte>(image->search_at);
  if (image->is_wide != 0) return;
  path_ = image->width == 32 ? Path::kLine32 : Path::kLine64;
}

const KeyHasher* RingView::hasher() const noexcept {
  return hash_kind_ == kForeign ? FindKeyHasher(image_->key_hash) : nullptr;
}

uint64_t RingView::HashElsewhere(std::string_view key) const noexcept {
  const KeyHasher* foreign = hasher();
  return foreign != nullptr ? foreign->one(key, seed_)
                            : Hash(hash_kind_, key, seed_);
}

void RingView::HashesOf(const std::string_view* keys, size_t count,
                        uint64_t* hashes) const noexcept {
  KeyHashing{image_->key_hash, image_->width, seed_}.Many(keys, count, hashes);
}

NodeIndex RingView::OwnerElsewhere(uint64_t hash) const noexcept {
  return ForForm(*image_, [&](auto form) -> NodeIndex {
    using F = decltype(form);
    switch (image_->layout) {
      case Layout::kSorted:
        return detail::SortedView<F::kWidth, F::kWide>(image_).Owner(hash);
      case Layout::kEytzinger:
        return detail::EytzingerView<F::kWidth, F::kWide>(image_).Owner(hash);
      case Layout::kSplus:
        return detail::SplusView<F::kWidth, F::kWide>(image_).Owner(hash);
      case Layout::kLine:
        break;
    }
    return detail::LineView<F::kWidth, F::kWide>(image_).Owner(hash);
  });
}

uint64_t RingView::PositionAt(size_t i) const noexcept {
  return ForForm(*image_, [&](auto form) {
    using T = typename decltype(form)::Position;
    return detail::ToLeftAligned(image_->At<T>(image_->positions_at)[i]);
  });
}

NodeIndex RingView::OwnerAt(size_t i) const noexcept {
  return image_->is_wide != 0 ? image_->At<uint32_t>(image_->owners_at)[i]
                              : image_->At<uint16_t>(image_->owners_at)[i];
}

size_t RingView::PointAt(uint64_t hash) const noexcept {
  const size_t i = PointIndex(*image_, hash);
  return i < image_->points ? i : 0;
}

void RingView::Prefetch() const noexcept { clockwise::Prefetch(*image_); }

void RingView::Owners(const uint64_t* hashes, size_t count,
                      NodeIndex* owners) const noexcept {
  BatchOwners(*image_, hashes, count, owners);
}

void RingView::Owners(const uint32_t* hashes, size_t count,
                      NodeIndex* owners) const noexcept {
  BatchOwners(*image_, hashes, count, owners);
}

void RingView::Owners(const std::string_view* keys, size_t count,
                      NodeIndex* owners) const noexcept {
  ForBlocks(count, [&](size_t first, size_t some) {
    uint64_t hashes[kKeyBlock];
    HashesOf(keys + first, some, hashes);
    BatchOwners(*image_, hashes, some, owners + first);
  });
}

void RingView::Owners(FixedKeys keys, NodeIndex* owners) const noexcept {
  const KeyHashing hashing{image_->key_hash, image_->width, seed_};
  ForKeyBlocks(keys, [&](size_t first, FixedKeys block) {
    const size_t some = block.count;
    // Half the bytes to store and load where 32 bits say it all.
    if (image_->width == 32 && hashing.foreign() == nullptr) {
      uint32_t hashes[kKeyBlock];
      HashBatch(hash_kind_, seed_, block, hashes);
      BatchOwners(*image_, hashes, some, owners + first);
    } else {
      uint64_t hashes[kKeyBlock];
      hashing.Fixed(block, hashes);
      BatchOwners(*image_, hashes, some, owners + first);
    }
  });
}

Ring::Ring(Block image, Block table) noexcept
    : RingView(static_cast<const detail::RingImage*>(image.data())),
      image_block_(std::move(image)),
      table_block_(std::move(table)) {}

Ring::Ring(Ring&&) noexcept = default;
Ring& Ring::operator=(Ring&&) noexcept = default;
Ring::~Ring() = default;

std::string_view Ring::name() const noexcept {
  return TableIn(table_block_).Name();
}
std::string_view Ring::scheme() const noexcept {
  return TableIn(table_block_).Scheme();
}
uint32_t Ring::vnodes() const noexcept { return TableIn(table_block_).vnodes; }
ParamsView Ring::params() const noexcept {
  return TableIn(table_block_).Parameters();
}
uint32_t Ring::node_count() const noexcept {
  return TableIn(table_block_).members;
}
NodeView Ring::node(NodeIndex slot) const noexcept {
  return TableIn(table_block_).View(slot);
}
std::span<const NodeIndex> Ring::slots_by_id() const noexcept {
  return TableIn(table_block_).ById();
}
NodeIndex Ring::Find(std::string_view id) const noexcept {
  return TableIn(table_block_).Find(id);
}
size_t Ring::bytes() const noexcept {
  return image()->bytes + TableIn(table_block_).bytes;
}

Hash128 Ring::records_digest() const {
  DigestText text("clockwise-records-1");
  text.U64(digest().high);
  text.U64(digest().low);
  for (NodeIndex slot : slots_by_id()) {
    const NodeView member = node(slot);
    AppendNode(text, member);
    text.Text(member.address);
  }
  return text.Digest();
}

}  // namespace clockwise
