// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Whether two processes route by the same ring. Each stamps its answers with
// the epoch and digest of the ring that it asked; whoever gets a stamp compares
// it with its own and sees which of the two is behind, or that two rings were
// published under one epoch.
//
//   reply.stamp = ToText(StampOf(router->Current(pin)));           // one end
//   switch (Classify(StampOf(router->Current(pin)), theirs)) …     // the other
//
// All here is pure: any thread may call anything at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clockwise/detail/api.h"
#include "clockwise/hash.h"
#include "clockwise/status.h"

namespace clockwise {

// Which ring an answer is of.
struct RingStamp {
  uint64_t epoch = 0;  // 0: never published
  Hash128 digest;      // RingView::base_digest: a ring that health changed on
                       // one host alone stands for the one that all have
  friend bool operator==(const RingStamp&, const RingStamp&) = default;
};

// Returns the stamp of a Ring, a RingView or a PublishedRing. Two loads; never
// fails.
template <typename R>
[[nodiscard]] CW_INLINE RingStamp StampOf(const R& ring) noexcept {
  return {ring.epoch(), ring.base_digest()};
}

// What a peer's ring is, seen from mine. Values are stable: they may be logged.
enum class Drift : uint8_t {
  kCurrent = 0,      // the same epoch and digest
  kStale = 1,        // the peer's epoch is lower: it has not seen a change yet
  kAhead = 2,        // the peer's is higher: I have not
  kConflicting = 3,  // one epoch, two digests: keys have two owners until one
                     // of the rings is published under a higher epoch
};
inline constexpr size_t kDriftCount = 4;

// Returns "current", "stale", "ahead" or "conflicting"; "unknown" for any other
// value.
CW_API std::string_view DriftName(Drift drift) noexcept;

// Returns what `peer` is, seen from `mine`. Epochs decide, and at equal epochs
// the digests; with different epochs digests are not compared, as a change may
// be taken back. Epoch 0 is an epoch like another, the lowest: a process that
// nothing was published in is stale to all others, and two such agree if their
// rings do.
[[nodiscard]] constexpr Drift Classify(const RingStamp& mine,
                                       const RingStamp& peer) noexcept {
  if (peer.epoch < mine.epoch) return Drift::kStale;
  if (peer.epoch > mine.epoch) return Drift::kAhead;
  return peer.digest == mine.digest ? Drift::kCurrent : Drift::kConflicting;
}

// Returns the epoch in decimal, ':' and the digest as ToHex writes it, such as
// "7:0123456789abcdef0123456789abcdef": 34 to 53 bytes, none of which a header
// or a log line has to quote. Allocates; may throw std::bad_alloc.
CW_API std::string ToText(const RingStamp& stamp);
// Reads what ToText writes and nothing else, so that equal stamps have equal
// texts: no signs, blanks, leading zeros or upper case. kInvalidOptions, with
// the text's first 64 bytes, for anything else and an epoch above 2^64 - 1.
CW_API Result<RingStamp> ParseStamp(std::string_view text);

// A stamp on the wire: three little-endian words of 64 bits, the epoch, and the
// low and the high word of the digest. All bytes that there can be are a stamp.
inline constexpr size_t kStampBytes = 24;
CW_API std::array<std::byte, kStampBytes> ToBytes(
    const RingStamp& stamp) noexcept;
CW_API RingStamp
StampFrom(std::span<const std::byte, kStampBytes> bytes) noexcept;

}  // namespace clockwise
