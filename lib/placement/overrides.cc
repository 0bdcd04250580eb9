// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/overrides.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

#include "base/out_of_memory.h"
#include "placement/digest.h"

namespace clockwise {
namespace {

// Keys and prefixes of equal bytes are told apart by their seeds.
uint64_t HashOf(std::string_view key, bool is_prefix) {
  return Xxh3_64(key, is_prefix ? 1 : 0);
}

// For messages: what it pins, with bytes that do not print as '?'.
std::string Title(const Override& override) {
  std::string key = override.key.substr(0, 64);
  std::replace_if(
      key.begin(), key.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  if (key.size() < override.key.size()) key += "...";
  return std::string(override.is_prefix ? "prefix '" : "key '") + key + "'";
}

Status Refuse(const Override& override, const std::string& why) {
  return {Code::kInvalidOptions, "override of " + Title(override) + ": " + why};
}

Status Check(const Override& override) {
  if (override.key.size() > kMaxOverrideBytes) {
    return Refuse(override, std::to_string(override.key.size()) +
                                " bytes; at most " +
                                std::to_string(kMaxOverrideBytes));
  }
  if (override.is_prefix && override.key.empty()) {
    return Refuse(override, "it would pin every key");
  }
  return {};
}

// By key and kind, each once.
using Sorted = std::vector<const Override*>;

Result<Sorted> Sort(std::span<const Override> overrides) {
  Sorted sorted;
  sorted.reserve(overrides.size());
  for (const Override& override : overrides) sorted.push_back(&override);
  const auto what = [](const Override* o) {
    return std::tuple<std::string_view, bool>(o->key, o->is_prefix);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](auto* a, auto* b) { return what(a) < what(b); });
  Sorted once;
  once.reserve(sorted.size());
  for (const Override* override : sorted) {
    if (once.empty() || what(once.back()) != what(override)) {
      once.push_back(override);
    } else if (once.back()->node != override->node) {
      return Refuse(*override, "node '" + once.back()->node + "' and node '" +
                                   override->node + "'");
    }
  }
  return once;
}

Hash128 DigestOf(const Sorted& sorted) {
  DigestText text("clockwise-overrides-1");
  text.U32(static_cast<uint32_t>(sorted.size()));
  for (const Override* override : sorted) {
    text.Text(override->key);
    text.U8(override->is_prefix ? 1 : 0);
    text.Text(override->node);
  }
  return text.Digest();
}

}  // namespace

struct OverrideTable::Core {
  // One override; `node` is kNoNode in places that hold none.
  struct Place {
    uint64_t hash = 0;
    uint32_t at = 0;  // of its key in `bytes`
    uint16_t size = 0;
    bool is_prefix = false;
    NodeIndex node = kNoNode;
  };

  // Twice as many places as overrides, at least: probes are short.
  explicit Core(size_t count) : places(std::bit_ceil(2 * count + 1)) {}

  void Insert(const Override& override, NodeIndex node);
  [[nodiscard]] NodeIndex Find(std::string_view key,
                               bool is_prefix) const noexcept;

  std::vector<Place> places;  // open addressing, linear probing
  std::string bytes;
  std::vector<uint16_t> prefix_sizes;  // descending
  size_t size = 0;
  Hash128 digest;
};

void OverrideTable::Core::Insert(const Override& override, NodeIndex node) {
  const uint64_t hash = HashOf(override.key, override.is_prefix);
  size_t i = hash & (places.size() - 1);
  while (places[i].node != kNoNode) i = (i + 1) & (places.size() - 1);
  places[i] = {hash, static_cast<uint32_t>(bytes.size()),
               static_cast<uint16_t>(override.key.size()), override.is_prefix,
               node};
  bytes += override.key;
  ++size;
}

NodeIndex OverrideTable::Core::Find(std::string_view key,
                                    bool is_prefix) const noexcept {
  const uint64_t hash = HashOf(key, is_prefix);
  for (size_t i = hash & (places.size() - 1);;
       i = (i + 1) & (places.size() - 1)) {
    const Place& place = places[i];
    if (place.node == kNoNode) return kNoNode;
    if (place.hash == hash && place.is_prefix == is_prefix &&
        std::string_view(bytes).substr(place.at, place.size) == key) {
      return place.node;
    }
  }
}

OverrideTable::OverrideTable(std::unique_ptr<Core> core) noexcept
    : core_(std::move(core)) {}
OverrideTable::OverrideTable(OverrideTable&&) noexcept = default;
OverrideTable& OverrideTable::operator=(OverrideTable&&) noexcept = default;
OverrideTable::~OverrideTable() = default;

Result<OverrideTable> OverrideTable::Create(std::span<const Override> overrides,
                                            const Ring& ring,
                                            MissingNode missing) try {
  if (overrides.size() > kMaxOverrides) {
    return Status(Code::kInvalidOptions, std::to_string(overrides.size()) +
                                             " overrides; at most " +
                                             std::to_string(kMaxOverrides));
  }
  uint64_t bytes = 0;
  for (const Override& override : overrides) {
    if (Status refused = Check(override); !refused.ok()) return refused;
    bytes += override.key.size();
  }
  if (bytes > UINT32_MAX) {
    return Status(Code::kInvalidOptions,
                  "overrides of " + std::to_string(bytes) + " bytes; at most " +
                      std::to_string(UINT32_MAX));
  }
  const Result<Sorted> sorted = Sort(overrides);
  if (!sorted.ok()) return sorted.status();
  OverrideTable table(std::make_unique<Core>(sorted.value().size()));
  for (const Override* override : sorted.value()) {
    const NodeIndex node = ring.Find(override->node);
    if (node == kNoNode || ring.node(node).points == 0) {
      if (missing == MissingNode::kPassOver) continue;
      return Status(Code::kUnknownNode, "override of " + Title(*override) +
                                            ": the ring has no "
                                            "node '" +
                                            override->node + "' with points");
    }
    table.Take(*override, node);
  }
  table.core_->digest = DigestOf(sorted.value());
  return table;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

void OverrideTable::Take(const Override& override, NodeIndex node) {
  core_->Insert(override, node);
  if (!override.is_prefix) {
    sizes_ |= uint64_t{1} << std::min(override.key.size(), kSizes);
    return;
  }
  const auto first = static_cast<uint8_t>(override.key[0]);
  first_bytes_[first / 64] |= uint64_t{1} << first % 64;
  auto& sizes = core_->prefix_sizes;
  const auto size = static_cast<uint16_t>(override.key.size());
  const auto at =
      std::lower_bound(sizes.begin(), sizes.end(), size, std::greater<>());
  if (at == sizes.end() || *at != size) sizes.insert(at, size);
}

NodeIndex OverrideTable::Look(std::string_view key) const noexcept {
  if (key.size() <= kMaxOverrideBytes) {
    const NodeIndex node = core_->Find(key, false);
    if (node != kNoNode) return node;
  }
  for (const size_t size : core_->prefix_sizes) {
    if (size > key.size()) continue;
    const NodeIndex node = core_->Find(key.substr(0, size), true);
    if (node != kNoNode) return node;
  }
  return kNoNode;
}

void OverrideTable::Owners(const RingView& ring, const std::string_view* keys,
                           size_t count, NodeIndex* owners) const noexcept {
  ring.Owners(keys, count, owners);
  for (size_t i = 0; i < count; ++i) {
    const NodeIndex node = Find(keys[i]);
    if (node != kNoNode) owners[i] = node;
  }
}

size_t OverrideTable::size() const noexcept { return core_->size; }

Hash128 OverrideTable::digest() const noexcept { return core_->digest; }

}  // namespace clockwise
