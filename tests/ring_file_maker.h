// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Ring files made, damaged, sealed again and asked, for tests. The offsets are
// those that ring_file.h describes, written down a second time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/endian.h"
#include "clockwise/hash.h"
#include "clockwise/ring.h"
#include "clockwise/ring_file.h"

namespace clockwise {

namespace ring_file_offset {
inline constexpr size_t kHeaderBytes = 16;
inline constexpr size_t kChecksum = 20;
inline constexpr size_t kFileBytes = 24;
inline constexpr size_t kImageAt = 32;
inline constexpr size_t kImageBytes = 40;
inline constexpr size_t kTableAt = 48;
inline constexpr size_t kTableBytes = 56;
inline constexpr size_t kImageHash = 64;
inline constexpr size_t kTableHash = 72;
inline constexpr size_t kDigest = 80;
inline constexpr size_t kEpoch = 96;
inline constexpr size_t kSeedFingerprint = 104;
// Within the image.
inline constexpr size_t kImageEpoch = 16;
inline constexpr size_t kImageSeed = 24;
inline constexpr size_t kImageDigest = 32;
}  // namespace ring_file_offset

inline std::span<const std::byte> BytesOf(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline uint64_t WordAt(const std::string& file, size_t at) {
  return LoadLe64(file.data() + at);
}

// A part of the file as its header tells it; empty where that is nonsense.
inline std::string_view PartOf(const std::string& file, size_t at_offset) {
  if (file.size() < 128) return {};
  const uint64_t at = WordAt(file, at_offset);
  const uint64_t bytes = WordAt(file, at_offset + 8);
  if (at > file.size() || bytes > file.size() - at) return {};
  return std::string_view(file).substr(at, bytes);
}

// Makes all checksums right again.
inline void Reseal(std::string& file) {
  using namespace ring_file_offset;
  if (file.size() < 128) return;
  StoreLe64(file.data() + kImageHash, Xxh3_64(PartOf(file, kImageAt)));
  StoreLe64(file.data() + kTableHash, Xxh3_64(PartOf(file, kTableAt)));
  StoreLe32(file.data() + kChecksum, 0);
  const uint32_t bytes = LoadLe32(file.data() + kHeaderBytes);
  if (bytes > file.size()) return;
  StoreLe32(file.data() + kChecksum,
            Crc32c(std::string_view(file).substr(0, bytes)));
}

// The node of the first point at or after `hash`, found one by one.
inline NodeIndex NaiveOwner(const RingView& ring, uint64_t hash) {
  if (ring.width() == 32) hash = hash >> 32 << 32;
  for (uint32_t i = 0; i < ring.point_count(); ++i) {
    if (ring.PositionAt(i) >= hash) return ring.OwnerAt(i);
  }
  return ring.point_count() != 0 ? ring.OwnerAt(0) : kNoNode;
}

// Whether one lookup, a batch, and a walk answer `hash` as NaiveOwner does.
inline bool AnswersNaively(const RingView& ring, uint64_t hash) {
  const NodeIndex expected = NaiveOwner(ring, hash);
  NodeIndex owner = 0;
  ring.Owners(&hash, 1, &owner);
  NodeIndex first = kNoNode;
  if (ring.Replicas(hash, 1, &first) == 0) first = kNoNode;
  return ring.Owner(hash) == expected && owner == expected && first == expected;
}

// Whether the ring answers as its own points do: at each, beside each, and over
// the end of the circle. Quadratic.
inline bool AnswersNaively(const RingView& ring) {
  const uint64_t step = ring.width() == 32 ? uint64_t{1} << 32 : 1;
  bool is_right = AnswersNaively(ring, 0) && AnswersNaively(ring, ~0ull);
  for (uint32_t i = 0; i < ring.point_count() && is_right; ++i) {
    const uint64_t p = ring.PositionAt(i);
    is_right = AnswersNaively(ring, p) && AnswersNaively(ring, p - step) &&
               AnswersNaively(ring, p + step);
  }
  return is_right;
}

// Whether what is said of its nodes holds together.
inline bool NodesHoldTogether(const Ring& ring) {
  std::vector<uint32_t> points(ring.slot_count());
  for (uint32_t i = 0; i < ring.point_count(); ++i) {
    if (ring.OwnerAt(i) >= points.size()) return false;
    ++points[ring.OwnerAt(i)];
  }
  std::set<std::string> ids;
  for (NodeIndex slot : ring.slots_by_id()) {
    const NodeView node = ring.node(slot);
    if (node.points != points.at(slot) || node.id.empty()) return false;
    if (ring.Find(node.id) != slot) return false;
    ids.insert(std::string(node.id));
  }
  return ids.size() == ring.node_count();
}

// Empty if `file` is refused with a fault, or accepted with good reason: the
// ring answers as its points do and is the same file again. Else what is wrong.
inline std::string JudgeRingFile(const std::string& file,
                                 const RingLoadOptions& options = {},
                                 RingFileFault* fault = nullptr) {
  RingFileFault own;
  RingFileFault& told = fault != nullptr ? *fault : own;
  const auto ring = ParseRing(BytesOf(file), options, &told);
  if (!ring.ok()) {
    return ring.status().code() == Code::kBadRingFile &&
                   told != RingFileFault::kNone
               ? ""
               : "refused otherwise: " + ring.status().message();
  }
  if (told != RingFileFault::kNone) return "accepted with a fault";
  if (!NodesHoldTogether(ring.value())) return "nodes do not hold together";
  if (!AnswersNaively(ring.value())) return "an answer is wrong";
  const auto again = SerializeRing(ring.value());
  if (!again.ok() || again.value() != file) return "is another file again";
  return "";
}

}  // namespace clockwise
